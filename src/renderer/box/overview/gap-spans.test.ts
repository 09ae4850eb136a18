import { describe, expect, it } from 'vitest';
import type { HistoryGap } from '../../../shared/telemetry/history.ts';
import { metrics, ReadingRing } from '../../../shared/telemetry/reading-ring.ts';
import { sampleReading } from '../../fleet/fleet-entry.fixture.ts';
import { describeGaps } from './gap-spans.ts';
import { answerOf, modelOf, ringOf, storedGpu } from './series.fixture.ts';

function ringAt(...seconds: readonly number[]): ReadingRing {
  const ring = new ReadingRing();
  for (const second of seconds) ring.push(second * 1000, sampleReading());
  return ring;
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, i) => from + i);
const axis = { fromMs: 0, toMs: 299_000 };
const noted = (...gaps: readonly HistoryGap[]) => answerOf({ gaps });

describe('gapSpansOf', () => {
  it('is silent of a hiccup, and tells a silence with its reason', () => {
    const ring = ringAt(...range(0, 100), ...range(105, 150), ...range(200, 300));
    const gaps = [{ fromMs: 149_000, toMs: 200_000, reason: 'link-down' as const }];
    const model = modelOf([ring], 0, { axis, answer: noted(...gaps) });
    expect(model.gaps).toEqual([
      { fromMs: 149_000, toMs: 200_000, words: 'the connection was down' },
    ]);
  });

  it('says that the reason is unknown where nobody noted one', () => {
    const model = modelOf([ringAt(...range(0, 100), ...range(200, 300))], 0, { axis });
    expect(model.gaps).toMatchObject([{ words: 'nothing was recorded, and it is not known why' }]);
  });

  it('tells an empty beginning from a card that did nothing', () => {
    const model = modelOf([ringAt(...range(200, 300))], 0, { axis, answer: answerOf() });
    expect(model.gaps).toEqual([{ fromMs: 0, toMs: 200_000, words: 'nothing recorded' }]);
  });

  it('claims nothing of a time that nobody has asked about yet', () => {
    const model = modelOf([ringAt(...range(200, 300))], 0, { axis });
    expect(model.gaps).toEqual([]);
  });

  it('gives each reason only its own time: what lies before the first reading of a young box has none', () => {
    const day = { fromMs: 29 * 86_400_000, toMs: 30 * 86_400_000 };
    const month = { fromMs: 0, toMs: day.toMs };
    const youngMs = day.toMs - 2_400_000;
    const gaps = [{ fromMs: youngMs, toMs: day.toMs, reason: 'link-down' as const }];
    const gapsOf = (shown: typeof day) =>
      modelOf([], 0, { axis: shown, answer: noted(...gaps) }).gaps;
    expect(gapsOf(day)).toEqual([
      { fromMs: day.fromMs, toMs: youngMs, words: 'nothing recorded' },
      { fromMs: youngMs, toMs: day.toMs, words: 'the connection was down' },
    ]);
    // Forty minutes of a month are narrower than a line.
    expect(gapsOf(month)).toEqual([{ ...month, words: 'nothing recorded' }]);
    // Nor does why nothing comes now.
    const part = { axis: month, answer: noted(), silentBecause: 'not connected' };
    expect(modelOf([], 0, part).gaps).toEqual([{ ...month, words: 'nothing recorded' }]);
  });

  it('tells one silence with two reasons as two', () => {
    const gaps = [
      { fromMs: 99_000, toMs: 150_000, reason: 'link-down' as const },
      { fromMs: 150_000, toMs: 200_000, reason: 'app-closed' as const },
    ];
    const ring = ringAt(...range(0, 100), ...range(200, 300));
    expect(modelOf([ring], 0, { axis, answer: noted(...gaps) }).gaps).toEqual([
      { fromMs: 99_000, toMs: 150_000, words: 'the connection was down' },
      { fromMs: 150_000, toMs: 200_000, words: 'Leasehold was closed' },
    ]);
  });

  it('tells why nothing comes right now', () => {
    const part = { axis, silentBecause: 'not connected' };
    const model = modelOf([ringAt(...range(0, 100))], 0, part);
    expect(model.gaps).toEqual([{ fromMs: 99_000, toMs: 299_000, words: 'not connected' }]);
  });

  it('is a gap too where rows came without a figure: the card is lost, it did not do nothing', () => {
    const ring = ringAt(...range(0, 100));
    const dashes = Object.fromEntries(metrics.map((metric) => [metric, null]));
    for (const second of range(100, 300)) {
      ring.push(second * 1000, { ...sampleReading(), ...dashes });
    }
    const model = modelOf([ring], 0, { axis });
    expect(model.gaps).toEqual([
      { fromMs: 99_000, toMs: 299_000, words: 'no figure was reported' },
    ]);
    const other = modelOf([ring, ringOf(300)], 'all', { axis });
    expect(other.gaps).toEqual([]);
  });

  it('is a gap only where all GPUs were silent', () => {
    const model = modelOf([ringAt(...range(0, 100)), ringOf(300)], 'all', { axis });
    expect(model.gaps).toEqual([]);
  });

  it('finds the time in which Leasehold was closed between two sessions', () => {
    const hour = { fromMs: 0, toMs: 3_600_000 };
    const stored = storedGpu(0, 0, [[1, 2, 3], [1, 2, 3]]); // oxfmt-ignore
    const gaps = [{ fromMs: 119_000, toMs: 3_000_000, reason: 'app-closed' as const }];
    const answer = answerOf({ gpus: [stored], gaps });
    const young = ringOf(600, () => ({}), 3_000_000);
    const model = modelOf([young], 0, { axis: hour, answer });
    expect(model.gaps).toEqual([
      { fromMs: 120_000, toMs: 3_000_000, words: 'Leasehold was closed' },
    ]);
    expect(model.marks).toMatchObject([{ atMs: 119_000, label: 'closed' }]);
  });

  it('shows a noted silence that is shorter than its points are wide', () => {
    const minutes = Array.from({ length: 60 }, () => [1, 2, 3] as const);
    const gaps = [{ fromMs: 600_000, toMs: 630_000, reason: 'app-closed' as const }];
    const answer = answerOf({ gpus: [storedGpu(0, 0, minutes)], gaps });
    const hour = { fromMs: 0, toMs: 3_600_000 };
    expect(modelOf([], 0, { axis: hour, answer }).gaps).toEqual([
      { fromMs: 600_000, toMs: 630_000, words: 'Leasehold was closed' },
    ]);
  });
});

it('tells gaps with the same reason as one', () => {
  const words = 'the connection was down';
  const gaps = [
    { fromMs: 0, toMs: 60_000, words },
    { fromMs: 90_000, toMs: 150_000, words },
    { fromMs: 200_000, toMs: 230_000, words: 'not connected' },
  ];
  expect(describeGaps(gaps).replace(/[\u202f\u00a0]/g, ' ')).toBe(
    'no readings for 2 min in 2 gaps: the connection was down; no readings for 30 s: not connected',
  );
});
