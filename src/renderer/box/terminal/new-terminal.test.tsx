import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { LinkState } from '../../../shared/boxes/box.ts';
import { problem } from '../../../shared/problem.ts';
import { err, ok } from '../../../shared/result.ts';
import type { TmuxListing } from '../../../shared/terminal/terminal.ts';
import { sampleEntry } from '../../fleet/fleet-entry.fixture.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { NewTerminal } from './new-terminal.tsx';

const UP: LinkState = { kind: 'up', sinceMs: 0, latencyMs: 1 };
const { box } = sampleEntry();
afterEach(cleanup);

function show(listing: TmuxListing, link = UP) {
  const bridge = openTestWindow();
  bridge.answer('tmux:list', ok(listing));
  render(<NewTerminal box={box} link={link} />);
  return bridge;
}

const sessions = [
  { id: '$0', createdAtS: 100, name: 'train\u202egnp', windows: 2, attached: 0 },
  { id: '$1', createdAtS: 200, name: 'eval', windows: 1, attached: 3 },
];

describe('NewTerminal', () => {
  it('says what is missing on a box without tmux and how to install it', async () => {
    show({ kind: 'not-installed' });
    expect(await screen.findByText(/There is no tmux on this box/)).toBeDefined();
    expect(screen.getByText(/apt-get install -y tmux/)).toBeDefined();
    expect(screen.getByRole('button', { name: /New tmux session/ })).toHaveProperty(
      'disabled',
      true,
    );
    expect(screen.getByRole('button', { name: /New shell/ })).toHaveProperty('disabled', false);
  });

  it('lists sessions with hidden characters made visible, and counts what it could not read', async () => {
    show({ kind: 'installed', sessions, leftOut: 2 });
    const row = await screen.findByRole('row', { name: /train<U\+202E>gnp/ });
    expect(within(row).getByText('no')).toBeDefined();
    expect(screen.getByText(/2 more lines of the box could not be read/)).toBeDefined();
  });

  it('kills nothing before the person has said so', async () => {
    const user = userEvent.setup();
    const bridge = show({ kind: 'installed', sessions, leftOut: 0 });
    bridge.answer('tmux:kill', err(problem('tmux-session-gone', 'It is gone.')));
    const row = await screen.findByRole('row', { name: /eval/ });
    await user.click(within(row).getByRole('button', { name: 'Kill…' }));
    const dialog = screen.getByRole('alertdialog');
    expect(within(dialog).getByText(/1 window ends at once/)).toBeDefined();
    expect(bridge.callsTo('tmux:kill')).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Kill session' }));
    expect(bridge.callsTo('tmux:kill')).toEqual([
      { boxId: box.id, session: { id: '$1', createdAtS: 200 } },
    ]);
    expect(await within(dialog).findByText('It is gone.')).toBeDefined();
  });

  it('offers to connect where there is no link', () => {
    const bridge = show({ kind: 'not-installed' }, { kind: 'idle' });
    expect(screen.getByRole('button', { name: 'Connect' })).toBeDefined();
    expect(bridge.callsTo('tmux:list')).toEqual([]);
  });
});
