import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  NO_PATROL,
  type GoneRun,
  type PatrolState,
  type SeenRun,
} from '../../../shared/patrol/patrol-state.ts';
import { sampleGotcha } from '../../../shared/gotchas/catalog.fixture.ts';
import { problem } from '../../../shared/problem.ts';
import { err, ok } from '../../../shared/result.ts';
import { sampleEntry, SEEN_MS } from '../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { useFleet } from '../../state/feeds.ts';
import { useView } from '../../state/view.ts';
import { createStreamClient } from '../../state/stream-client.ts';
import { StreamProvider } from '../../state/stream-context.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { NO_LAUNCHED_RUNS } from '../../../shared/runs/launch/launched-run.ts';
import { sampleRun } from './launch/launch.fixture.ts';
import { RunsTab } from './runs-tab.tsx';

const A = '11111111-1111-4111-8111-111111111111';
const ENTRY = sampleEntry({}, { id: A, name: 'train-a' });
const UP = { ...ENTRY, link: { kind: 'up', sinceMs: 0, latencyMs: 2 } } as const;

const RUN: SeenRun = {
  bootId: 'b1',
  pid: 41,
  startTicks: 500,
  command: 'python train.py --lr 0.1\u202E\u0007<b>',
  folder: '/work',
  user: 'me',
  sinceMs: SEEN_MS - 3_600_000,
  holdsGpu: true,
  survivesHangup: true,
  tmuxSession: null,
  isUnbuffered: false,
  log: {
    path: '/work/train.log',
    isDeleted: false,
    writtenAtMs: SEEN_MS - 4000,
    bytes: 2_000_000,
    lastLines: ['epoch 6 loss 0.33', 'epoch 7 loss 0.31'],
  },
  checkpoint: { path: '/work/out/step-7.pt', writtenAtMs: SEEN_MS - 600_000 },
};
const GONE: GoneRun = {
  key: '40/400 1',
  bootId: 'b1',
  pid: 40,
  startTicks: 400,
  command: 'python eval.py',
  folder: '/work',
  user: 'me',
  holdsGpu: true,
  sinceMs: SEEN_MS - 7_200_000,
  lastSeenMs: SEEN_MS - 300_000,
  missedMs: SEEN_MS,
  cause: 'disk-full',
  failure: 'disk-full',
  alike: [],
  twins: [],
  tmuxSession: null,
  workedUntilMs: null,
  log: null,
  lastLines: [],
  checkpoint: null,
  steps: [
    { cause: 'reboot', verdict: 'ruled-out', because: 'the boot id is the same' },
    { cause: 'disk-full', verdict: 'proven', because: 'OSError: [Errno 28]\u0007 <script>' },
    { cause: 'hang-up', verdict: 'not-proven', because: 'whether it heard it is not known' },
  ],
};
const SEEN: PatrolState = {
  phase: { kind: 'waiting', nextAtMs: SEEN_MS + 181_000, pace: 'usual' },
  seen: {
    atMs: SEEN_MS - 119_000,
    took: { ms: 840, bytes: 5200 },
    uptimeS: 900,
    isWhole: true,
    runs: [RUN],
    memoryShare: 0.5,
    unread: [{ what: 'All processes', because: 'the box told only a part' }],
  },
  judged: null,
  failed: null,
  gone: [],
};

/** What is to be done about a full disk stands in another entry. */
const ENTRIES = [
  sampleGotcha({ id: 'U6', fix: ['Make room'] }),
  sampleGotcha({
    id: 'U3',
    alert: {
      short: 'run gone',
      commands: [],
      says: {
        'disk-full': {
          short: null,
          headline: 'Run crashed: the disk was full.',
          means: null,
          fix: [{ of: 'U6', step: 1 }],
        },
        'not-proven': {
          short: null,
          headline: 'Run stopped – cause unknown.',
          means: null,
          fix: null,
        },
      },
      phrases: {},
    },
  }),
];

/** What the tab loads by itself, a moment later. */
const LATE_PARTS = Promise.all([
  import('./sentinels/sentinels-section.tsx'),
  import('./sentinels/tell-me.tsx'),
]);

