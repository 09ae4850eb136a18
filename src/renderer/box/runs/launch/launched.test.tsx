import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NO_PATROL } from '../../../../shared/patrol/patrol-state.ts';
import { problem } from '../../../../shared/problem.ts';
import { err, ok } from '../../../../shared/result.ts';
import type {
  LaunchedRun,
  LaunchedRuns,
  RunLog,
  RunStatus,
} from '../../../../shared/runs/launch/launched-run.ts';
import { NO_QUEUE, type QueueView } from '../../../../shared/runs/queue/queue-view.ts';
import { NO_RUN_METRICS, type RunMetrics } from '../../../../shared/runs/progress/run-metrics.ts';
import { sampleMeter } from '../../../costs/meter.fixture.ts';
import { sampleEntry } from '../../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../../state/fake-bridge.fixture.ts';
import { useFleet, useMeter } from '../../../state/feeds.ts';
import { createStreamClient } from '../../../state/stream-client.ts';
import { StreamProvider } from '../../../state/stream-context.ts';
import { useView } from '../../../state/view.ts';
import { openTestWindow } from '../../../test-window.fixture.ts';
import { RunsTab } from '../runs-tab.tsx';
import { runOpened, useLaunchView } from './launch-view.ts';
import { NOW_MS, sampleRun } from './launch.fixture.ts';

const ENTRY = sampleEntry({}, { name: 'train-a' });
const DOWN = { ...ENTRY, link: { kind: 'idle' } as const };
const boxId = ENTRY.box.id;
const RUN = sampleRun();
const LOG: RunLog = {
  text: 'epoch 1\nepoch 2\n',
  bytes: 16,
  isCut: false,
  state: 'following',
  problem: null,
};
const known = (...runs: readonly LaunchedRun[]): LaunchedRuns => ({
  atMs: NOW_MS - 5000,
  runs,
  leftOut: 0,
  problem: null,
});

let bridge: FakeBridge;
const user = userEvent.setup({ delay: null });
beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
  useLaunchView.setState({}, true);
  useMeter.setState({ kind: 'loading' }, true);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});
const plain = (): string => document.body.textContent.replace(/[\u202f\u00a0]/g, ' ');
const click = (name: string | RegExp) => user.click(screen.getByRole('button', { name }));
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });

async function show(
  state: LaunchedRuns,
  entry = ENTRY,
  metrics: RunMetrics = NO_RUN_METRICS,
  queue: QueueView = NO_QUEUE,
): Promise<void> {
  bridge = openTestWindow([entry]);
  useFleet.setState({ kind: 'live', state: { entries: [entry] } }, true);
  bridge.serve('patrol', NO_PATROL);
  bridge.serve('launched-runs', state);
  bridge.serve('run-log', LOG);
  bridge.serve('run-metrics', metrics);
  bridge.serve('run-queue', queue);
  bridge.answer('runs:look', err(problem('internal', 'No.')));
  bridge.answer('push:look', err(problem('internal', 'No.')));
  const client = createStreamClient(bridge);
  await act(async () => {
    render(
      <StreamProvider value={client}>
        <RunsTab entry={entry} />
      </StreamProvider>,
    );
    await import('./run-page.tsx');
  });
}

it('offers on its page to have the box tell the end of a run that lives, and of no other', async () => {
  runOpened(boxId, RUN.id);
  await show(known(RUN));
  expect((await screen.findByRole('button', { name: /Notify from the box/ })).title).toBe('');
  cleanup();
  runOpened(boxId, RUN.id);
  await show(known(sampleRun({ status: { kind: 'ended', exitCode: 143, atMs: NOW_MS } })));
  await screen.findByRole('heading', { name: 'baseline' });
  expect(screen.queryByRole('button', { name: /Notify from the box/ })).toBeNull();
});

