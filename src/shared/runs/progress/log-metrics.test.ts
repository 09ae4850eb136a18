import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LogMetricsReader } from './log-metrics.ts';
import { MAX_POINTS } from './metric-series.ts';
import { NO_RUN_METRICS, runMetricsStream, type RunMetrics } from './run-metrics.ts';

const SAME = (text: string): string => text;

/** All that a reader tells, as a window gets it. */
function read(...pieces: readonly (readonly [string, number | null])[]): RunMetrics {
  const reader = new LogMetricsReader(SAME);
  let state = NO_RUN_METRICS;
  for (const [text, atMs] of pieces) {
    reader.take(text, atMs);
    const change = reader.takeChange();
    if (change !== null) state = runMetricsStream.apply(state, change);
  }
  reader.end(null);
  const change = reader.takeChange();
  return change === null ? state : runMetricsStream.apply(state, change);
}

/** `name: [step, value] …` */
const told = ({ series }: RunMetrics): Readonly<Record<string, readonly (number | null)[][]>> =>
  Object.fromEntries(
    series.map(({ name, steps, values }) => [
      name,
      values.map((value, i) => [steps[i] ?? null, value]),
    ]),
  );

const SAMPLES = fileURLToPath(new URL('./samples/', import.meta.url));
const recorded = readdirSync(SAMPLES).filter((file) => file.endsWith('.txt'));

describe('LogMetricsReader', () => {
  it.each(recorded)('reads what was recorded: %s', (file) => {
    const state = read([readFileSync(SAMPLES + file, 'utf8'), null]);
    const expected: unknown = JSON.parse(
      readFileSync(SAMPLES + file.replace('.txt', '.json'), 'utf8'),
    );
    const { unit, done, total, isOfRound, epoch } = state.position ?? {};
    expect({
      position: { unit, done, total, isOfRound, epoch },
      series: Object.fromEntries(
        state.series.map(({ name, steps, values }) => [
          name,
          values.map((value, i) => `${String(steps[i])}: ${String(value)}`).join(', '),
        ]),
      ),
    }).toEqual(expected);
  });

  it('reads lines that a person prints', () => {
    const state = read(['step 1 loss 0.9 lr 1e-3\nstep 2 loss 0.8 lr 5e-4\n', null]);
    expect(told(state)).toEqual({
      loss: [
        [1, 0.9],
        [2, 0.8],
      ],
      lr: [
        [1, 1e-3],
        [2, 5e-4],
      ],
    });
    expect(state.position).toMatchObject({ unit: 'step', done: 2, total: null, end: null });
  });

  it('takes a bar for one of an epoch only where the epoch stands before it', () => {
    const after = read([' 50%|██| 8/16 [00:04<00:04, 2.0it/s]epoch 0: loss: 0.5\n', null]);
    expect(after.position).toMatchObject({ done: 8, total: 16, isOfRound: false });
    const before = read(['Epoch 0: 50%|██| 8/16 [00:04<00:04, 2.0it/s, loss=0.5]\n', null]);
    expect(before.position).toMatchObject({ done: 8, total: 16, isOfRound: true });
  });

  it('takes a speed by its name for what stands behind it, and not for what stands before', () => {
    expect(
      told(read(['step 2/9 loss=1 lr=2e-04 tok/s: 60000\nstep 3 lr 4 tok/s=61000\n', null])),
    ).toEqual({
      loss: [[2, 1]],
      lr: [
        [2, 2e-4],
        [3, 4],
      ],
      'tok/s': [
        [2, 60_000],
        [3, 61_000],
      ],
    });
  });

  it('tells pace and end of a count whose end is told', () => {
    const lines = Array.from({ length: 10 }, (_, i): readonly [string, number] => [
      `step ${String(i + 1)}/100 loss 0.5\n`,
      i * 1000,
    ]);
    const { position } = read(...lines);
    expect(position).toMatchObject({ unit: 'step', done: 10, total: 100, perS: 1, atMs: 9000 });
    expect(position?.end).toEqual({ fromMs: 99_000, toMs: 99_000 });
  });

  it('shows a loss that is no number as such, and says since when', () => {
    const { series } = read(['step 1 loss 0.9\nstep 2 loss nan\nstep 3 loss=-inf\n', null]);
    expect(series[0]?.values).toEqual([0.9, NaN, -Infinity]);
    expect(series[0]?.bad).toEqual({ count: 2, firstStep: 2 });
  });

  it('keeps no more than its bound of a long run, with its peaks, and what is no number', () => {
    const text = Array.from({ length: 50_000 }, (_, i) => {
      const loss = i === 31_234 ? 'nan' : i === 12_345 ? '99' : i === 12_399 ? '-7' : '1.5';
      return `step ${String(i)} loss ${loss}\n`;
    }).join('');
    const [loss] = read([text, null]).series;
    expect(loss?.count).toBe(50_000);
    expect(loss?.values.length).toBeLessThanOrEqual(MAX_POINTS);
    expect(loss?.values.length).toBeGreaterThan(MAX_POINTS / 4);
    const at = (value: number) =>
      loss?.steps[loss.values.findIndex((one) => Object.is(one, value))];
    expect([at(99), at(-7), at(NaN)]).toEqual([12_345, 12_399, 31_234]);
    expect(loss?.steps.at(-1)).toBe(49_999);
    expect(loss?.bad).toEqual({ count: 1, firstStep: 31_234 });
  });

  it('gives the same however the text is cut, and tells only what is new', () => {
    const text = Array.from(
      { length: 3000 },
      (_, i) =>
        `epoch ${String(1 + Math.floor(i / 1000))} step ${String(i)} loss ${String(i % 7)}\r`,
    ).join('');
    const pieces = Array.from({ length: Math.ceil(text.length / 777) }, (_, i) => {
      const piece: readonly [string, null] = [text.slice(i * 777, (i + 1) * 777), null];
      return piece;
    });
    expect(read(...pieces)).toEqual(read([text, null]));
    const reader = new LogMetricsReader(SAME);
    reader.take('step 1 loss 1\nstep 2 loss 2\n', null);
    reader.takeChange();
    expect(reader.takeChange()).toBeNull();
    reader.take('step 3 loss 3\n', null);
    expect(reader.takeChange()?.changes).toMatchObject([
      { from: 1, steps: [2, 3], values: [2, 3] },
    ]);
  });

  it('takes no settings and no other talk for figures of a training', () => {
    const state = read([
      [
        'Namespace(lr=0.001, epochs=10, seed=3)',
        'learning_rate: 0.0003',
        'Listening on port 8080, took: 3 s',
        'GPU 0: 31 % used: 12',
        '2026-11-23 06:10:11,123 INFO root:12 ready',
        '',
      ].join('\n'),
      null,
    ]);
    expect(state).toEqual(NO_RUN_METRICS);
  });

  it('keeps a bounded number of figures, and no name in which a secret stands', () => {
    const reader = new LogMetricsReader((text) => text.replaceAll('hunter2', '[redacted]'));
    for (let i = 0; i < 100; i += 1) reader.take(`step 1 m${String(i)}=1 hunter2=1\n`, null);
    const change = reader.takeChange();
    expect(change?.changes).toHaveLength(32);
    expect(change?.leftOut).toBe(69);
    expect(JSON.stringify(change)).not.toContain('hunter2');
  });
});
