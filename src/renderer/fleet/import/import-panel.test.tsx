import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConfigListing, ListedHost } from '../../../shared/boxes/ssh-config/config-listing.ts';
import { USUAL_OPTIONS, USUAL_WAY } from '../../../shared/boxes/usual-way.ts';
import { problem } from '../../../shared/problem.ts';
import { err, ok } from '../../../shared/result.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { useFleet, useSshConfig } from '../../state/feeds.ts';
import { useView } from '../../state/view.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { AddBoxDialog } from '../add-box-dialog.tsx';
import { sampleEntry } from '../fleet-entry.fixture.ts';
import { splitNotes } from './import-model.ts';

const closed = vi.fn();
let bridge: FakeBridge;

function host(name: string, part: Partial<ListedHost> = {}): ListedHost {
  return {
    name,
    place: { file: '/home/me/.ssh/config', line: 1 },
    connection: { ...USUAL_WAY, address: { host: `${name}.example`, port: 22, user: 'root' } },
    because: null,
    notes: [],
    digest: `digest of ${name}`,
    ...part,
  };
}

const added = sampleEntry({}, { name: 'mine', options: { ...USUAL_OPTIONS, configHost: 'old' } });
const LISTING: ConfigListing = {
  files: ['/home/me/.ssh/config'],
  notes: [
    { place: { file: '/home/me/.ssh/config', line: 9 }, text: 'Frobnicate', because: 'unknown' },
  ],
  hosts: [
    host('gpu-1', {
      notes: [
        {
          place: { file: '/home/me/.ssh/config', line: 3 },
          text: 'Match exec "true"',
          because: 'not understood',
        },
      ],
    }),
    host('gpu-2'),
    host('old'),
    host('broken', { connection: null, digest: null, because: 'A user name has no spaces.' }),
  ],
};

async function open(listing: ConfigListing | null = LISTING) {
  bridge = openTestWindow([added]);
  useFleet.setState({ kind: 'live', state: { entries: [added] } }, true);
  bridge.answer(
    'ssh-config:read',
    listing === null ? err(problem('internal', 'It broke.')) : ok(listing),
  );
  render(<AddBoxDialog firstWay="import" onClose={closed} />);
  if (listing !== null && listing.hosts.length > 0)
    await screen.findByRole('list', { name: 'Hosts' });
  return userEvent.setup();
}

beforeEach(() => closed.mockReset());
afterEach(cleanup);

const box = (name: string | RegExp) => screen.queryByRole<HTMLInputElement>('checkbox', { name });