describe('the tmux session that shows a run', () => {
  const over = { kind: 'ended', exitCode: 143, atMs: NOW_MS } as const;

  it('is offered on the line and the page of one that tmux started and that lives', async () => {
    const elsewise = sampleRun({ id: 'r-20270115-080001-0a1b2c3d', detacher: 'setsid' });
    await show(known(RUN, elsewise));
    expect(button('Attach').title).toContain('Keys do not reach the run');
    bridge.answer('tmux:list', ok({ kind: 'installed', sessions: [], leftOut: 0 }));
    await click('Attach');
    expect(useView.getState().failures.map(({ message }) => message)).toEqual([
      `The tmux session “leasehold-${RUN.id}” is not on the box any more.`,
    ]);
    cleanup();
    runOpened(boxId, RUN.id);
    await show(known(RUN));
    expect(
      (await screen.findByRole<HTMLButtonElement>('button', { name: 'Attach' })).disabled,
    ).toBe(false);
  });

  it.each([
    ['was started without it', { detacher: 'nohup' }],
    ['was written by no launch of ours', { detacher: '' }],
    ['is over', { status: over }],
    ['has lost its keeper', { status: { kind: 'running', lacksKeeper: true } }],
  ] as const)('is not offered where the run %s', async (_why, part) => {
    await show(known(sampleRun(part)));
    expect(screen.queryByRole('button', { name: 'Attach' })).toBeNull();
    cleanup();
    runOpened(boxId, RUN.id);
    await show(known(sampleRun(part)));
    await screen.findByRole('heading', { name: 'baseline' });
    expect(screen.queryByRole('button', { name: 'Attach' })).toBeNull();
  });

  it('waits for the connection', async () => {
    await show(known(RUN), DOWN);
    expect(button('Attach').disabled).toBe(true);
  });
});

describe('a run that was launched over what blocked it', () => {
  it('says so on its page', async () => {
    const over = [{ title: 'Disk\u202E space', says: 'The disk is full.' }];
    runOpened(boxId, RUN.id);
    await show(known(sampleRun({ overridden: over })));
    const note = await screen.findByRole('region', { name: 'Launched anyway' });
    expect(note.textContent).toContain('Disk space: The disk is full.');
    cleanup();
    runOpened(boxId, RUN.id);
    await show(known(RUN));
    expect(screen.queryByRole('region', { name: 'Launched anyway' })).toBeNull();
  });
});

it('tells on its page which code a run was given', async () => {
  const code = { tree: 'a1b2c3d4e5f6'.repeat(5), commit: '0123456789abcdef', isDirty: true };
  runOpened(boxId, RUN.id);
  await show(known(sampleRun({ code })));
  expect((await screen.findByText(/with changes in no commit/)).textContent).toBe(
    'commit 0123456789ab with changes in no commit, tree a1b2c3d4e5f6',
  );
  cleanup();
  runOpened(boxId, RUN.id);
  await show(known(sampleRun({ code: { ...code, commit: null, isDirty: false } })));
  await screen.findByText(/from no git repository/);
});

it('offers to go on with what a restart has cut off, and says what that does (GEN6)', async () => {
  const lost = { kind: 'lost', because: 'restart' } as const;
  const turn = (id: string, next: string | null, status: RunStatus) =>
    sampleRun({ id, name: 'grid', status, queue: { id: 'r-1', next } });
  await show(known(turn('r-2', null, lost), turn('r-1', 'r-2', lost)));
  // Of a chain the newest run alone.
  const offers = screen.getAllByRole('region', { name: 'Resume grid' });
  expect(offers).toHaveLength(1);
  expect(offers[0]?.textContent).toContain('was cut off by a restart of the box.');
  expect(offers[0]?.textContent).toContain('What has finished does not run again.');
  bridge.answer('runs:plan-resume', err(problem('run-not-resumed', 'Every cell has run.')));
  await click('Resume queue…');
  expect(await screen.findByText(/Every cell has run/)).toBeTruthy();
  expect(bridge.callsTo('runs:plan-resume')).toEqual([{ boxId, id: 'r-2' }]);
  cleanup();
  await show(known(turn('r-1', null, { kind: 'ended', exitCode: 143, atMs: NOW_MS })));
  expect(screen.queryByRole('region', { name: 'Resume grid' })).toBeNull();
});