async function show(
  state: PatrolState | null,
  part = <RunsTab entry={ENTRY} />,
  launched = NO_LAUNCHED_RUNS,
): Promise<FakeBridge> {
  const bridge = openTestWindow([ENTRY]);
  bridge.serve('launched-runs', launched);
  const all = ENTRIES.map((gotcha) => ({ gotcha, origin: 'shipped' as const, own: null }));
  bridge.answer('gotchas:list', ok({ ownFolder: '', all, faults: [] }));
  if (state !== null) bridge.serve('patrol', state);
  const client = createStreamClient(bridge);
  await act(async () => {
    render(<StreamProvider value={client}>{part}</StreamProvider>);
    await LATE_PARTS;
  });
  return bridge;
}
const plain = (): string => document.body.textContent.replace(/[\u202f\u00a0]/g, ' ');

beforeEach(() => void vi.useFakeTimers({ now: SEEN_MS + 1000, toFake: ['Date'] }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('the Runs tab', () => {
  it('keeps what a person fills in when the first patrol comes', async () => {
    const bridge = await show({ ...SEEN, seen: null });
    await userEvent.click(await screen.findByRole('button', { name: 'New watch…' }));
    const field = await screen.findByLabelText('Tell me when');
    act(() => bridge.publish('patrol', [SEEN]));
    await screen.findByRole('article');
    expect(field.isConnected).toBe(true);
  });

  it.each([SEEN.phase, { kind: 'off' } as const])(
    'has the way to launch another also before the first patrol: $kind',
    async (phase) => {
      const known = { ...NO_LAUNCHED_RUNS, atMs: SEEN_MS, runs: [sampleRun()] };
      await show({ ...SEEN, seen: null, phase }, undefined, known);
      expect(screen.getByRole('listitem', { name: 'baseline' })).toBeDefined();
      expect(screen.getByRole('button', { name: 'Launch…' })).toBeDefined();
    },
  );

  it('tells a launched run once, and beside it only the others', async () => {
    const launched = sampleRun();
    const log = { ...RUN.log!, path: `${launched.place}/log` };
    const known = { ...NO_LAUNCHED_RUNS, atMs: SEEN_MS, runs: [launched] };
    const seen = { ...SEEN.seen!, runs: [RUN, { ...RUN, pid: 77, log }] };
    await show({ ...SEEN, seen }, undefined, known);
    expect(screen.getAllByRole('article')).toHaveLength(1);
    expect(plain()).toContain('1 other run seen');
    cleanup();
    await show({ ...SEEN, seen: { ...seen, runs: [{ ...RUN, log }] } }, undefined, known);
    expect(screen.queryByRole('article')).toBeNull();
    expect(screen.getByRole('listitem', { name: 'baseline' })).toBeDefined();
    expect(plain()).not.toContain('No runs');
    expect(screen.getByRole('button', { name: 'Launch…' })).toBeDefined();
  });

  it('tells each run with the age of what is known, and shows nothing that the box made up', async () => {
    await show(SEEN);
    const run = screen.getByRole('article', { name: 'python train.py --lr 0.1<b>' });
    expect(run.querySelector('b')).toBeNull();
    expect(plain()).toContain('Checked 2 min ago, took 0.8 s, 5.2 kB · next in 3 min');
    expect(plain()).toContain('1 run seen 2 min ago');
    for (const words of ['holds a GPU', 'detached', 'epoch 7 loss 0.31', 'buffered, so it lags']) {
      expect(plain()).toContain(words);
    }
    expect(plain()).toContain('Running for1 h');
    expect(plain()).toContain('All processes: the box told only a part.');
  });

  it('says plainly that reports pause while the app is closed (U18)', async () => {
    await show(SEEN);
    expect(plain()).toContain('Reports and alerts pause while Leasehold is closed');
  });

  it.each([
    [{ survivesHangup: false }, 'would die with its SSH session'],
    [{ survivesHangup: null }, 'may end with its SSH session'],
    [{ survivesHangup: null, tmuxSession: 'main' }, 'in tmux'],
  ])('says whether a run outlives its session: %o', async (part, words) => {
    await show({ ...SEEN, seen: { ...SEEN.seen!, runs: [{ ...RUN, ...part }] } });
    expect(plain()).toContain(words);
  });

  it('walks the ladder of a run that is gone, with what to do, and takes it out when asked', async () => {
    const bridge = await show({ ...SEEN, gone: [GONE] });
    const gone = within(
      await screen.findByRole('article', { name: /Run crashed: the disk was full/ }),
    );
    const [rungs, others] = gone.getAllByRole('list', { hidden: true });
    const [first, second] = within(rungs!).getAllByRole('listitem');
    expect(first?.textContent).toBe(
      ' confirmedthe disk was fullits log ends with: OSError: [Errno 28] <script>',
    );
    expect(second?.textContent).toContain('possible');
    expect(plain()).toContain('1 other cause ruled out');
    expect(others?.textContent).toContain('ruled outthe box was rebooted');
    expect(await gone.findByRole('link', { name: /^Handbook: \S/ })).toBeTruthy();
    expect(plain()).toContain('Make room');
    const user = userEvent.setup({ delay: null });
    bridge.answer('patrol:dismiss', err(problem('disk-full', 'It was not kept.')));
    await user.click(gone.getByRole('button', { name: 'Dismiss: python eval.py' }));
    expect(bridge.callsTo('patrol:dismiss')).toEqual([{ boxId: A, key: GONE.key }]);
    expect((await screen.findByRole('alert')).textContent).toContain('It was not kept.');
  });

  it('begins an entry of the person’s own with what the ladder rests on', async () => {
    const bridge = await show({ ...SEEN, gone: [GONE] });
    bridge.answer('gotchas:draft', err(problem('internal', 'No.')));
    await screen.findByText('Run crashed: the disk was full');
    const user = userEvent.setup({ delay: null });
    await user.click(screen.getByRole('button', { name: 'Save to Handbook…' }));
    expect(bridge.callsTo('gotchas:draft')).toEqual([
      {
        text: 'OSError: [Errno 28]\u0007 <script>',
        headline: 'Run crashed: the disk was full',
        severity: 'critical',
        platform: ENTRY.box.platform,
        beside:
          'Command: python eval.py\npossible, its SSH session closed: whether it heard it is not known',
        takenFor: 'U3',
      },
    ]);
  });

  it('names a run once, by its tmux session or its configuration, and its command beside it', async () => {
    const named = { ...RUN, command: 'python train.py --config cfg/large.yaml' };
    await show({
      ...SEEN,
      seen: { ...SEEN.seen!, runs: [named, { ...RUN, pid: 42, tmuxSession: 'llama\u202e-ft' }] },
    });
    const heads = screen.getAllByRole('article').map((each) => within(each).getByRole('heading'));
    expect(heads.map((each) => each.textContent)).toEqual([
      'large python train.py --config cfg/large.yaml',
      'llama-ft python train.py --lr 0.1<b>',
    ]);
  });

  it('attaches to the tmux session of a run, or says that it is gone', async () => {
    const runs = [{ ...RUN, tmuxSession: 'train' }];
    const bridge = await show({ ...SEEN, seen: { ...SEEN.seen!, runs } });
    act(() => useFleet.setState({ kind: 'live', state: { entries: [UP] } }, true));
    bridge.answer('tmux:list', ok({ kind: 'installed', sessions: [], leftOut: 0 }));
    const user = userEvent.setup({ delay: null });
    await user.click(screen.getByRole('button', { name: 'Attach' }));
    expect(bridge.callsTo('tmux:list')).toEqual([{ boxId: A }]);
    expect(useView.getState().failures.map(({ message }) => message)).toEqual([
      'The tmux session “train” is not on the box any more.',
    ]);
  });

  it('has live runs on top and each ended one on a line, the newest crash opened with how to resume', async () => {
    const crash = {
      ...GONE,
      workedUntilMs: SEEN_MS - 60_000,
      lastLines: ['step 90', 'OSError: [Errno 28]\u0007'],
      checkpoint: { path: '/work/out/step-80.pt', writtenAtMs: SEEN_MS - 360_000 },
    };
    const older = { ...GONE, key: '39/390 1', pid: 39, cause: null };
    await show({ ...SEEN, gone: [crash, older] });
    await screen.findByText('Run crashed: the disk was full');
    const [live, first, second] = screen.getAllByRole('article');
    expect(live?.textContent).toContain('train.py');
    expect(first?.querySelector('details')?.open).toBe(true);
    expect(second?.querySelector('details')?.open).toBe(false);
    const words = first?.textContent.replace(/[\u202f\u00a0]/g, ' ') ?? '';
    expect(words).toContain('step 90\nOSError: [Errno 28]');
    expect(words).toContain('Ran at least1 h 59 min');
    expect(words).toContain('step-80.pt, written 5 min before it was last seen at work');
    expect(within(first!).getByRole('button', { name: 'Copy its command' })).toBeDefined();
  });

  it('leads to the recovery handbook of the box', async () => {
    await show(SEEN);
    const user = userEvent.setup({ delay: null });
    await user.click(screen.getByRole('button', { name: 'Recovery handbook…' }));
    expect(useView.getState().overlay).toEqual({ kind: 'recovery', boxId: A });
  });

  it('says that the same command runs again, and that nothing is proven where nothing is', async () => {
    const again = { ...GONE, command: RUN.command, cause: null };
    await show({ ...SEEN, gone: [again] });
    expect(await screen.findByText('Run stopped – cause unknown')).toBeTruthy();
    expect(plain()).toContain('runs again in the same folder, as process 41.');
  });

  it('tells a patrol that failed as that, and keeps what was seen', async () => {
    const failed = {
      atMs: SEEN_MS,
      tookMs: 9,
      problem: problem('command-timeout', 'Too slow.'),
      times: 2,
    };
    await show({ ...SEEN, failed });
    expect(plain()).toContain('Check failed 1 s ago');
    expect(plain()).toContain('2 checks in a row failed, which says nothing about the runs');
    expect(screen.getByRole('article', { name: /train\.py/ })).toBeTruthy();
  });

  it('has a state for each way in which nothing was seen', async () => {
    const down = { ...ENTRY, link: { kind: 'idle' } } as const;
    const bridge = await show(NO_PATROL, <RunsTab entry={down} />);
    expect(screen.getByRole('heading', { name: 'Not checked yet' })).toBeTruthy();
    screen.getByRole('button', { name: 'Connect to check' }).click();
    expect(bridge.callsTo('link:connect')).toEqual([{ boxId: A }]);
    cleanup();
    await show({ ...NO_PATROL, phase: { kind: 'looking', sinceMs: SEEN_MS } });
    expect(screen.getByRole('status').textContent).toContain('Checking what runs');
    cleanup();
    const because = problem('exec-refused', 'It runs no commands.');
    await show({
      ...SEEN,
      seen: null,
      failed: { atMs: SEEN_MS, tookMs: 9, problem: because, times: 1 },
    });
    expect(screen.getByRole('heading', { name: 'It runs no commands.' })).toBeTruthy();
    cleanup();
    await show({ ...SEEN, seen: { ...SEEN.seen!, runs: [] } });
    expect(screen.getByRole('heading', { name: 'No runs' })).toBeTruthy();
    cleanup();
    await show({ ...SEEN, seen: { ...SEEN.seen!, runs: [], isWhole: false } });
    expect(screen.getByRole('heading', { name: 'The last check was incomplete' })).toBeTruthy();
    cleanup();
    await show(null);
    expect(plain()).toContain('no patrol here');
  });

  it('patrols now with a key, says so while it looks, and asks once', async () => {
    const bridge = await show(SEEN);
    const user = userEvent.setup({ delay: null });
    screen.getByRole('button', { name: 'Check now' }).focus();
    await user.keyboard('{Enter}');
    expect(bridge.callsTo('patrol:now')).toEqual([{ boxId: A }]);
    act(() => bridge.publish('patrol', [{ phase: { kind: 'looking', sinceMs: SEEN_MS } }]));
    const button = screen.getByRole('button', { name: 'Checking…' });
    expect(document.activeElement).toBe(button);
    await user.keyboard('{Enter}');
    expect(bridge.callsTo('patrol:now')).toHaveLength(1);
  });
});
