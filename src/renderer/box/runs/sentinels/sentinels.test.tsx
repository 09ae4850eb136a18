import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NO_PATROL, type SeenRun } from '../../../../shared/patrol/patrol-state.ts';
import { problem } from '../../../../shared/problem.ts';
import { err, ok } from '../../../../shared/result.ts';
import {
  DEFAULT_FOR_MS,
  NO_SENTINELS,
  type OverSentinel,
  type Sentinel,
  type SentinelsState,
} from '../../../../shared/sentinels/sentinel.ts';
import { sampleEntry, SEEN_MS } from '../../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../../state/fake-bridge.fixture.ts';
import { createStreamClient } from '../../../state/stream-client.ts';
import { StreamProvider } from '../../../state/stream-context.ts';
import { openTestWindow } from '../../../test-window.fixture.ts';
import { NewWatchDialog } from './new-watch-dialog.tsx';
import { SentinelsSection } from './sentinels-section.tsx';
import { TellMe } from './tell-me.tsx';

const A = '11111111-1111-4111-8111-111111111111';
const ID = '22222222-2222-4222-8222-222222222222';
const RUN: SeenRun = {
  bootId: 'b1',
  pid: 41,
  startTicks: 500,
  command: 'python train.py\u202e',
  folder: '/work',
  user: 'me',
  sinceMs: SEEN_MS,
  holdsGpu: true,
  survivesHangup: true,
  tmuxSession: null,
  isUnbuffered: null,
  log: { path: '/work/train.log', isDeleted: false, writtenAtMs: SEEN_MS, bytes: 1, lastLines: [] },
  checkpoint: { path: '/work/out/step-7.safetensors', writtenAtMs: SEEN_MS },
};
const LINE: Sentinel = {
  id: ID,
  awaited: { kind: 'line', path: '/work/train.log', text: 'early stop' },
  armedAtMs: SEEN_MS - 600_000,
  untilMs: SEEN_MS + DEFAULT_FOR_MS,
  base: { kind: 'line', inode: '5', offset: 9, print: 1 },
  machine: null,
  seen: {
    atMs: SEEN_MS - 20_000,
    isThere: true,
    writtenAtMs: SEEN_MS - 180_000,
    bytes: 2_000_000,
    files: null,
    path: null,
    unreadBytes: 0,
  },
  unread: null,
  restarted: null,
  gap: null,
};
const OVER: OverSentinel = {
  id: ID,
  awaited: LINE.awaited,
  armedAtMs: LINE.armedAtMs,
  untilMs: LINE.untilMs,
  end: 'happened',
  atMs: SEEN_MS - 60_000,
  before: { ...LINE.seen!, atMs: SEEN_MS - 4_000_000 },
  seen: LINE.seen,
  line: 'early stop at 7 <b>\u0007',
  because: '',
  gap: { fromMs: SEEN_MS - 4_000_000, toMs: SEEN_MS - 60_000 },
};
const LIVE: SentinelsState = {
  phase: { kind: 'waiting', nextAtMs: SEEN_MS + 40_000 },
  armed: [LINE],
  over: [],
  lookedAtMs: SEEN_MS - 20_000,
  failed: null,
};

async function show(
  state: SentinelsState | null,
  part = <SentinelsSection boxId={A} />,
  runs: readonly SeenRun[] = [RUN],
): Promise<FakeBridge> {
  const bridge = openTestWindow([sampleEntry({}, { id: A, name: 'train-a' })]);
  bridge.serve('sentinels', state);
  if (state === null) bridge.answer('stream:open', err(problem('no-such-box', 'It is gone.')));
  const seen = {
    atMs: SEEN_MS,
    took: null,
    uptimeS: 9,
    isWhole: true,
    runs,
    memoryShare: null,
    unread: [],
  };
  bridge.serve('patrol', { ...NO_PATROL, seen });
  const client = createStreamClient(bridge);
  await act(async () => {
    render(<StreamProvider value={client}>{part}</StreamProvider>);
    await Promise.resolve();
  });
  return bridge;
}
const plain = (): string => document.body.textContent.replace(/[\u202f\u00a0]/g, ' ');
const user = userEvent.setup({ delay: null });