it('leaves it to the cells of a queue how their copies stand, also once it has failed', async () => {
  const failed = { kind: 'failed', exitCode: 1, atMs: NOW_MS, lacksSuccessLine: false } as const;
  const queue = { id: 'r-1', next: null };
  runOpened(boxId, 'r-1');
  await show(known(sampleRun({ id: 'r-1', status: failed, queue, copyTo: '/kept' })));
  expect(plain()).toContain('/kept, a folder for each cell that has succeeded');
  expect(plain()).not.toContain('none: it did not succeed');
});

it('lets a person say that the machine is gone which launched it, and says what that means', async () => {
  const run = sampleRun({ status: { kind: 'elsewhere', machine: 'node-2' } });
  runOpened(boxId, run.id);
  await show(known(run));
  const note = await screen.findByRole('region', { name: 'Launched on another machine' });
  expect(note.textContent).toContain('only node-2 can tell whether it is still running.');
  expect(note.textContent).not.toContain('said to be gone');
  await click('That machine is gone…');
  const dialog = screen.getByRole('alertdialog', { name: 'Is node-2 gone for good?' });
  expect(dialog.textContent).toContain('nobody has seen it end');
  expect(dialog.textContent).toMatch(/does not watch its results\.\s+Its log last grew .*\d/);
  expect(bridge.callsTo('runs:machine-gone')).toEqual([]);
  bridge.answer('runs:machine-gone', err(problem('machine-not-gone', 'It is alive on gpu-2.')));
  await click('It is gone');
  expect(await screen.findByText(/It is alive on gpu-2/)).toBeTruthy();
  const lost = { kind: 'lost', because: 'machine-gone', machine: 'node-2', saidAtMs: 1 } as const;
  bridge.answer('runs:machine-gone', ok({ ...known({ ...run, status: lost }), atMs: NOW_MS }));
  await click('It is gone');
  await screen.findByText('Lost: machine node-2 said to be gone');
  const asked = { boxId, id: run.id, machine: 'node-2' };
  expect(bridge.callsTo('runs:machine-gone')).toEqual([asked, asked]);
  expect(plain()).toContain('node-2, said to be gone for good');
  expect(screen.getByText('End').nextElementSibling?.textContent).toBe('not seen');
  expect(screen.getByRole('region', { name: 'Resume baseline' }).textContent).toContain(
    'was launched on node-2, which was said to be gone for good.',
  );
  cleanup();
  useLaunchView.setState({}, true);
  runOpened(boxId, run.id);
  await show(known({ ...run, status: { ...run.status, doubt: 'denied' } as RunStatus }));
  expect(plain()).toContain('which does not count: what the run writes has changed since');
});

it('offers the identical command again, on the list and on its page, until that is declined on the box', async () => {
  const run = sampleRun({ status: { kind: 'cut-off', exitCode: 143, atMs: NOW_MS } });
  await show(known(run));
  const offer = screen.getByRole('region', { name: 'Resume baseline' });
  expect(offer.textContent).toContain('was asked to end by the box (SIGTERM)');
  expect(offer.textContent).toContain('runs the identical command again in the same folder');
  bridge.answer('runs:decline-resume', err(problem('run-not-declined', 'The disk is full.')));
  await click('Don’t resume');
  expect(await screen.findByText(/The disk is full/)).toBeTruthy();
  const declined = { ...known({ ...run, isDeclined: true as const }), atMs: NOW_MS };
  bridge.answer('runs:decline-resume', ok(declined));
  await click('Don’t resume');
  await vi.waitFor(() =>
    expect(screen.queryByRole('region', { name: 'Resume baseline' })).toBeNull(),
  );
  expect(bridge.callsTo('runs:decline-resume')).toEqual([
    { boxId, id: run.id },
    { boxId, id: run.id },
  ]);
  cleanup();
  useLaunchView.setState({}, true);
  runOpened(boxId, run.id);
  await show(known(run));
  await screen.findByRole('region', { name: 'Resume baseline' });
  bridge.answer('runs:plan-resume', err(problem('run-not-resumed', 'Its job.sh is gone.')));
  await click('Resume run…');
  expect(await screen.findByText(/Its job.sh is gone/)).toBeTruthy();
});

