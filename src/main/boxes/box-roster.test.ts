import { beforeEach, describe, expect, it } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import {
  untouchedEntry,
  type FleetEntry,
  type FleetState,
} from '../../shared/streams/fleet-stream.ts';
import type { Link } from '../ssh/link.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { BoxRoster, type RosterFollower } from './box-roster.ts';

const box = (id: string): Box => ({
  ...USUAL_WAY,
  id,
  name: `name of ${id}`,
  platform: 'generic',
  address: { host: '192.0.2.7', port: 22, user: 'root' },
  tags: [],
  addedAtMs: 0,
});
const UP = { kind: 'up', sinceMs: 1, latencyMs: null } as const;

let hub: StreamHub;
let roster: BoxRoster;
let heard: string[];

const follower: RosterFollower = {
  added: (entry) => heard.push(`+${entry.box.id} ${entry.link.kind}`),
  changed: (entry, before) =>
    heard.push(`${entry.box.id} ${before.link.kind}>${entry.link.kind}, ${entry.box.name}`),
  removed: (boxId) => heard.push(`-${boxId}`),
};

beforeEach(() => {
  hub = new StreamHub();
  hub.addClient(1, () => undefined);
  heard = [];
  roster = new BoxRoster(hub, [box('a'), box('b')]);
});

/** As a window that opens the stream now is shown them. */
function shown(): readonly FleetEntry[] {
  const opened = hub.open(1, 'fleet', '');
  if (!opened.ok) throw new Error(opened.error.message);
  return (opened.value.state as FleetState).entries;
}

describe('BoxRoster', () => {
  it('shows a window the stored boxes before anybody has listed one, and lists none to main', () => {
    expect(shown().map(({ box: { id } }) => id)).toEqual(['a', 'b']);
    roster.follow(follower);
    expect([heard, roster.entries, roster.boxOf('a')]).toEqual([[], [], null]);
    roster.put(untouchedEntry(box('a')));
    expect(heard).toEqual(['+a idle']);
    expect(shown()).toHaveLength(2);
  });

  it('tells a follower what was there before it, what changes, and what goes; and a window the same', () => {
    roster.put(untouchedEntry(box('a')));
    const stop = roster.follow(follower);
    roster.change('a', { link: UP });
    roster.put({ ...untouchedEntry({ ...box('a'), name: 'train' }), link: UP });
    expect(roster.entryOf('a')).toMatchObject({ box: { name: 'train' }, link: UP });
    expect(shown()[0]).toEqual(roster.entryOf('a'));
    roster.remove('a');
    roster.remove('a');
    expect(heard).toEqual(['+a idle', 'a idle>up, name of a', 'a up>up, train', '-a']);
    expect(shown().map(({ box: { id } }) => id)).toEqual(['b']);
    stop();
    roster.put(untouchedEntry(box('b')));
    expect(heard).toHaveLength(4);
  });

  it('hears nothing of a box that was removed meanwhile', () => {
    roster.follow(follower);
    roster.change('a', { link: UP });
    expect([heard, roster.entryOf('a')]).toEqual([[], null]);
  });

  it('knows the way to a box while it is in the list', () => {
    const connection = {} as SshConnection;
    const asked: string[] = [];
    const link = {
      connection,
      connect: () => asked.push('connect'),
      disconnect: () => asked.push('disconnect'),
    } as Pick<Link, 'connection' | 'connect' | 'disconnect'> as Link;
    roster.put(untouchedEntry(box('a')));
    expect(roster.connectionOf('a')).toBeNull();
    roster.attach('a', link);
    expect(roster.connectionOf('a')).toBe(connection);
    expect([roster.connect('a'), roster.disconnect('a')]).toMatchObject([
      { ok: true },
      { ok: true },
    ]);
    expect(asked).toEqual(['connect', 'disconnect']);
    roster.remove('a');
    expect(roster.connectionOf('a')).toBeNull();
    for (const act of [roster.connect('a'), roster.disconnect('a')]) {
      expect(act).toMatchObject({ error: { code: 'no-such-box' } });
    }
  });
});