beforeEach(() => void vi.useFakeTimers({ now: SEEN_MS, toFake: ['Date'] }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('says what is waited for, what was seen of it and when', async () => {
  await show(LIVE);
  const card = screen.getByRole('listitem', { name: '“early stop” is written to /work/train.log' });
  const words = (): string => plain();
  expect(words()).toContain('Checked 20 s ago · next in 40 s');
  expect(words()).toContain('not there · log written 3 min ago, 2.0 MB · until');
  expect(within(card).getByRole('button').textContent).toBe('Cancel');
});

it.each<[Partial<SentinelsState>, string]>([
  [{ phase: { kind: 'off' } }, 'Paused (not connected): unknown since the last check, 20 s ago'],
  [{ phase: { kind: 'off' }, lookedAtMs: null }, 'Paused (not connected): not checked'],
  [{ phase: { kind: 'off' } }, 'as it was 20 s ago'],
  [{ phase: { kind: 'looking', sinceMs: SEEN_MS } }, 'checking…'],
  [
    {
      failed: { atMs: SEEN_MS, times: 3, problem: problem('command-timeout', 'It was too slow.') },
    },
    '3 checks in a row failed: whether it happened is not known.',
  ],
  [
    { armed: [{ ...LINE, unread: { atMs: SEEN_MS, because: 'Permission denied' } }] },
    'The last check could not tell: Permission denied.',
  ],
  [
    { armed: [{ ...LINE, restarted: { fromMs: 0, toMs: SEEN_MS, how: 'reboot' } }] },
    'The box was rebooted, or is another machine now',
  ],
  [
    { armed: [{ ...LINE, gap: { fromMs: 0, toMs: SEEN_MS } }] },
    'such a line there cannot be ruled out',
  ],
  [{ armed: [{ ...LINE, seen: null }] }, 'not checked'],
  [{ armed: [] }, 'No watches.'],
])('has words for %o', async (part, words) => {
  await show({ ...LIVE, ...part });
  expect(plain()).toContain(words);
});

it('shows what came of it with what proves it, until the person is done with it', async () => {
  const bridge = await show({ ...LIVE, armed: [], over: [OVER] });
  const card = within(
    screen.getByRole('listitem', { name: '“early stop” was written to /work/train.log' }),
  );
  const readOut = document.querySelector('[aria-live="polite"]');
  expect(readOut?.textContent).toBe('“early stop” was written to /work/train.log');
  expect(card.getByLabelText('The line').textContent).toBe('early stop at 7 <b>');
  expect(plain()).toMatch(/It happened between .+ and .+, while no check could run\./);
  expect(plain()).toContain('could not be read, so such a line there cannot be ruled out.');
  bridge.answer('sentinels:remove', err(problem('disk-full', 'It was not kept.')));
  await user.click(card.getByRole('button', { name: /^Dismiss/ }));
  expect(bridge.callsTo('sentinels:remove')).toEqual([{ boxId: A, id: ID }]);
  expect((await screen.findByRole('alert')).textContent).toContain('It was not kept.');
});

it('says that it cannot be shown where there is no such box', async () => {
  await show(null);
  expect(screen.getByRole('heading', { name: 'It is gone.' })).toBeTruthy();
});

it('shows the dialog of a new watch before anything is known, and why where it cannot be had', async () => {
  const bridge = openTestWindow([sampleEntry({}, { id: A, name: 'train-a' })]);
  bridge.serve('sentinels', NO_SENTINELS);
  bridge.serve('patrol', NO_PATROL);
  const dialog = <NewWatchDialog boxId={A} run={null} onClose={() => undefined} />;
  render(<StreamProvider value={createStreamClient(bridge)}>{dialog}</StreamProvider>);
  const shown = within(screen.getByRole('dialog', { name: 'New watch' }));
  expect(shown.getByRole('status').textContent).toBe('Reading the watches…');
  const kind = await shown.findByLabelText('Tell me when');
  expect(document.activeElement).toBe(kind);
  cleanup();
  await show(null, dialog);
  expect(screen.getByRole('dialog', { name: 'New watch' }).textContent).toContain('It is gone.');
  expect(screen.queryByLabelText('Tell me when')).toBeNull();
});

it('arms by the keyboard what a run suggests, marks what is wrong, and says why it was refused', async () => {
  const bridge = await show(NO_SENTINELS);
  screen.getByRole('button', { name: 'New watch…' }).focus();
  await user.keyboard('{Enter}');
  const dialog = within(screen.getByRole('dialog', { name: 'New watch' }));
  const kind = dialog.getByLabelText('Tell me when');
  expect(document.activeElement).toBe(kind);
  expect(dialog.getByLabelText<HTMLSelectElement>('Which').selectedOptions[0]?.textContent).toBe(
    'python train.py (41)',
  );
  await user.selectOptions(kind, 'A line is written to a log');
  expect(dialog.getByLabelText<HTMLInputElement>('Log on the box').value).toBe('/work/train.log');
  await user.click(dialog.getByRole('button', { name: 'Tell me' }));
  expect(dialog.getByText('Say which text the line has.')).toBeTruthy();
  expect(bridge.callsTo('sentinels:arm')).toEqual([]);
  await user.type(dialog.getByLabelText('Text in the line'), 'early stop');
  await user.selectOptions(dialog.getByLabelText('Give up after'), '6 hours');
  bridge.answer('sentinels:arm', err(problem('bad-input', 'At most 12 things.')));
  await user.keyboard('{Tab}{Tab}{Enter}');
  expect((await dialog.findByRole('alert')).textContent).toContain('At most 12 things.');
  bridge.answer('sentinels:arm', ok(null));
  await user.click(dialog.getByRole('button', { name: 'Tell me' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(bridge.callsTo('sentinels:arm').at(-1)).toEqual({
    boxId: A,
    awaited: { kind: 'line', path: '/work/train.log', text: 'early stop' },
    forMs: 21_600_000,
  });
});

it.each([
  ['A file appears or changes', {}, { kind: 'file', path: '/work/DONE' }],
  [
    'A folder has so many files',
    {
      'How many files': '12',
      'Whose names end with': '.json',
      'In this folder on the box': '/ ',
    },
    { kind: 'count', folder: '/work', ending: '.json', atLeast: 12 },
  ],
  [
    'A new checkpoint, or another new file',
    {},
    { kind: 'newest', folder: '/work', ending: '.safetensors' },
  ],
])('asks for what “%s” needs, and no more', async (kind, typed, awaited) => {
  const bridge = await show(NO_SENTINELS);
  await user.click(screen.getByRole('button', { name: 'New watch…' }));
  await user.selectOptions(screen.getByLabelText('Tell me when'), kind);
  for (const [label, value] of Object.entries(typed)) {
    await user.type(screen.getByLabelText(label), value);
  }
  await user.click(screen.getByRole('button', { name: 'Tell me' }));
  expect(bridge.callsTo('sentinels:arm')).toEqual([{ boxId: A, awaited, forMs: DEFAULT_FOR_MS }]);
});

it('tells of a run’s end with two keys, and says that it does', async () => {
  const bridge = await show(NO_SENTINELS, <TellMe boxId={A} run={RUN} />);
  screen.getByRole('button', { name: 'Tell me when, of python train.py' }).focus();
  await user.keyboard('{Enter}{Enter}');
  const named = { bootId: RUN.bootId, pid: 41, startTicks: 500 };
  const awaited = { kind: 'process', ...named, name: 'python train.py' } as const;
  expect(bridge.callsTo('sentinels:arm')).toEqual([{ boxId: A, awaited, forMs: DEFAULT_FOR_MS }]);
  act(() => bridge.publish('sentinels', [{ armed: [{ ...LINE, awaited }] }]));
  expect(plain()).toContain('you are told when it ends');
});

it('is about the run that was chosen in the palette', async () => {
  const second = { ...RUN, pid: 42, startTicks: 501, command: 'python eval.py' };
  const dialog = <NewWatchDialog boxId={A} run="42/501" onClose={() => undefined} />;
  await show(NO_SENTINELS, dialog, [RUN, second]);
  const which = await screen.findByLabelText<HTMLSelectElement>('Which');
  expect(which.selectedOptions[0]?.textContent).toBe('python eval.py (42)');
});
