import { expect, it } from 'vitest';
import {
  readEvents,
  sample,
  told,
} from '../../../../../shared/runs/metric-files/event-files.fixture.ts';
import type { MetricSeries } from '../../../../../shared/runs/progress/metric-series.ts';
import { chartOf, csvOf, groupSeries, USUAL_VIEW } from './metric-charts.ts';

const series = (
  name: string,
  ...points: readonly (readonly [number | null, number])[]
): MetricSeries => ({
  name,
  steps: points.map(([step]) => step),
  atMs: points.map((_, i) => (i === 0 ? null : i * 1000)),
  values: points.map(([, value]) => value),
  count: points.length,
  bad: null,
});
const line = (...points: readonly (readonly [number | null, number])[]) => [
  { id: 'a', label: 'loss', series: series('loss', ...points) },
];
const drawn = (...given: Parameters<typeof chartOf>) =>
  chartOf(...given).points.map(({ at, values }) => [at, ...values]);

it('draws what a run did again after it went on from a checkpoint, and not what it lost', () => {
  const loss = line([1, 9], [2, 8], [3, 7], [2, 6], [4, 5]);
  expect(drawn(loss, USUAL_VIEW)).toEqual([
    [1, 9],
    [2, 6],
    [4, 5],
  ]);
});

it('draws of a run that torch went on with what TensorBoard draws', () => {
  const { read } = readEvents(sample('torch-resumed'));
  const { lr = [] } = told('torch-resumed');
  const [own] = read.values();
  expect(own?.values).toHaveLength(20);
  const lines = own === undefined ? [] : [{ id: 'a', label: 'lr', series: own }];
  expect(drawn(lines, USUAL_VIEW)).toEqual(lr.map(([step, , value]) => [step, value]));
});

it('leaves a value that is no number undrawn, and one without a time off the axis of time', () => {
  const loss = line([1, 9], [2, NaN], [3, 7]);
  expect(drawn(loss, USUAL_VIEW)).toEqual([
    [1, 9],
    [2, null],
    [3, 7],
  ]);
  const byTime = chartOf(loss, { ...USUAL_VIEW, across: 'time' });
  expect([byTime.points.map(({ at }) => at), byTime.leftOut]).toEqual([[1000, 2000], 1]);
});

it('smooths without a pull towards zero, and past what is no number', () => {
  const loss = line([1, 4], [2, NaN], [3, 4], [4, 0]);
  const values = drawn(loss, { ...USUAL_VIEW, smoothing: 0.5 }).map(([, value]) => value);
  expect(values).toEqual([4, null, 4, expect.closeTo((4 * 0.75 * 0.5) / 0.875)]);
});

it('puts the same figure of several runs into one chart', () => {
  const groups = groupSeries([
    { id: 'a', name: null, series: [series('loss', [1, 1]), series('acc', [1, 1])] },
    { id: 'b', name: 'baseline', series: [series('loss', [2, 2]), series('acc', [2, 2])] },
  ]);
  expect(groups.map(({ title, lines }) => [title, lines.map(({ label }) => label)])).toEqual([
    ['Loss', ['loss', 'loss · baseline']],
    ['acc', ['acc', 'acc · baseline']],
  ]);
  expect(csvOf(groups)).toContain('"loss · baseline",2,,2\n');
});

it('tells of a line that has no value at a place the one before it, with its step', () => {
  const two = [...line([1, 9], [3, 7]), { id: 'b', label: 'val', series: series('val', [2, 5]) }];
  expect(chartOf(two, USUAL_VIEW).points.map(({ lines }) => lines)).toEqual([
    ['loss 9'],
    ['loss 9 (step 1)', 'val 5'],
    ['loss 7', 'val 5 (step 2)'],
  ]);
});

it('shows the stretch that was chosen, with both of its ends', () => {
  const loss = line([1, 9], [2, 8], [3, 7], [4, 6]);
  expect(drawn(loss, { ...USUAL_VIEW, range: { from: 2, to: 3 } })).toEqual([
    [2, 8],
    [3, 7],
  ]);
});
