import { act, cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { LogMetricsReader } from '../../../../../shared/runs/progress/log-metrics.ts';
import {
  NO_RUN_METRICS,
  runMetricsStream,
  type RunMetrics,
} from '../../../../../shared/runs/progress/run-metrics.ts';
import { problem } from '../../../../../shared/problem.ts';
import {
  NO_LAUNCHED_RUNS,
  type LaunchedRuns,
} from '../../../../../shared/runs/launch/launched-run.ts';
import { NO_QUEUE } from '../../../../../shared/runs/queue/queue-view.ts';
import { ok } from '../../../../../shared/result.ts';
import { sampleEntry } from '../../../../fleet/fleet-entry.fixture.ts';
import type { LogOf } from '../../../../state/launched-runs.ts';
import { useFleet } from '../../../../state/feeds.ts';
import { sampleRun } from '../launch.fixture.ts';
import type { FakeBridge } from '../../../../state/fake-bridge.fixture.ts';
import { createStreamClient } from '../../../../state/stream-client.ts';
import { StreamProvider } from '../../../../state/stream-context.ts';
import { openTestWindow } from '../../../../test-window.fixture.ts';
import { MetricsPanel } from './metrics-panel.tsx';

const NOW_MS = 1_800_000_000_000;

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** What main tells of such a log, whose lines came a second apart. */
function metricsOf(...lines: readonly string[]): RunMetrics {
  const reader = new LogMetricsReader((text) => text);
  lines.forEach((line, i) => reader.take(`${line}\n`, NOW_MS - (lines.length - 1 - i) * 1000));
  const change = reader.takeChange();
  const reading = { ...NO_RUN_METRICS.reading, state: 'following' as const };
  return runMetricsStream.apply({ ...NO_RUN_METRICS, reading }, change ?? {});
}

const BOX = sampleEntry({}, { id: 'b', name: 'here' });
const FAR = sampleEntry({}, { id: 'far', name: 'there' });
const OTHERS = Array.from({ length: 60 }, (_, at) =>
  sampleRun({ id: `r-${String(at)}`, name: at === 0 ? 'baseline' : `seed ${String(at)}` }),
);

let bridge: FakeBridge;
async function show(state: RunMetrics, log: LogOf = { runId: 'r' }): Promise<HTMLElement> {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
  bridge = openTestWindow();
  useFleet.setState({ kind: 'live', state: { entries: [BOX, FAR] } }, true);
  bridge.serve('launched-runs', { ...NO_LAUNCHED_RUNS, atMs: NOW_MS, runs: OTHERS });
  bridge.serve('run-metrics', state);
  render(
    <StreamProvider value={createStreamClient(bridge)}>
      <MetricsPanel boxId="b" log={log} isAlive />
    </StreamProvider>,
  );
  return screen.findByRole('region', { name: 'Training' });
}

const words = (element: HTMLElement): string => element.textContent.replace(/[\u202f\u00a0]/g, ' ');

it('tells how far a run is, how fast, and when it would end', async () => {
  const lines = Array.from({ length: 11 }, (_, i) => `step ${String(i * 2)}/500 loss 0.5`);
  const panel = await show(metricsOf(...lines));
  const bar = within(panel).getByRole('progressbar', { name: 'Progress of the run' });
  expect(bar.getAttribute('aria-valuetext')).toBe('Step 20 of 500');
  expect(words(panel)).toContain('4 %');
  expect(words(panel)).toContain('2 steps/s');
  const end = await within(panel).findByText(/^4.min left/);
  expect(words(end)).toContain('4 min left, ends about 15 Jan 2027');
});

it('names where the figures come from, and lets the person choose', async () => {
  const source = { kind: 'tensorboard' as const, bytes: 4000, modifiedAtMs: NOW_MS };
  const files = {
    sources: [
      { ...source, path: 'tb\u202E' },
      { ...source, kind: 'csv' as const, path: 'metrics.csv' },
    ],
    source: 'tensorboard tb\u202E',
    reading: {
      ...{
        read: 3000,
        bytes: 4000,
        change: 'renamed' as const,
        isCut: false,
        damagedAt: 2000,
        problem: null,
      },
    },
  };
  const panel = await show({ ...metricsOf('step 1 loss 2', 'step 2 loss 1'), files });
  const choice = within(panel).getByRole<HTMLSelectElement>('combobox', { name: 'Figures from' });
  expect([...choice.options].map((option) => words(option))).toEqual([
    'the log',
    'tb (TensorBoard, 4.0 kB)',
    'metrics.csv (CSV, 4.0 kB)',
  ]);
  expect(choice.selectedIndex).toBe(1);
  expect(words(panel)).toContain('The file was renamed on the box and read to its end');
  expect(words(panel)).toContain('damaged after 2.0 kB');
  await userEvent.selectOptions(choice, 'csv metrics.csv');
  await userEvent.selectOptions(choice, 'the log');
  expect(bridge.callsTo('runs:choose-metrics')).toEqual([
    { boxId: 'b', id: 'r', cell: null, source: 'csv metrics.csv' },
    { boxId: 'b', id: 'r', cell: null, source: null },
  ]);
});

it('stays looked at as it was chosen while the figures of another file are read', async () => {
  const source = { kind: 'csv' as const, path: 'metrics.csv', bytes: 700, modifiedAtMs: NOW_MS };
  const files = { sources: [source], source: null, reading: null };
  const panel = await show({ ...metricsOf('step 1 loss 2', 'step 2 loss 1'), files });
  await userEvent.click(within(panel).getByRole('checkbox', { name: 'Table' }));
  await within(panel).findByRole('table', { name: 'Values of Loss' });
  const chosen = { ...files, source: 'csv metrics.csv' };
  act(() => bridge.publish('run-metrics', [{ isNew: true, files: chosen }]));
  await within(panel).findByText('The file is being read…');
  expect(within(panel).queryByText('No figures in this file.')).toBeNull();
  const changes = metricsOf('step 7 loss 3').series.map((each) => ({ ...each, from: 0 }));
  act(() => bridge.publish('run-metrics', [{ changes }]));
  await within(panel).findByRole('table', { name: 'Values of Loss' });
});

it('tells the age of the last step instead of a pace, where a run has not counted for a while', async () => {
  const late = metricsOf('step 1/9 loss 1', 'step 2/9 loss 1', 'step 3/9 loss 1');
  const { position } = late;
  const panel = await show({
    ...late,
    position: position === null ? null : { ...position, atMs: NOW_MS - 40_000 },
  });
  expect((await within(panel).findByText(/^last step/)).textContent).toContain('40\u00a0s ago');
  expect(words(panel)).not.toContain('step/s');
  expect(words(panel)).not.toContain('steps/s');
});

it('draws the figures by what they are about, and says the newest of each', async () => {
  const panel = await show(
    metricsOf(
      'step 1 loss 0.9 val_loss 1.1 lr 1e-3 tok/s: 1200 grad_norm=3',
      'step 2 loss 0.8 val_loss 1.0 lr 5e-4 tok/s: 1300 grad_norm=2',
    ),
  );
  const figures = within(panel).getAllByRole('figure');
  expect(figures.map((one) => within(one).getByRole('heading').textContent)).toEqual([
    'Loss',
    'Learning rate',
    'Throughput',
    'grad_norm',
  ]);
  expect(words(figures[0] as HTMLElement)).toContain('loss 0.8');
  expect(words(figures[1] as HTMLElement)).toContain('lr 5e−4');
  const drawn = await screen.findByRole('application', { name: 'Loss over steps, 2 points' });
  expect(drawn.querySelectorAll('.recharts-line path')).toHaveLength(2);
});

it('says of a loss that is no number since when that is so', async () => {
  const panel = await show(metricsOf('step 1 loss 0.9', 'step 2 loss nan', 'step 3 loss nan'));
  const [said] = within(panel).getAllByRole('listitem');
  expect(words(said as HTMLElement)).toBe('loss is NaN since step 2 (2 of 3 values)');
});

it('says which lines it reads where there is none', async () => {
  const panel = await show(metricsOf('hello'));
  expect(words(panel)).toContain('No training figures in the log so far');
  expect(words(panel)).toContain('step 10 loss 0.5 lr 1e-4');
  expect(within(panel).queryByRole('progressbar')).toBeNull();
});

it('is looked at in other ways: smoothed, on a logarithmic axis, its newest part, beside another run', async () => {
  const lines = Array.from({ length: 20 }, (_, i) => `step ${String(i)} loss ${String(i - 1)}`);
  const panel = await show(metricsOf(...lines));
  const user = userEvent.setup({ delay: null });
  await screen.findByRole('application', { name: 'Loss over steps, 20 points' });
  await user.click(within(panel).getByRole('radio', { name: 'Last half' }));
  await screen.findByRole('application', { name: 'Loss over steps, 10 points' });
  await user.click(within(panel).getByRole('radio', { name: 'All' }));
  await user.click(within(panel).getByRole('checkbox', { name: 'Log scale' }));
  await screen.findByRole('application', { name: 'Loss over steps, 18 points' });
  expect(words(panel)).toContain('2 values not shown: a logarithmic axis has nothing below zero.');
  await user.click(within(panel).getByRole('radio', { name: /weight 0.9$/ }));
  await screen.findByRole('application', { name: /points, smoothed$/ });
  await user.click(within(panel).getByText('Compare with…'));
  await user.click(await within(panel).findByRole('checkbox', { name: 'baseline' }));
  expect((await screen.findAllByText(/loss · baseline/)).length).toBeGreaterThan(0);
});

it('zooms to steps that are typed, and back', async () => {
  const lines = Array.from({ length: 40 }, (_, i) => `step ${String(i)} loss ${String(i)}`);
  const panel = await show(metricsOf(...lines));
  await userEvent.type(within(panel).getByRole('textbox', { name: 'From step' }), '10');
  await userEvent.type(within(panel).getByRole('textbox', { name: 'To step' }), '19{Enter}');
  await within(panel).findByLabelText(/10 points/);
  await userEvent.click(within(panel).getByRole('button', { name: /step 10 to 19: show all/ }));
  await within(panel).findByLabelText(/40 points/);
});

it('tells the values as a table, and zooms that, too', async () => {
  const lines = Array.from({ length: 300 }, (_, i) => `step ${String(i)} loss ${String(i)}`);
  const panel = await show(metricsOf(...lines));
  await userEvent.click(within(panel).getByRole('checkbox', { name: 'Table' }));
  const table = within(panel).getByRole('table', { name: 'Values of Loss' });
  expect(within(table).getAllByRole('row')).toHaveLength(201);
  expect(words(within(table).getAllByRole('row')[1] as HTMLElement)).toBe('step 299299');
  expect(words(panel)).toContain('The newest 200 of 300 points.');
  await userEvent.type(within(panel).getByRole('textbox', { name: 'From step' }), '1');
  await userEvent.type(within(panel).getByRole('textbox', { name: 'To step' }), '2');
  await userEvent.click(within(panel).getByRole('button', { name: 'Zoom' }));
  await vi.waitFor(() => expect(within(table).getAllByRole('row')).toHaveLength(3));
});

const opens = (): readonly unknown[] =>
  bridge.callsTo('stream:open').flatMap((input) => {
    const { stream, key } = input as { readonly stream: string; readonly key: string };
    return stream === 'run-metrics' ? [key] : [];
  });

it('draws runs of other boxes beside it, each with a dash of its own, and not too many', async () => {
  const panel = await show(metricsOf('step 1 loss 0.9', 'step 2 loss 0.8'));
  const user = userEvent.setup({ delay: null });
  await user.click(within(panel).getByText('Compare with…'));
  await user.selectOptions(within(panel).getByRole('combobox', { name: 'From' }), 'there');
  await within(panel).findByText(/^50 of 60: type to find others/);
  await user.type(within(panel).getByRole('textbox', { name: 'Search runs' }), 'seed 1');
  for (const at of [1, 10, 11, 12, 13]) {
    const name = `seed ${String(at)} · there`;
    await user.click(within(panel).getByRole('checkbox', { name }));
  }
  expect(opens()).toEqual(['b r', ...[1, 10, 11, 12, 13].map((at) => `far r-${String(at)}`)]);
  expect(within(panel).getByText('At most 5 can be compared.')).toBeTruthy();
  const full = within(panel).getByRole<HTMLInputElement>('checkbox', { name: 'seed 14 · there' });
  expect(full.disabled).toBe(true);
  await within(panel).findAllByText(/^loss · seed 13 · there/);
  const drawn = await screen.findByRole('application', { name: /^Loss over steps/ });
  const lines = [...drawn.querySelectorAll('.recharts-line')].map((line) =>
    line.getAttribute('class'),
  );
  expect(lines).toHaveLength(6);
  expect(new Set(lines.map((one) => /stroke-\d/.exec(one ?? '')?.[0])).size).toBe(6);
  await user.keyboard('{Escape}');
  expect(document.activeElement?.textContent).toBe('Compare with… (5)');
});

it('draws other cells of its queue beside a cell, and says of which there is no figure', async () => {
  const log = { runId: 'q', cell: 2 };
  const panel = await show(metricsOf('step 1 loss 0.9', 'step 2 loss 0.8'), log);
  const cell = (name: string) => ({ name, command: 'x', isCommented: false });
  const mark = { beganAtMs: 1, times: 1, end: null };
  bridge.serve('run-queue', {
    ...{ ...NO_QUEUE, atMs: 1 },
    ...{ cells: [cell('lr=1'), cell('lr=2'), cell('lr=3')], marks: { 1: mark, 2: mark } },
  });
  bridge.serve('run-metrics', metricsOf('nothing'));
  const user = userEvent.setup({ delay: null });
  await user.click(within(panel).getByText('Compare with…'));
  const other = await within(panel).findByRole('checkbox', { name: 'lr=1' });
  expect(within(panel).queryByRole('checkbox', { name: 'lr=3' })).toBeNull();
  await user.click(other);
  expect(opens()).toEqual(['b q 2', 'b q 1']);
  await within(panel).findByText('No figures of lr=1.');
});

it('tells runs that were not read from runs that are not there', async () => {
  const panel = await show(metricsOf('step 1 loss 0.9', 'step 2 loss 0.8'));
  const [user, inPanel] = [userEvent.setup({ delay: null }), within(panel)];
  const none = 'No other run of one command is listed there.';
  const look = async (boxId: string, state: Partial<LaunchedRuns>): Promise<void> => {
    bridge.serve('launched-runs', { ...NO_LAUNCHED_RUNS, ...state });
    await user.selectOptions(inPanel.getByRole('combobox', { name: 'From' }), boxId);
  };
  await user.click(inPanel.getByText('Compare with…'));
  await look('far', {});
  await inPanel.findByText('Reading the runs…');
  expect(inPanel.queryByText(none)).toBeNull();
  await look('b', { atMs: NOW_MS, problem: problem('link-lost', 'here is not connected.') });
  await inPanel.findByText('here is not connected.');
  expect(inPanel.queryByText(none)).toBeNull();
  await look('far', { atMs: NOW_MS });
  await inPanel.findByText(none);
  await look('b', { atMs: NOW_MS, runs: OTHERS });
  await inPanel.findByRole('checkbox', { name: 'baseline' });
});

it('saves every value to a file, where main was told to', async () => {
  const panel = await show(metricsOf('step 1 loss 0.9', 'step 2 loss 0.8'));
  bridge.answer('runs:save-values', ok({ kind: 'saved', file: '/tmp/a.csv', bytes: 90 }));
  await userEvent.click(within(panel).getByRole('button', { name: 'Save values…' }));
  await within(panel).findByText(/written to \/tmp\/a.csv/);
  const [input] = bridge.callsTo('runs:save-values') as readonly { readonly csv: string }[];
  expect(input?.csv).toMatch(/^figure,step,time,value\n"loss",1,.*,0.9\n/);
});
