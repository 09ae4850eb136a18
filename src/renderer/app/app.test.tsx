import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sampleGotcha } from '../../shared/gotchas/catalog.fixture.ts';
import { boundsOf } from '../../shared/meter/spend-days.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { LINK_UP, sampleEntry, SEEN_MS } from '../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { openFeeds } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { NO_SECRETS } from '../../shared/teardown/secrets-found.ts';
import { useView } from '../state/view.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { keepDoubleClicks } from '../ui/double-click.ts';
import { App } from './app.tsx';
import { watchCommands } from './window-commands.ts';

const ids = [1, 2, 3].map((n) => `${n}1111111-1111-4111-8111-111111111111`);
const [a = '', b = '', c = ''] = ids;
const entries = [
  sampleEntry({}, { id: a, name: 'train-a' }),
  sampleEntry({ link: { kind: 'idle' }, load: null, gpus: null }, { id: b, name: 'sweep-2' }),
  sampleEntry({}, { id: c, name: 'demo', platform: 'demo' }),
];

async function openApp(boxes = entries): Promise<FakeBridge> {
  const bridge = openTestWindow(boxes);
  bridge.answer('meter:days', ok({ bounds: boundsOf(SEEN_MS, 30), boxes: [] }));
  bridge.answer('meter:budgets', ok([]));
  const client = createStreamClient(bridge);
  // Async, so that the snapshots have arrived when it returns.
  await act(async () => {
    closers.push(openFeeds(client), watchCommands(bridge));
    await Promise.resolve();
    render(<App streams={client} />);
  });
  await screen.findByRole('heading', { level: 1 });
  return bridge;
}

const closers: (() => void)[] = [];
beforeEach(() => void vi.useFakeTimers({ now: SEEN_MS + 1000, toFake: ['Date'] }));
afterEach(() => {
  cleanup();
  for (const close of closers.splice(0)) close();
  vi.useRealTimers();
});

const rail = () => within(screen.getByRole('navigation', { name: 'Boxes' }));
const railRow = (name: RegExp) => rail().getByRole('button', { name });