it('says on its page what went before it and after it, and offers nothing where nobody cut it off', async () => {
  const failed: RunStatus = {
    ...{ kind: 'failed', exitCode: 1, atMs: NOW_MS },
    lacksSuccessLine: false,
  };
  const first = sampleRun({ status: failed, again: { id: RUN.id, next: 'r-2' } });
  const second = sampleRun({ id: 'r-2', status: failed, again: { id: RUN.id, next: null } });
  runOpened(boxId, 'r-2');
  await show(known(second, first));
  await screen.findByRole('button', { name: 'Resume run…' });
  expect(screen.queryByRole('region', { name: 'Resume baseline' })).toBeNull();
  await click('Show that run');
  await screen.findByRole('button', { name: 'Show the next run' });
  expect(screen.queryByRole('button', { name: 'Resume run…' })).toBeNull();
});

describe('launched runs', () => {
  it('are told with how they stand, above what was merely seen', async () => {
    await show(known(sampleRun({ name: 'base\u202Eline\u0007<b>' })));
    const line = screen.getByRole('listitem', { name: 'baseline<b>' });
    expect(line.querySelector('b')).toBeNull();
    const words = line.textContent.replace(/[\u202f\u00a0]/g, ' ');
    for (const each of [
      'Running',
      'started 1 h ago',
      'python train.py --lr 0.1',
      '/home/me/work',
      'running for 1 h',
      'log: 1.2 MB, written 4 s ago',
    ]) {
      expect(words).toContain(each);
    }
    expect(line.querySelector('svg')?.dataset['tone']).toBe('ok');
    expect(plain()).toContain('1 launched runseen 5 s ago');
    // What was merely seen takes one line below them, while nothing was.
    expect(screen.queryByRole('heading', { name: /has not been checked/ })).toBeNull();
    const seen = screen.getByText('Not checked');
    expect(line.compareDocumentPosition(seen)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('tell how far they are, where they run and their log counts', async () => {
    await show(
      known(sampleRun(), sampleRun({ id: 'over', status: { kind: 'never-started' } })),
      ENTRY,
      {
        ...NO_RUN_METRICS,
        position: {
          unit: 'step',
          done: 30,
          total: 120,
          isOfRound: false,
          epoch: null,
          perS: 2,
          slowdown: { firstPerS: 3, nowPerS: 2, firstMs: 240_000, nowMs: 60_000 },
          end: { fromMs: NOW_MS + 45_000, toMs: NOW_MS + 45_000 },
          atMs: NOW_MS,
        },
      },
    );
    const bars = await screen.findAllByRole('progressbar');
    expect(bars.map((bar) => bar.getAttribute('aria-valuetext'))).toEqual(['Step 30 of 120']);
    expect((await screen.findByText(/^45.s left/)).textContent).toContain('ends about');
    // A run of one unit a third slower than it was: throttling has no other sign in a log (U23).
    const slower = await screen.findByText(/slower than/);
    expect(slower.textContent.replace(/[\u202f\u00a0]/g, ' ')).toContain(
      '33 % slower than in the first 4 min that were followed: 3 steps/s then, 2 steps/s in the last 1 min.',
    );
    expect(screen.getByRole('link', { name: 'More in the Handbook' })).toBeTruthy();
  });

  const ended = { exitCode: 0, atMs: NOW_MS - 60_000, lacksSuccessLine: false };
  it.each<[RunStatus, string, string]>([
    [{ kind: 'starting' }, 'Starting', 'wait'],
    [{ kind: 'running', lacksKeeper: true }, 'Running (unattended)', 'warn'],
    [{ kind: 'done', ...ended }, 'Done', 'ok'],
    [{ kind: 'failed', ...ended, exitCode: 3 }, 'Failed (exit 3)', 'danger'],
    [{ kind: 'failed', ...ended, exitCode: null }, 'Failed (exit code unknown)', 'danger'],
    [{ kind: 'failed', ...ended, exitCode: 137 }, 'Failed (exit 137, SIGKILL)', 'danger'],
    [
      { kind: 'failed', ...ended, lacksSuccessLine: true },
      'Failed (no success text in the log)',
      'danger',
    ],
    [{ kind: 'ended', exitCode: null, atMs: NOW_MS - 60_000 }, 'Ended by you', 'off'],
    [{ kind: 'never-started' }, 'Never started', 'warn'],
    [{ kind: 'lost', because: 'restart' }, 'Lost: the box restarted', 'danger'],
    [{ kind: 'lost', because: 'killed' }, 'Lost: killed', 'danger'],
    [{ kind: 'elsewhere', machine: 'gpu-1' }, 'Launched on gpu-1', 'unknown'],
    [{ kind: 'unreadable', because: 'no plan' }, 'Unreadable', 'unknown'],
  ])('say how they stand: %o', async (status, words, tone) => {
    await show(known(sampleRun({ status })));
    const [mark] = screen.getAllByText(words);
    expect(mark?.querySelector('svg')?.dataset['tone']).toBe(tone);
    expect(mark?.title).not.toBe('');
    const line = screen.getByRole('listitem').textContent.replace(/[\u202f\u00a0]/g, ' ');
    if ('atMs' in status) expect(line).toContain('ended 1 min ago');
    if ('atMs' in status) expect(line).toContain('ran for 59 min');
    if (status.kind === 'lost') expect(line).toContain('ran for an unrecorded time');
  });

  it('does not say that a run runs where the box is not connected', async () => {
    await show(known(RUN), DOWN);
    expect(plain()).toContain('Running when last seen');
    expect(plain()).toContain('last seen 5 s ago');
    expect(plain()).toContain('running for at least 59 min');
    expect(bridge.callsTo('runs:look')).toEqual([]);
    expect(button('Check again').disabled).toBe(true);
  });

  it('keeps what is known when a look fails, and says why and from when it is', async () => {
    await show({ ...known(RUN), problem: problem('command-timeout', 'Too slow.') });
    expect(plain()).toContain('Too slow.');
    expect(plain()).toContain('last seen 5 s ago');
    expect(plain()).toContain('Running when last seen');
  });

  it('looks when it is shown, and again when asked', async () => {
    await show(known(RUN));
    expect(bridge.callsTo('runs:look')).toEqual([{ boxId }]);
    bridge.answer('runs:look', ok({ ...known(sampleRun({ name: 'newer' })), atMs: NOW_MS }));
    await click('Check again');
    await screen.findByRole('listitem', { name: 'newer' });
    bridge.answer('runs:look', err(problem('link-lost', 'The link was lost.')));
    await click('Check again');
    expect((await screen.findByRole('alert')).textContent).toContain('The link was lost.');
  });

  it('have those that go on above those that are over, each of these one line that opens it', async () => {
    const done = sampleRun({ id: 'r-9', name: 'newest', status: { kind: 'done', ...ended } });
    const alive = sampleRun({ id: 'r-1', name: 'oldest' });
    await show(known(done, alive));
    const lines = screen.getAllByRole('listitem');
    expect(lines.map((line) => line.querySelector('button')?.textContent)).toEqual([
      'oldest',
      'newest',
    ]);
    expect(lines.map((line) => line.children.length > 1)).toEqual([true, false]);
    const ended1 = screen.getByRole('list', { name: '1 ended run' });
    expect(ended1.contains(lines[1] ?? null)).toBe(true);
    await click('newest');
    await screen.findByRole('heading', { name: 'newest' });
  });

  it('say what one that lives has cost and will cost, where a price is set', async () => {
    await show(known(RUN));
    expect(screen.getByRole('listitem').textContent).not.toContain('cost');
    const boxes = { [boxId]: sampleMeter() };
    act(() => useMeter.setState({ kind: 'live', state: { boxes } }, true));
    expect(screen.getByRole('listitem').textContent).toMatch(/cost: about \$/);
  });

  it('folds those that are over behind the newest five', async () => {
    const over = Array.from({ length: 8 }, (_, at) =>
      sampleRun({ id: `r-${at}`, name: `over ${at}`, status: { kind: 'done', ...ended } }),
    );
    await show({
      ...known(...over, sampleRun({ name: 'old but alive' })),
      leftOut: 2,
      behind: 'r-6',
    });
    const fold = screen.getByText('3 older runs').closest('details');
    expect(fold?.open).toBe(false);
    expect(fold?.querySelectorAll('li')).toHaveLength(3);
    expect(fold?.textContent).not.toContain('old but alive');
    expect(plain()).toContain('2 older runs on this box are over and not shown.');
    expect(screen.getByText(/^runs list \S+ --before r-6$/)).toBeTruthy();
  });

  it('shows nothing where there is none, but how to begin one', async () => {
    await show(known());
    expect(screen.queryByText(/launched run/)).toBeNull();
    expect(button('Launch…').disabled).toBe(false);
  });
});

describe('one launched run', () => {
  async function openRun(run = RUN, entry = ENTRY, queue = NO_QUEUE): Promise<void> {
    await show(known(run), entry, NO_RUN_METRICS, queue);
    await click('baseline');
    await screen.findByRole('heading', { name: 'baseline' });
  }

  it('opens by the keyboard in place of the list, and the focus comes back', async () => {
    await show(known(RUN));
    button('baseline').focus();
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('heading', { name: 'baseline' })).toBeDefined();
    // Once the page is there: an effect, which may run after what finds the heading.
    await vi.waitFor(() => expect(document.activeElement).toBe(button('All runs')));
    const log = await screen.findByRole('region', { name: 'Log of baseline' });
    expect(log.textContent).toContain('epoch 2');
    expect(bridge.callsTo('stream:open')).toContainEqual({
      stream: 'run-log',
      key: `${boxId} ${RUN.id}`,
    });
    expect(plain()).toContain(RUN.place);
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(button('baseline'));
  });

  it('is ended only after a yes that says what happens, with the focus on the safe button', async () => {
    await openRun();
    await click('End run…');
    const dialog = within(screen.getByRole('alertdialog', { name: 'End “baseline”?' }));
    for (const words of ['asks the run', 'by force', 'cannot be undone']) {
      expect(dialog.getByText(new RegExp(words))).toBeDefined();
    }
    expect(document.activeElement?.textContent).toBe('Keep it running');
    expect(bridge.callsTo('runs:end')).toEqual([]);
    bridge.answer('runs:end', err(problem('command-timeout', 'It did not answer.')));
    await click('End run');
    expect((await screen.findByRole('alert')).textContent).toContain('It did not answer.');
    const gone = sampleRun({ status: { kind: 'ended', exitCode: null, atMs: NOW_MS } });
    bridge.answer('runs:end', ok({ ...known(gone), atMs: NOW_MS }));
    await click('End run');
    expect(bridge.callsTo('runs:end')).toEqual([
      { boxId, id: RUN.id },
      { boxId, id: RUN.id },
    ]);
    await vi.waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(plain()).toContain('Ended by you');
    expect(screen.queryByRole('button', { name: 'End run…' })).toBeNull();
  });

  it('lists its results, only what is in view of them, and says where there are more', async () => {
    await openRun();
    const files = Array.from({ length: 700 }, (_, at) => ({
      path: at === 0 ? 'a\u202E\n<b>.pt' : `out/${at}.pt`,
      bytes: 1_000_000,
      modifiedAtMs: NOW_MS - 120_000,
    }));
    bridge.answer('runs:interruptions', ok({ count: 0, watchedMs: 0, fixedEnd: null }));
    bridge.answer(
      'runs:results',
      ok({
        atMs: NOW_MS,
        folder: '/home/me/work/out',
        files,
        others: [],
        isCut: true,
        grainMs: 50,
        tellsWrites: true,
      }),
    );
    await click('Show results');
    expect(bridge.callsTo('runs:results')).toEqual([{ boxId, id: RUN.id }]);
    const table = await within(screen.getByRole('region', { name: 'Results' })).findByRole('table');
    expect(table.getAttribute('aria-rowcount')).toBe('701');
    expect(within(table).getAllByRole('row').length).toBeLessThan(100);
    const words = within(table).getAllByRole('row')[1]?.textContent;
    expect(words?.replace(/[\u202f\u00a0]/g, ' ')).toBe('a <b>.pt1.0 MB2 min ago Listed only');
    expect(plain()).toContain('700 files');
    expect(plain()).toContain('only a part of them');
    bridge.answer('runs:results', err(problem('no-such-file', 'There is no such folder.')));
    await click('List again');
    await screen.findByRole('heading', { name: 'There is no such folder.' });
    bridge.answer(
      'runs:results',
      ok({
        atMs: NOW_MS,
        folder: '/o',
        files: [],
        others: [],
        isCut: false,
        grainMs: 50,
        tellsWrites: true,
      }),
    );
    await click('Try again');
    await screen.findByRole('heading', { name: /No files/ });
    await click('Hide results');
    expect(screen.queryByRole('region', { name: 'Results' })).toBeNull();
  });

  it('offers nothing that needs the link without it', async () => {
    await openRun(sampleRun({ results: null }), DOWN);
    expect(button('Show results').title).toBe('Connect to the box first');
    expect(button('Show results').disabled).toBe(true);
    expect(button('End run…').disabled).toBe(true);
    expect(button('End run…').title).toBe('Connect to the box first');
  });

  it('says so where the box does not have it', async () => {
    useLaunchView.setState({}, true);
    runOpened(boxId, 'r-gone');
    await show(known(RUN));
    expect(await screen.findByRole('heading', { name: /is not on the box/ })).toBeDefined();
    await click('All runs');
    expect(button('baseline')).toBeDefined();
  });

  it('of a queue shows the log of a cell in place of its own, and the focus comes back', async () => {
    const cell = (name: string) => ({ name, command: `run ${name}`, isCommented: false });
    const queue: QueueView = {
      ...NO_QUEUE,
      atMs: NOW_MS,
      cells: [cell('a\u202E'), cell('b')],
      marks: { 1: { beganAtMs: NOW_MS - 60_000, times: 1, end: null } },
    };
    await openRun(sampleRun({ queue: { id: RUN.id, next: null } }), ENTRY, queue);
    await screen.findByRole('region', { name: 'Log of baseline' });
    expect(screen.queryByRole('button', { name: 'b' })).toBeNull();
    const row = await screen.findByRole('button', { name: 'a' });
    row.focus();
    await user.keyboard('{Enter}');
    const log = await screen.findByRole('region', { name: 'Log of cell 1, a' });
    expect(log.textContent).toContain('epoch 2');
    expect(screen.queryByRole('region', { name: 'Log of baseline' })).toBeNull();
    expect(bridge.callsTo('stream:open')).toContainEqual({
      stream: 'run-log',
      key: `${boxId} ${RUN.id} 1`,
    });
    expect(document.activeElement).toBe(button('Log of the queue'));
    expect(row.getAttribute('aria-expanded')).toBe('true');
    await user.keyboard('{Enter}');
    await screen.findByRole('region', { name: 'Log of baseline' });
    expect(document.activeElement).toBe(row);
  });

  it('asks how it stands once its log is complete', async () => {
    await openRun();
    const before = bridge.callsTo('runs:look').length;
    await act(async () => {
      bridge.publish('run-log', [{ state: 'whole' }]);
      await Promise.resolve();
    });
    expect(bridge.callsTo('runs:look')).toHaveLength(before + 1);
    expect(plain()).toContain('Complete');
  });
});
