import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ok } from '../../../../../shared/result.ts';
import type { LaunchedRun } from '../../../../../shared/runs/launch/launched-run.ts';
import { NO_QUEUE, type QueueView } from '../../../../../shared/runs/queue/queue-view.ts';
import type { FakeBridge } from '../../../../state/fake-bridge.fixture.ts';
import { useFleet } from '../../../../state/feeds.ts';
import { createStreamClient } from '../../../../state/stream-client.ts';
import { StreamProvider } from '../../../../state/stream-context.ts';
import { openTestWindow } from '../../../../test-window.fixture.ts';
import { sampleEntry } from '../../../../fleet/fleet-entry.fixture.ts';
import { NOW_MS, samplePlan, sampleRun } from '../launch.fixture.ts';
import { QueuePanel } from './queue-panel.tsx';

const ENTRY = sampleEntry({}, { name: 'train-a' });
const boxId = ENTRY.box.id;
const ID = sampleRun().id;
const LIVE = sampleRun({ queue: { id: ID, next: null } });
const LOST: LaunchedRun = { ...LIVE, status: { kind: 'lost', because: 'restart' } };
const cell = (name: string, isCommented = false) => ({ name, command: `run ${name}`, isCommented });
const mark = (code: number | null) => ({
  beganAtMs: NOW_MS - 60_000,
  times: 1,
  end: code === null ? null : ({ kind: 'exit', exitCode: code, atMs: NOW_MS - 30_000 } as const),
});
const QUEUE: QueueView = {
  ...NO_QUEUE,
  atMs: NOW_MS,
  cells: [cell('a'), cell('b'), cell('c', true), cell('d'), cell('e')],
  marks: { 1: mark(0), 2: mark(7), 4: mark(null) },
};

let bridge: FakeBridge;
const opened = vi.fn();
const user = userEvent.setup({ delay: null });
beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