describe('the window', () => {
  it('shows the fleet with a table of all boxes when there are several', async () => {
    await openApp();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Fleet');
    const grid = within(screen.getByRole('grid', { name: 'Boxes' }));
    const rowTexts = (): readonly string[] =>
      grid.getAllByRole('row').map((row) => row.textContent.replace(/[\u202f\u00a0]/g, ' '));
    await waitFor(() =>
      expect(rowTexts()[1]).toMatch(
        /^Total 3 boxes.*70 %.*1 box without a reading.*1 box without a reading/,
      ),
    );
    const cells = rowTexts();
    expect(cells[2]).toMatch(/^working.*train-a.*70 %.*1 395.*500 \/ 800 W.*40\.0 \/ 160\.0.*55/);
    expect(cells[3]).toMatch(/^not connected.*sweep-2.*no reading.*never/);
    expect(cells[3]).not.toMatch(/\b0\b/);
  });

  it('opens a single box at once, and says so plainly when there is none', async () => {
    await openApp(entries.slice(0, 1));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('train-a');
    cleanup();
    await openApp([]);
    expect(screen.getByRole('heading', { name: 'No boxes' })).toBeDefined();
  });

  it('does not call the fleet empty while the demo box is still starting', async () => {
    const bridge = await openApp([]);
    act(() => bridge.publish('demo', [{ boxId: null, active: [], isStarting: true }]));
    expect(screen.queryByRole('heading', { name: 'No boxes' })).toBeNull();
    expect(screen.getByText('Starting the demo box…')).toBeDefined();
  });

  it('never shows money that nobody told', async () => {
    await openApp();
    expect(await rail().findByText('Set a price…')).toBeDefined();
    expect(document.body.textContent).not.toMatch(/[$€¥]/);
  });

  it('moves through the boxes with the arrow keys and opens one with Enter', async () => {
    await openApp();
    const user = userEvent.setup();
    await user.tab();
    expect(document.activeElement).toBe(rail().getByRole('button', { name: 'Spend' }));
    await user.tab();
    expect(document.activeElement).toBe(rail().getByRole('button', { name: 'Set a price…' }));
    await user.tab();
    expect(document.activeElement).toBe(railRow(/^Fleet/));
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(document.activeElement).toBe(railRow(/sweep-2/));
    await user.keyboard('{End}{Home}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{Enter}');
    expect(railRow(/train-a/).getAttribute('aria-current')).toBe('page');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('train-a');
    expect(railRow(/^Fleet/).hasAttribute('aria-current')).toBe(false);
  });

  it('leads to costs and handbook, and back the way that was come', async () => {
    await openApp();
    const user = userEvent.setup();
    const title = () => screen.getByRole('heading', { level: 1 }).textContent;
    const back = rail().getByRole<HTMLButtonElement>('button', {
      name: 'Previous page',
    });
    expect(back.disabled).toBe(true);
    await user.click(railRow(/train-a/));
    await user.click(screen.getByRole('tab', { name: 'Alerts' }));
    await user.click(rail().getByRole('button', { name: 'Costs' }));
    await waitFor(() => expect(title()).toBe('Costs'));
    expect(rail().getByRole('button', { name: 'Costs' }).getAttribute('aria-current')).toBe('page');
    await user.click(rail().getByRole('button', { name: 'Handbook' }));
    await waitFor(() => expect(title()).toBe('Handbook'));
    await user.click(back);
    await waitFor(() => expect(title()).toBe('Costs'));
    await user.keyboard('{Alt>}{ArrowLeft}{/Alt}');
    expect(title()).toBe('train-a');
    expect(screen.getByRole('tab', { name: 'Alerts' }).getAttribute('aria-selected')).toBe('true');
    act(() => void window.dispatchEvent(new MouseEvent('mouseup', { button: 3 })));
    expect(screen.getByRole('tab', { name: 'Overview' }).getAttribute('aria-selected')).toBe(
      'true',
    );
    await user.click(back);
    expect(title()).toBe('Fleet');
    expect(back.disabled).toBe(true);
  });

  it('is one tab stop for the whole list', async () => {
    await openApp();
    const stops = rail()
      .getAllByRole('button')
      .filter((button) => button.hasAttribute('data-roving') && button.tabIndex === 0);
    expect(stops).toHaveLength(1);
  });

  it('follows a change of state and tells it to screen readers, but no samples', async () => {
    const bridge = await openApp();
    await userEvent.setup().click(railRow(/train-a/));
    const spoken = () => screen.getAllByRole('status').map((status) => status.textContent);
    expect(spoken()).toContain('train-a: Connected');
    act(() => {
      const link = { ...LINK_UP, latencyMs: 99 };
      bridge.publish('fleet', [{ kind: 'change', boxId: a, part: { link } }]);
    });
    expect(spoken()).toContain('train-a: Connected');
    act(() => {
      const link = { kind: 'down', sinceMs: SEEN_MS, problem: problem('auth-refused', 'No key.') };
      bridge.publish('fleet', [{ kind: 'change', boxId: a, part: { link } }]);
    });
    expect(spoken()).toContain('train-a: Sign-in failed');
    expect(await screen.findByText('No key.')).toBeDefined();
  });

  it('falls back to the fleet when the shown box is forgotten', async () => {
    const bridge = await openApp();
    await userEvent.setup().click(railRow(/train-a/));
    act(() => bridge.publish('fleet', [{ kind: 'remove', boxId: a }]));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Fleet');
  });

  it('asks to connect, and shows a refusal where nothing else would', async () => {
    const bridge = await openApp();
    bridge.answer('link:connect', err(problem('no-such-box', 'This box is gone.')));
    const user = userEvent.setup();
    await user.click(railRow(/sweep-2/));
    const header = within(screen.getByRole('banner'));
    await user.click(header.getByRole('button', { name: 'Connect' }));
    expect(bridge.callsTo('link:connect')).toEqual([{ boxId: b }]);
    const notices = within(screen.getByRole('status', { name: 'Notices' }));
    expect(notices.getByText('This box is gone.')).toBeDefined();
    await user.click(notices.getByRole('button', { name: 'Dismiss' }));
    expect(notices.queryByText('This box is gone.')).toBeNull();
  });

  it('asks to connect once where that is clicked twice, also where another button comes under the pointer', async () => {
    onTestFinished(keepDoubleClicks());
    const bridge = await openApp();
    await userEvent.setup().click(railRow(/sweep-2/));
    const header = within(screen.getByRole('banner'));
    const press = (name: string, detail: number): boolean =>
      fireEvent.click(header.getByRole('button', { name }), { detail });
    press('Connect', 1);
    press('Connect', 2);
    expect(bridge.callsTo('link:connect')).toEqual([{ boxId: b }]);
    const link = { kind: 'connecting', attempt: 1, sinceMs: SEEN_MS } as const;
    act(() => bridge.publish('fleet', [{ kind: 'change', boxId: b, part: { link } }]));
    press('Disconnect', 2);
    expect(bridge.callsTo('link:disconnect')).toEqual([]);
    press('Disconnect', 1);
    expect(bridge.callsTo('link:disconnect')).toEqual([{ boxId: b }]);
  });

  it('shows main’s notices and passes on that one was dismissed', async () => {
    const bridge = await openApp();
    const notice = { id: 'n1', atMs: 0, problem: problem('no-keyring', 'No keyring here.') };
    act(() => bridge.publish('notices', [[notice]]));
    const notices = within(screen.getByRole('status', { name: 'Notices' }));
    expect(notices.getByText('No keyring here.')).toBeDefined();
    await userEvent.setup().click(notices.getByRole('button', { name: 'Dismiss' }));
    expect(bridge.callsTo('notice:dismiss')).toEqual([{ id: 'n1' }]);
  });
});

