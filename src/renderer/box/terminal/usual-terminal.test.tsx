import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { TmuxListing, TmuxSession } from '../../../shared/terminal/terminal.ts';
import { usualSession } from '../../../shared/terminal/tmux.ts';
import { LINK_UP, sampleEntry } from '../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { overlayOpened, tabChosen, useView } from '../../state/view.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { TerminalTab } from './terminal-tab.tsx';
import { useTerminals } from './terminals-store.ts';
import { sessionOpened, terminalAdded } from './open-shell.ts';
import { openNextTerminal } from './usual-terminal.ts';

const { box } = sampleEntry();

const session = (name: string, part: Partial<TmuxSession> = {}): TmuxSession => ({
  ...{ id: `$${name.length}`, createdAtS: 100, name, windows: 1, attached: 0 },
  ...part,
});
const listed = (...sessions: readonly TmuxSession[]): Result<TmuxListing, Problem> =>
  ok({ kind: 'installed', sessions, leftOut: 0 });

function show(answer: Result<TmuxListing, Problem>): FakeBridge {
  const bridge = openTestWindow();
  // jsdom draws nothing, so no screen is ever measured.
  const fonts = { load: () => new Promise(() => undefined) };
  Object.defineProperty(document, 'fonts', { value: fonts, configurable: true });
  bridge.answer('tmux:list', answer);
  bridge.answer('terminal:open', err(problem('not-connected', 'There is no link right now.')));
  useTerminals.setState(useTerminals.getInitialState(), true);
  tabChosen(box.id, 'terminal');
  render(<TerminalTab entry={sampleEntry({ link: LINK_UP })} />);
  return bridge;
}
afterEach(cleanup);

const opened = (bridge: FakeBridge) =>
  bridge.callsTo('terminal:open').map((input) => (input as { target: unknown }).target);

const NO_TMUX: Result<TmuxListing, Problem> = ok({ kind: 'not-installed' });
const NO_COMMANDS: Result<TmuxListing, Problem> = err(problem('exec-refused', 'No commands.'));

it.each([
  ['a session of its own where there is none', listed(), { kind: 'new-tmux', name: 'work' }],
  [
    'the one that was made here',
    listed(session('train'), session('work')),
    { kind: 'tmux', session: { id: '$4', createdAtS: 100 } },
  ],
  [
    'a new one beside those of launched runs',
    listed(session('leasehold-r-1')),
    { kind: 'new-tmux', name: 'work' },
  ],
  ['a shell on a box without tmux', NO_TMUX, { kind: 'shell' }],
  ['a shell where no command runs', NO_COMMANDS, { kind: 'shell' }],
] as const)('a terminal opens at once on %s', async (_what, answer, target) => {
  const bridge = show(answer);
  await waitFor(() => expect(opened(bridge)).toEqual([target]));
  expect(bridge.callsTo('tmux:list')).toHaveLength(1);
});

it('opens one more shell where no command runs', async () => {
  const bridge = show(NO_COMMANDS);
  await waitFor(() => expect(opened(bridge)).toHaveLength(1));
  await openNextTerminal(box.id);
  expect(opened(bridge)).toEqual([{ kind: 'shell' }, { kind: 'shell' }]);
});

it('gives two that are opened quickly two names, before the box lists the first', async () => {
  const bridge = show(listed());
  await waitFor(() => expect(opened(bridge)).toHaveLength(1));
  await Promise.all([openNextTerminal(box.id), openNextTerminal(box.id)]);
  expect(opened(bridge)).toEqual(
    ['work', 'work-2', 'work-3'].map((name) => ({ kind: 'new-tmux', name })),
  );
});

it('offers the choice where the box does not tell its sessions, and opens nothing', async () => {
  const bridge = show(err(problem('command-timeout', 'The box did not answer.')));
  expect(await screen.findByText('The box did not answer.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'New shell' })).toBeDefined();
  expect(opened(bridge)).toEqual([]);
});

it('has the choice behind the arrow, and opens none anew once the last was closed', async () => {
  const bridge = show(listed());
  await screen.findByRole('tab');
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Choose a session or a shell' }));
  expect(await screen.findByText('No session runs on this box.')).toBeDefined();
  await user.click(screen.getByRole('tab'));
  await user.click(screen.getByRole('button', { name: 'Terminal actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Close terminal' }));
  expect(await screen.findByRole('button', { name: 'New shell' })).toBeDefined();
  expect(opened(bridge)).toHaveLength(1);
});

it('means the own session that nobody shows, the newest of them, and no run’s', () => {
  const sessions = [
    session('work', { attached: 1, createdAtS: 900 }),
    session('work-2', { createdAtS: 300 }),
    session('work-3', { createdAtS: 200 }),
    session('leasehold-r-2'),
  ];
  expect(usualSession(sessions)?.name).toBe('work-2');
  expect(usualSession([session('mine'), session('leasehold-r-2')])?.name).toBe('mine');
  expect(usualSession([session('a'), session('b')])).toBeNull();
});

it('is added from the palette to those that are open, and shown', async () => {
  const bridge = show(listed(session('work')));
  await waitFor(() => expect(opened(bridge)).toHaveLength(1));
  tabChosen(box.id, 'files');
  await act(() => terminalAdded(box.id));
  await act(() => sessionOpened(box.id));
  expect(opened(bridge).slice(1)).toEqual([
    { kind: 'new-tmux', name: 'work-2' },
    { kind: 'new-tmux', name: 'work-3' },
  ]);
  expect(useView.getState().page).toEqual({ kind: 'box', boxId: box.id, tab: 'terminal' });
});

it('opens no session for the palette on a box without tmux, and shows why', async () => {
  const bridge = show(NO_TMUX);
  await waitFor(() => expect(opened(bridge)).toHaveLength(1));
  await act(() => sessionOpened(box.id));
  expect(opened(bridge)).toHaveLength(1);
  expect(await screen.findByText(/There is no tmux on this box/)).toBeDefined();
});

it('is searched, and says its keys, where the palette wants that', async () => {
  const bridge = show(listed(session('work')));
  await waitFor(() => expect(opened(bridge)).toHaveLength(1));
  act(() => overlayOpened({ kind: 'on-page', part: 'find-in-terminal' }));
  expect(await screen.findByRole('button', { name: 'Close find' })).toBeDefined();
  act(() => overlayOpened({ kind: 'on-page', part: 'terminal-shortcuts' }));
  expect(await screen.findByRole('dialog')).toBeDefined();
});
