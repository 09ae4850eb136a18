import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import { parseDmon } from '../../shared/probes/dmon.ts';
import type { GpuReading } from '../../shared/telemetry/gpu-reading.ts';
import { newBox } from '../storage/boxes.fixture.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { BoxHistory } from './box-history.ts';

const HOUR = 3_600_000;
/** A full hour, long ago. */
const T0 = 1_763_697_600_000;
const ALWAYS = { fromMs: 0, toMs: T0 + 100 * HOUR };
const CARDS = [
  { uuid: 'GPU-a', name: 'A' },
  { uuid: 'GPU-b', name: 'B' },
];

let database: Database;
let box: number;

beforeEach(() => {
  database = openTemporaryDatabase();
  const added = must(database.boxes.add(newBox(1)));
  box = must(database.history.boxOf(added.id)) ?? NaN;
});
afterEach(() => database.close());

function must<T>(result: Result<T, Problem>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function reading(index: number, smPct: number | null): GpuReading {
  const { readings } = parseDmon('# gpu sm\n# Idx %\n    0     10 \n');
  return { ...(readings[0] as GpuReading), index, smPct };
}

function open(lastStoredMs: number | null = null): BoxHistory {
  const { history: table } = database;
  const known = must(table.gpus(box)).rows;
  return new BoxHistory({ table, box, known, lastStoredMs });
}

function feed(
  history: BoxHistory,
  fromMs: number,
  seconds: number,
  smAt: (second: number) => number | null,
): void {
  for (let second = 0; second < seconds; second += 1) {
    const readings = [reading(0, smAt(second)), reading(1, null)];
    history.add({ atMs: fromMs + second * 1000, readings }, (index) => CARDS[index] ?? CARDS[0]!);
  }
}

function save(history: BoxHistory): void {
  const batch = history.batch();
  if (batch === null) return;
  must(database.history.write([batch]));
  history.saved(batch);
}

const smOf = async (history: BoxHistory, stepS: 10 | 60 | 3600, range = ALWAYS) =>
  must(await history.buckets(stepS, range, ['smPct'])).map(({ startMs, gpus }) => {
    const { min, mean, max } = gpus.find(({ slot }) => slot === 0)?.values.smPct ?? {};
    return [(startMs - T0) / 1000, min, mean, max];
  });

describe('BoxHistory', () => {
  it('weighs a minute by the samples that were reported, not by its tens', async () => {
    const history = open();
    feed(history, T0, 61, (second) => (second < 10 ? (second === 0 ? 100 : null) : 0));
    const [[, min, mean, max] = []] = await smOf(history, 60);
    expect([min, max]).toEqual([0, 100]);
    expect(mean).toBeCloseTo(100 / 51, 1);
  });

  it('answers from memory what it answers from the disk', async () => {
    const history = open();
    feed(history, T0, 130, (second) => (second === 77 ? 99 : 10));
    const before = [await smOf(history, 10), await smOf(history, 60)];
    expect(before[1]).toEqual([
      [0, 10, 10, 10],
      [60, 10, 11.5, 99], // a finished minute is encoded, with its mean to a tenth
      [120, 10, 10, 10],
    ]);
    expect(before[0]?.[7]).toEqual([70, 10, 18.9, 99]);
    history.finish();
    save(history);
    expect(history.batch()).toBeNull();
    const later = open();
    const after = [await smOf(later, 10), await smOf(later, 60)];
    expect(after).toEqual(before);
  });

  it('keeps a card that reports nothing as a card that reports nothing', async () => {
    const history = open();
    feed(history, T0, 60, () => 10);
    const [minute] = must(await history.buckets(60, ALWAYS, ['smPct']));
    expect(minute?.gpus.find(({ slot }) => slot === 1)).toEqual({ slot: 1, count: 60, values: {} });
  });

  it('joins both halves of a minute in which Leasehold was restarted', async () => {
    const first = open();
    feed(first, T0, 30, () => 0);
    first.finish();
    save(first);
    const second = open(T0 + 60_000);
    feed(second, T0 + 30_000, 30, () => 100);
    second.finish();
    save(second);
    expect(await smOf(open(), 60)).toEqual([[0, 0, 50, 100]]);
    expect(await smOf(open(), 10)).toHaveLength(6);
  });

  it('merges what a clock that went back says of the same time', async () => {
    const history = open();
    feed(history, T0, 60, () => 10);
    feed(history, T0, 60, () => 30);
    expect(await smOf(history, 60)).toEqual([[0, 10, 20, 30]]);
    history.finish();
    save(history);
    expect(await smOf(open(), 60)).toEqual([[0, 10, 20, 30]]);
  });

  it('gives a card the same number when its index changes, and another card another', () => {
    const history = open();
    const slot = history.slotOf(1, CARDS[1]!);
    expect(history.slotOf(0, CARDS[1]!)).toBe(slot);
    expect(history.slotOf(1, { uuid: 'GPU-c', name: null })).not.toBe(slot);
    expect(history.gpus.find(({ gpu }) => gpu === 'GPU-b')?.index).toBe(0);
  });

  it('folds finished hours, answers the hour that runs from its minutes, and does it once', async () => {
    const history = open();
    feed(history, T0, 7200 + 60, (second) => (second === 3700 ? 100 : 20));
    history.finish();
    save(history);
    const before = await smOf(open(), 3600);
    const minutes = await smOf(open(), 60);
    expect(minutes).toHaveLength(121);
    const nowMs = T0 + 2 * HOUR + 90_000;
    expect(must(history.rollUp(nowMs))).toBe(true);
    while (must(history.rollUp(nowMs)));
    expect(must(database.history.read(box, 3600, ALWAYS, 10))).toHaveLength(2);
    // 60 minutes in one record each, and the minute of the hour that runs.
    expect(must(database.history.read(box, 60, ALWAYS, 500))).toHaveLength(3);
    expect(await smOf(open(), 60)).toEqual(minutes);
    const after = await smOf(open(), 3600);
    expect(after.map(([at, min, , max]) => [at, min, max])).toEqual([
      [0, 20, 20],
      [3600, 20, 100],
      [7200, 20, 20],
    ]);
    expect(before.map(([at]) => at)).toEqual([0, 3600, 7200]);
    expect(must(open().rollUp(nowMs))).toBe(false);
  });

  it('misses no minute of an hour that is packed while it is being read', async () => {
    const history = open();
    feed(history, T0, 3700, () => 20);
    history.finish();
    save(history);
    const reading = smOf(history, 60);
    expect(must(history.rollUp(T0 + HOUR + 90_000))).toBe(true);
    expect(await reading).toHaveLength(62);
  });

  it('takes a minute into an hour that is packed already, after a clock that went back', async () => {
    const history = open();
    feed(history, T0, 3700, () => 20);
    history.finish();
    save(history);
    while (must(history.rollUp(T0 + HOUR + 90_000)));
    feed(history, T0 + 600_000, 60, () => 80);
    history.finish();
    save(history);
    const minutes = await smOf(open(), 60);
    expect(minutes).toHaveLength(62);
    expect(minutes[10]).toEqual([600, 20, 50, 80]);
  });

  it('shows a damaged record as a time of which nothing is known', async () => {
    const history = open();
    feed(history, T0, 3700, () => 20);
    history.finish();
    save(history);
    while (must(history.rollUp(T0 + HOUR + 90_000)));
    const broken = { stepS: 60 as const, startS: T0 / 1000, bytes: Uint8Array.of(255, 1, 2, 3) };
    must(database.history.packHour(box, broken, { ...broken, stepS: 3600 }));
    expect(await smOf(open(), 60)).toHaveLength(2);
  });

  it('says why there is a gap, and keeps that', () => {
    const first = open();
    feed(first, T0, 3, () => 1);
    first.explainSilence('link-down', T0 + 3000);
    first.explainSilence('stream-failed', T0 + 50_000);
    feed(first, T0 + 60_000, 3, () => 1);
    first.explainSilence('link-down', T0 + 63_000);
    first.explainSilence('box-restarted', T0 + 119_000);
    feed(first, T0 + 120_000, 3, () => 1);
    first.finish();
    save(first);
    const second = open(T0 + 180_000);
    feed(second, T0 + 500_000, 3, () => 1);
    expect(must(second.gaps(ALWAYS, T0 + 503_000))).toEqual([
      { fromMs: T0 + 2000, toMs: T0 + 60_000, reason: 'link-down' },
      { fromMs: T0 + 62_000, toMs: T0 + 120_000, reason: 'box-restarted' },
      { fromMs: T0 + 180_000, toMs: T0 + 500_000, reason: 'app-closed' },
    ]);
    // Still open, and nobody said why.
    expect(must(second.gaps({ fromMs: T0 + 502_500, toMs: ALWAYS.toMs }, T0 + 560_000))).toEqual([
      { fromMs: T0 + 502_000, toMs: T0 + 560_000, reason: 'unknown' },
    ]);
  });

  it('says of each reason no more than its own time', () => {
    const first = open();
    feed(first, T0, 3, () => 1);
    first.finish();
    save(first);
    const MONTH = 30 * 86_400_000;
    const EVER = { fromMs: 0, toMs: T0 + 2 * MONTH };
    const second = open(T0 + 2000);
    const startedMs = T0 + MONTH;
    // It begins as not connected, and the link does not come up for 40 minutes.
    second.explainSilence('not-connected', startedMs);
    second.explainSilence('link-down', startedMs + 1000);
    second.explainSilence('stream-failed', startedMs + 60_000);
    // A short sleep is not why the connection was down all the time.
    second.explainSilence('clock-jump', startedMs + 2_400_000, 30_000);
    expect(must(second.gaps(EVER, startedMs + 2_400_000))).toEqual([
      { fromMs: T0 + 2000, toMs: startedMs + 1000, reason: 'app-closed' },
      { fromMs: startedMs + 1000, toMs: startedMs + 2_400_000, reason: 'link-down' },
    ]);
    // Over night the machine slept, and that is why.
    second.explainSilence('clock-jump', startedMs + 30_000_000, 27_000_000);
    feed(second, startedMs + 30_000_000, 1, () => 1);
    expect(must(second.gaps(EVER, startedMs + 30_000_000)).map(({ reason }) => reason)).toEqual([
      'app-closed',
      'clock-jump',
    ]);
  });

  it('keeps why a clock was held, across a restart', () => {
    const history = open();
    feed(history, T0, 60, () => 1);
    for (const [second, bits] of [
      [0, 4],
      [30, 4],
      [60, 0x40],
    ] as const) {
      history.addThrottle(0, T0 + second * 1000, bits);
    }
    history.finish();
    save(history);
    history.addThrottle(0, T0 + 90_000, 0x40);
    const expected = [
      { slot: 0, fromMs: T0, toMs: T0 + 60_000, bits: 4 },
      { slot: 0, fromMs: T0 + 60_000, toMs: T0 + 90_000, bits: 0x40 },
    ];
    expect(must(history.throttle(ALWAYS))).toEqual(expected);
    feed(history, T0 + 91_000, 60, () => 1);
    save(history);
    expect(must(open().throttle(ALWAYS))).toEqual(expected);
  });

  it('keeps a session in memory, and bounded, for a box that is not stored', async () => {
    const { history: table } = database;
    const history = new BoxHistory({ table, box: null, known: [], lastStoredMs: null });
    feed(history, T0, 26 * 3600, () => 7);
    expect(history.batch()).toBeNull();
    const minutes = await smOf(history, 60);
    expect(minutes).toHaveLength(1441);
    expect(minutes.at(-1)?.[0]).toBe(26 * 3600 - 60);
    expect(await smOf(history, 10)).toHaveLength(361 * 6);
    history.addMarks([
      { atMs: T0, kind: 'reboot', gpu: null, text: 'rebooted', code: null, clue: null },
    ]);
    expect(must(history.marks(ALWAYS))).toHaveLength(1);
  }, 30_000);
});