describe('what nobody knows', () => {
  it('is no yes to the end of a box that was not looked at', async () => {
    const bridge = await openApp(entries.slice(0, 1));
    const boxId = entries[0]?.box.id ?? '';
    const gate = { kind: 'shut', inspection: null } as const;
    const view = { gate, doing: null, receipt: null, secrets: NO_SECRETS };
    bridge.serve('teardowns', { boxes: { [boxId]: view } });
    await userEvent.setup().click(screen.getByRole('tab', { name: 'Teardown' }));
    const panel = within(screen.getByRole('tabpanel'));
    expect(await panel.findByText('Not checked: do not end this box yet.')).toBeDefined();
    expect(panel.queryByRole('button', { name: 'Go ahead' })).toBeNull();
  });

  it('answers none of the three questions of a box of which nothing was read', async () => {
    await openApp(entries.slice(0, 1));
    for (const name of ['Danger clock', 'Cost meter', 'Alerts']) {
      const card = screen.getByRole('region', { name });
      expect(card.textContent).not.toMatch(/clear|safe|\$|\b0\b/i);
    }
  });
});

describe('commands', () => {
  it('opens the palette by its shortcut, runs what is found, and gives the focus back', async () => {
    const bridge = await openApp();
    const user = userEvent.setup();
    const row = railRow(/sweep-2/);
    act(() => row.focus());
    await user.keyboard('{Control>}k{/Control}');
    await user.type(
      await screen.findByRole('combobox', { name: 'Command palette' }),
      'thm drk{Enter}',
    );
    expect(bridge.callsTo('settings:change')).toEqual([{ patch: { theme: 'dark' } }]);
    await waitFor(() => expect(document.activeElement).toBe(row));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('finds entries of the handbook in the palette, below everything that has the name', async () => {
    const bridge = await openApp();
    const theme = sampleGotcha({ id: 'U23', title: 'A theme of heat: throttling' });
    bridge.answer(
      'gotchas:list',
      ok({ ownFolder: '', all: [{ gotcha: theme, origin: 'shipped', own: null }], faults: [] }),
    );
    const user = userEvent.setup();
    act(() => bridge.command({ kind: 'open-palette' }));
    const field = await screen.findByRole('combobox', { name: 'Command palette' });
    await user.type(field, 'theme');
    expect(await screen.findByRole('option', { name: /throttling/ })).toBeDefined();
    expect(screen.getAllByRole('option').at(-1)?.textContent).toContain('U23');
    await user.clear(field);
    await user.type(field, 'throttling{Enter}');
    expect((await screen.findByRole('article', { name: theme.title })).textContent).toContain(
      'U23',
    );
  });

  it.each([
    ['set price', { overlay: { kind: 'set-price', boxId: a } }],
    ['add tunnel', { overlay: { kind: 'add-tunnel', boxId: a } }],
    [
      'new budget',
      { page: { kind: 'costs', boxId: null }, overlay: { kind: 'on-page', part: 'new-budget' } },
    ],
    ['snooze', { page: { kind: 'box', boxId: a, tab: 'alerts' } }],
    ['launch later', { overlay: { kind: 'launch', boxId: a, isQueue: true } }],
    ['new watch', { overlay: { kind: 'new-watch', boxId: a } }],
    ['holds vram', { overlay: { kind: 'holders', boxId: a } }],
    ['costs of this', { page: { kind: 'costs', boxId: a } }],
    ['ssh config', { overlay: { kind: 'add-box', way: 'import' } }],
    ['edit connection', { overlay: { kind: 'edit-connection', boxId: a } }],
    ['forget', { overlay: { kind: 'forget-box', boxId: a } }],
    ['bring results', { page: { kind: 'box', boxId: a, tab: 'teardown', step: 'pulled' } }],
    ['clock of your own', { overlay: { kind: 'clocks', boxId: a, isOwn: true } }],
  ] as const)('knows in the palette what buttons do: %s', async (typed, shown) => {
    const bridge = await openApp();
    const user = userEvent.setup();
    await user.click(railRow(/train-a/));
    act(() => bridge.command({ kind: 'open-palette' }));
    const field = await screen.findByRole('combobox', { name: 'Command palette' });
    await user.type(field, `${typed}{Enter}`);
    expect(useView.getState()).toMatchObject(shown);
  });

  it('goes to a box from the palette, and closes it by Escape', async () => {
    const bridge = await openApp();
    const user = userEvent.setup();
    act(() => bridge.command({ kind: 'open-palette' }));
    await user.type(await screen.findByRole('combobox', { name: 'Command palette' }), 'swp{Enter}');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('sweep-2');
    act(() => bridge.command({ kind: 'open-palette' }));
    await screen.findByRole('combobox', { name: 'Command palette' });
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('combobox', { name: 'Command palette' })).toBeNull();
  });

  it('obeys main’s menu and tray', async () => {
    const bridge = await openApp();
    bridge.answer('app:info', err(problem('internal', 'no info')));
    act(() => bridge.command({ kind: 'show-box', boxId: b }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('sweep-2');
    act(() => bridge.command({ kind: 'add-box' }));
    expect(await screen.findByRole('dialog', { name: 'Add box' })).toBeDefined();
    act(() => bridge.command({ kind: 'open-settings' }));
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Settings');
    expect(screen.queryByRole('dialog')).toBeNull();
    act(() => bridge.command({ kind: 'show-fleet' }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Fleet');
  });
});

describe('boxes in the menu', () => {
  it('forgets a box only after asking, with the focus on the safe button', async () => {
    const bridge = await openApp();
    bridge.answer('box:forget', ok(null));
    const user = userEvent.setup();
    await user.click(railRow(/train-a/));
    await user.click(await screen.findByRole('button', { name: 'More actions' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Remove from Leasehold…' }));
    const dialog = await screen.findByRole('alertdialog', {
      name: 'Remove train-a from Leasehold?',
    });
    expect(dialog.textContent).toMatch(/does not tear it down.*keeps billing/);
    expect(document.activeElement?.textContent).toBe('Cancel');
    expect(bridge.callsTo('box:forget')).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Remove from Leasehold' }));
    expect(bridge.callsTo('box:forget')).toEqual([{ boxId: a }]);
  });

  it('leads from forgetting a box to tearing it down, and forgets nothing on the way', async () => {
    const bridge = await openApp();
    const user = userEvent.setup();
    await user.click(railRow(/train-a/));
    await user.click(await screen.findByRole('button', { name: 'More actions' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Remove from Leasehold…' }));
    await user.click(await screen.findByRole('button', { name: 'Go to Teardown instead' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Teardown');
    expect(bridge.callsTo('box:forget')).toEqual([]);
  });

  it('makes only the demo box suffer', async () => {
    const bridge = await openApp();
    const user = userEvent.setup();
    await user.click(railRow(/train-a/));
    expect(screen.queryByRole('button', { name: /Faults/ })).toBeNull();
    await user.click(railRow(/demo/));
    act(() => bridge.publish('demo', [{ boxId: c, active: ['disk-full'], isStarting: false }]));
    await user.click(await screen.findByRole('button', { name: 'Faults: 1 on' }));
    const full = await screen.findByRole('menuitemcheckbox', { name: /^Disk full/ });
    expect(full.getAttribute('aria-checked')).toBe('true');
    await user.click(full);
    await user.click(screen.getByRole('menuitem', { name: /^Drop the connection/ }));
    expect(bridge.callsTo('demo:set-fault')).toEqual([
      { fault: 'disk-full', isOn: false },
      { fault: 'link-drop', isOn: true },
    ]);
  });
});