describe('adding boxes from the SSH config', () => {
  it('shows what each host is, which are there already, and which cannot be used', async () => {
    await open();
    expect(box(/gpu-1 root@gpu-1.example/)?.checked).toBe(false);
    expect(box(/old/)).toBeNull();
    expect(screen.getByText('Added · root@old.example')).toBeDefined();
    expect(screen.getByText('A user name has no spaces.')).toBeDefined();
    expect(screen.getByText('1 line is not used')).toBeDefined();
    expect(screen.getByText('Match exec "true"')).toBeDefined();
    expect(screen.getByText('1 line of the config is not understood')).toBeDefined();
  });

  it('says once what a “Host *” says of every host', () => {
    const everywhere = { place: { file: '/etc/ssh/ssh_config', line: 9 }, text: 'X', because: 'x' };
    const own = { ...everywhere, place: { file: '~/.ssh/config', line: 2 } };
    const host = (name: string, ...notes: readonly (typeof own)[]) =>
      ({ name, notes }) as unknown as ListedHost;
    const hosts = [host('a', everywhere, own), host('b', everywhere)];
    const split = splitNotes({ hosts, notes: [], files: [] });
    expect(split.shared).toEqual([everywhere]);
    expect(split.hosts.map(({ notes }) => notes)).toEqual([[own], []]);
    // One host's notes are its own, and what one of many lacks is not everybody's.
    expect(splitNotes({ hosts: hosts.slice(0, 1), notes: [], files: [] }).shared).toEqual([]);
    const others = [...hosts, host('c')];
    expect(splitNotes({ hosts: others, notes: [], files: [] })).toEqual({
      hosts: others,
      notes: [],
      shared: [],
    });
  });

  it('adds several from the keyboard, and sends what the person saw', async () => {
    const user = await open();
    bridge.answer('ssh-config:import', ok({ added: ['a', 'b'], refused: [] }));
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Search 4 hosts' }));
    await user.keyboard('GPU root@');
    await user.tab();
    await user.tab();
    await user.keyboard(' {ArrowDown} ');
    await user.click(screen.getByRole('button', { name: 'Add 2 boxes' }));
    expect(bridge.callsTo('ssh-config:import')).toEqual([
      {
        hosts: [
          { host: 'gpu-1', digest: 'digest of gpu-1' },
          { host: 'gpu-2', digest: 'digest of gpu-2' },
        ],
      },
    ]);
    expect(closed).toHaveBeenCalled();
  });

  it('narrows the list, and chooses all that is left', async () => {
    const user = await open();
    await user.type(screen.getByRole('textbox'), 'gpu-2');
    expect(box(/gpu-1/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Choose all of these' }));
    await user.clear(screen.getByRole('textbox'));
    expect([box(/gpu-1/)?.checked, box(/gpu-2/)?.checked]).toEqual([false, true]);
    await user.type(screen.getByRole('textbox'), 'nowhere');
    expect(screen.getByText('No host matches.')).toBeDefined();
  });

  it('opens the one box that was added, and says which were not', async () => {
    const user = await open();
    bridge.answer('ssh-config:import', ok({ added: [added.box.id], refused: [] }));
    await user.click(box(/gpu-1/)!);
    await user.click(screen.getByRole('button', { name: 'Add 1 box' }));
    expect(useView.getState().page).toMatchObject({ kind: 'box', boxId: added.box.id });
    const refused = [{ host: 'gpu-2', because: 'It is already there.' }];
    bridge.answer('ssh-config:import', ok({ added: [], refused }));
    await user.click(box(/gpu-2/)!);
    await user.click(screen.getByRole('button', { name: 'Add 1 box' }));
    expect((await screen.findByRole('alert')).textContent).toContain('gpu-2: It is already there.');
    expect(closed).not.toHaveBeenCalled();
  });

  it.each([
    [{ files: [], hosts: [], notes: [] }, 'There is no SSH config'],
    [{ files: ['/x'], hosts: [], notes: [] }, 'It names no host'],
    [null, 'It broke.'],
  ])('says so when there is nothing to show: %#', async (listing, words) => {
    await open(listing);
    expect(await screen.findByText(words)).toBeDefined();
  });

  it('shows what a changed entry would change, and does it only when told to', async () => {
    const user = await open();
    bridge.answer('ssh-config:apply', ok(added.box));
    const connection = {
      ...USUAL_WAY,
      address: { host: 'new.example', port: 2222, user: 'root' },
    };
    const change = { boxId: added.box.id, host: 'old', digest: 'd', connection };
    act(() =>
      useSshConfig.setState({ kind: 'live', state: { revision: 0, changes: [change] } }, true),
    );
    const changes = within(screen.getByRole('region', { name: 'Changes in your SSH config' }));
    expect(changes.getByText('1 box changed in your SSH config')).toBeDefined();
    expect(changes.getByText('root@host.example')).toBeDefined();
    expect(changes.getByText('root@new.example:2222')).toBeDefined();
    expect(bridge.calls.map(({ channel }) => channel)).not.toContain('ssh-config:apply');
    await user.click(changes.getByRole('button', { name: 'Take over the change of mine' }));
    expect(bridge.callsTo('ssh-config:apply')).toEqual([{ boxId: added.box.id, digest: 'd' }]);
    await user.click(changes.getByRole('button', { name: 'Keep as it is: mine' }));
    expect(bridge.callsTo('ssh-config:decline')).toEqual([{ boxId: added.box.id, digest: 'd' }]);
  });

  it('reads the files again when they change on disk', async () => {
    await open();
    bridge.answer('ssh-config:read', ok({ ...LISTING, hosts: [host('fresh')] }));
    act(() => useSshConfig.setState({ kind: 'live', state: { revision: 1, changes: [] } }, true));
    expect(await screen.findByRole('checkbox', { name: /fresh/ })).toBeDefined();
  });
});