async function show(run: LaunchedRun, queue: QueueView, runs = [run]): Promise<void> {
  bridge = openTestWindow([ENTRY]);
  bridge.serve('run-queue', queue);
  useFleet.setState({ kind: 'live', state: { entries: [ENTRY] } }, true);
  await act(async () => {
    render(
      <StreamProvider value={createStreamClient(bridge)}>
        <QueuePanel
          boxId={boxId}
          run={run}
          runs={runs}
          isUp
          openedCell={null}
          onOpenCell={opened}
        />
      </StreamProvider>,
    );
    await Promise.resolve();
  });
}
const click = (name: string | RegExp) => user.click(screen.getByRole('button', { name }));
const rows = () =>
  within(screen.getByRole('table', { name: 'Cells' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .slice(0, 3)
        .map(({ textContent }) => textContent)
        .join('|'),
    );

describe('the queue of a run', () => {
  it('says that it starts again by itself, and warns of a line that was left behind', async () => {
    await show({ ...LIVE, startsAgain: true }, QUEUE);
    expect(screen.getByText(/Starts again by itself after a restart/)).toBeTruthy();
    cleanup();
    await show({ ...LOST, startsAgain: true }, QUEUE);
    expect(screen.getByText(/Starts again by itself after a restart/)).toBeTruthy();
    cleanup();
    await show({ ...LOST, startsAgain: true, isDeclined: true }, QUEUE);
    expect(screen.getByText(/is still in your crontab on the box/)).toBeTruthy();
    cleanup();
    await show(LIVE, QUEUE);
    expect(screen.queryByText(/crontab/)).toBeNull();
  });

  it('tells each cell with its number and its state', async () => {
    await show(LIVE, QUEUE);
    expect(rows()).toEqual([
      '1|a|Done',
      '2|b|Failed (exit 7)',
      '3|c|Left out',
      '4|d|Running',
      '5|e|Waiting',
    ]);
    expect(screen.getByRole('status').textContent).toBe(
      '1 of 4 cells done · 1 failed · 1 running · 1 waiting · 1 left out',
    );
    expect(screen.queryByRole('button', { name: 'Resume queue…' })).toBeNull();
  });

  it('tells what another machine goes through as not seen, and can be resumed', async () => {
    const elsewhere: LaunchedRun = { ...LIVE, status: { kind: 'elsewhere', machine: 'node-2' } };
    await show(elsewhere, QUEUE);
    expect(rows()[3]).toBe('4|d|Running when last seen');
    expect(screen.getByRole('status').textContent).toBe(
      '1 of 4 cells done · 1 failed · 1 begun · 1 waiting · 1 left out',
    );
    expect(screen.getByText(/once you know that node-2 runs it no more/)).toBeTruthy();
    expect(screen.queryByText(/Ends|end can be estimated/)).toBeNull();
    expect(screen.getByRole('button', { name: 'Resume queue…' })).toBeTruthy();
    cleanup();
    const next = sampleRun({ id: 'r-20261124-023000-1a2b3c4d' });
    const goneOn = { ...elsewhere, queue: { id: ID, next: next.id } };
    await show(goneOn, QUEUE, [goneOn, next]);
    expect(screen.queryByRole('button', { name: 'Resume queue…' })).toBeNull();
  });

  it('names the cells that began after code was changed (U42)', async () => {
    const changed = { ...mark(0), changedFiles: 2 };
    await show(LIVE, { ...QUEUE, marks: { ...QUEUE.marks, 2: changed } });
    expect(screen.getByText(/cell 2 began after that/).textContent).toContain('Its log names the');
    cleanup();
    await show(LIVE, { ...QUEUE, marks: { 1: mark(0), 2: changed, 4: changed } });
    expect(screen.getByText(/cells 2, 4 began after that/)).toBeDefined();
    cleanup();
    await show(LIVE, QUEUE);
    expect(screen.queryByText(/code/i)).toBeNull();
  });

  it('tells a cell whose results are copied, and one whose copy failed with what to do', async () => {
    const ran = { ...mark(null), ranAtMs: NOW_MS - 5000 };
    const why = { kind: 'uncopied', why: 'disk-full', atMs: NOW_MS } as const;
    const marks = { 1: ran, 2: { ...ran, end: why }, 4: mark(0), 5: mark(0) };
    await show(LIVE, { ...QUEUE, marks });
    expect(rows().slice(0, 2)).toEqual(['1|a|Copying results', '2|b|Not copied']);
    expect(
      screen.getByTitle(/the disk that it goes to is full.*does not run it again/),
    ).toBeTruthy();
    expect(screen.getByRole('status').textContent).toBe(
      '2 of 4 cells done · 1 not copied · 1 copying · 1 left out',
    );
    cleanup();
    await show(LOST, { ...QUEUE, marks });
    expect(rows().slice(0, 2)).toEqual(['1|a|Not copied', '2|b|Not copied']);
    expect(document.body.textContent).toContain(
      '2 cells have not finished. Resume the queue to copy their results; nothing runs again.',
    );
    bridge.answer(
      'runs:plan-resume',
      ok(
        samplePlan({
          queue: {
            cells: [
              { index: 1, name: 'a', command: 'run a', isInterrupted: false, isCopyOnly: true },
            ],
            ...{ commented: 1, finished: 3, after: ID, slots: [], stopsAtFailure: null },
          },
        }),
      ),
    );
    await click('Resume queue…');
    await screen.findByRole('group', { name: 'Cells that will run' });
    expect(document.body.textContent).toContain(
      'Not run again, because it has succeeded: only the results are copied of 1 (a).',
    );
  });

  it('says when a queue that lives ends, once a cell is done, and nothing of one that is over', async () => {
    await show(LIVE, { ...QUEUE, marks: { 1: mark(0), 4: mark(null) } });
    // One cell took 30 s; one runs for 60 s, and two wait.
    expect(document.body.textContent).toMatch(
      /Ends between .* and .*, by the cells that are done; set a price to see what that costs\./,
    );
    cleanup();
    await show(LIVE, { ...QUEUE, marks: { 2: mark(7), 4: mark(null) } });
    expect(document.body.textContent).toContain(
      'The end can be estimated once the first cell is done.',
    );
    cleanup();
    await show(LIVE, { ...QUEUE, isPaused: true });
    expect(document.body.textContent).toContain('No estimate while the queue is paused.');
    cleanup();
    await show(LOST, QUEUE);
    expect(document.body.textContent).not.toMatch(/end can be estimated|Ends (?:about|between)/);
  });

  it('shows the cells that run side by side, each on the card that it has to itself', async () => {
    const on = (cards: string) => ({ ...mark(null), cards });
    const uuid = ENTRY.gpus?.[0]?.uuid ?? '';
    await show(LIVE, { ...QUEUE, slots: 2, marks: { 1: on(uuid), 2: on('GPU-gone-0000000') } });
    const side = within(screen.getByRole('list', { name: 'Cells that run side by side' }));
    expect(side.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^GPU 0 a/),
      expect.stringMatching(/^GPU-gone-000 b/),
    ]);
    await click(/GPU 0 a/);
    expect(opened).toHaveBeenCalledWith({ index: 1, name: 'a' });
    expect(screen.getByRole('button', { name: 'Stop after these cells' })).toBeTruthy();
  });

  it('asks the box to pause, and to go on where it is paused', async () => {
    await show(LIVE, QUEUE);
    bridge.answer('runs:wish-queue', ok({ atMs: NOW_MS, runs: [], leftOut: 0, problem: null }));
    await click('Pause');
    // One wish at a time: the buttons wait for the answer to the first.
    const stop = screen.getByRole<HTMLButtonElement>('button', { name: 'Stop after this cell' });
    await vi.waitFor(() => expect(stop.disabled).toBe(false));
    await click('Stop after this cell');
    await vi.waitFor(() =>
      expect(bridge.callsTo('runs:wish-queue')).toEqual([
        { boxId, id: ID, wish: 'pause' },
        { boxId, id: ID, wish: 'stop' },
      ]),
    );
    cleanup();
    await show(LIVE, { ...QUEUE, isPaused: true });
    await screen.findByRole('button', { name: 'Continue' });
    expect(document.body.textContent).toContain('Paused: no further cell begins');
  });

  it('of a run that is lost is resumed with a plan that names the cells', async () => {
    await show(LOST, QUEUE);
    expect(rows()[3]).toBe('4|d|Interrupted');
    expect(document.body.textContent).toContain('2 cells have not finished');
    bridge.answer(
      'runs:plan-resume',
      ok(
        samplePlan({
          queue: {
            cells: [
              { index: 4, name: 'd', command: 'run d', isInterrupted: true },
              { index: 5, name: 'e', command: 'run e', isInterrupted: false },
            ],
            commented: 1,
            finished: 2,
            after: ID,
            slots: [],
            stopsAtFailure: null,
          },
        }),
      ),
    );
    await click('Resume queue…');
    const planned = await screen.findByRole('group', { name: 'Cells that will run' });
    expect(within(planned).getAllByRole('row')).toHaveLength(3);
    expect(document.body.textContent).toContain('run again from its beginning: 4 (d).');
    expect(document.body.textContent).toContain('2 cells that have finished will not run again.');
    expect(document.body.textContent).toContain('every cell exits with code 0');
  });

  it('that another run goes on with is not resumed from here', async () => {
    await show({ ...LOST, queue: { id: ID, next: 'r-20270115-090000-0a1b2c3d' } }, QUEUE);
    expect(screen.queryByRole('button', { name: 'Resume queue…' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Show that run' })).toBeTruthy();
  });

  it('takes more cells, once however often they are sent, and none with a name that it has', async () => {
    await show(LIVE, QUEUE);
    await click('Add cells…');
    const area = screen.getByRole('textbox', { name: 'Cells' });
    await user.type(area, 'a: again');
    await click(/^Add/);
    expect(area.getAttribute('aria-invalid')).toBe('true');
    expect(bridge.callsTo('runs:add-cells')).toEqual([]);
    await user.clear(area);
    await user.type(area, 'f: run f');
    bridge.answer('runs:add-cells', {
      ok: false,
      error: { code: 'link-lost', message: 'Lost.', nextStep: 'x' },
    });
    const add = screen.getByRole('button', { name: 'Add 1 cell' });
    await user.click(add);
    await user.click(add);
    const [one, two] = bridge.callsTo('runs:add-cells');
    expect(one).toMatchObject({
      id: ID,
      cells: [{ name: 'f', command: 'run f', isCommented: false }],
    });
    expect(two).toEqual(one);
  });

  it('takes cells that hold a key only once a person goes over that, for these cells alone (U34)', async () => {
    await show(LIVE, QUEUE);
    await click('Add cells…');
    const area = screen.getByRole('textbox', { name: 'Cells' });
    await user.type(area, 'f: run f');
    const message = 'None was added: cell “f” holds what looks like a key.';
    const refused = { ok: false, error: { code: 'cells-hold-keys', message, nextStep: 'x' } };
    bridge.answer('runs:add-cells', refused as never);
    await click('Add 1 cell');
    await user.click(await screen.findByRole('checkbox', { name: /^Add anyway: the key stands/ }));
    await click('Add 1 cell');
    await user.type(area, '2');
    expect(screen.queryByRole('checkbox', { name: /^Add anyway/ })).toBeNull();
    await click('Add 1 cell');
    const calls = bridge.callsTo('runs:add-cells');
    expect(calls.map((call) => (call as { overKeys: boolean }).overKeys)).toEqual([
      ...[false, true, false],
    ]);
  });

  it('of ten thousand cells has only those in view in the page', async () => {
    const cells = Array.from({ length: 10_000 }, (_, at) => cell(`cell ${String(at + 1)}`));
    await show(LIVE, { ...QUEUE, cells });
    expect(rows().length).toBeLessThan(100);
    expect(screen.getByRole('table', { name: 'Cells' }).getAttribute('aria-rowcount')).toBe(
      '10001',
    );
  });
});
