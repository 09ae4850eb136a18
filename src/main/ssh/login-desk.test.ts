import { describe, expect, it } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { ok } from '../../shared/result.ts';
import type { Fleet } from '../boxes/fleet.ts';
import { jumpHostsOf } from './jump-way.ts';
import type { KeyOffers } from './key-offers.ts';
import { openLoginBench } from './login.fixture.ts';
import { openLoginDesk } from './login-desk.ts';
import { passwordName, passwordOwner } from './secret-names.ts';

function behind(host: string, user: string): Box {
  const hop = { address: { host, port: 22, user }, identityFile: null };
  return {
    ...USUAL_WAY,
    id: `box behind ${host}`,
    name: 'train-a',
    platform: 'generic-ssh',
    address: { host: '10.0.0.4', port: 22, user: 'me' },
    route: { kind: 'jumps', hops: [hop] },
    addedAtMs: 0,
  };
}

const nameFor = (box: Box): string => jumpHostsOf(box).map(passwordOwner).map(passwordName).join();

describe('openLoginDesk', () => {
  it('forgets the password of a jump host with the last box behind it, and no other', async () => {
    const bench = await openLoginBench();
    const [stays, goes] = [behind('gate', 'me'), behind('gate', 'you')];
    for (const name of [nameFor(stays), nameFor(goes), 'password:b2']) {
      expect(await bench.secrets.set(name, 'hunter2')).toMatchObject({ ok: true });
    }
    const desk = openLoginDesk({
      fleet: { entries: [{ box: stays }] } as unknown as Fleet,
      persons: bench.persons,
      secrets: bench.secrets,
      offers: { forgetBox: () => Promise.resolve(ok(null)) } as unknown as KeyOffers,
      env: {},
      onProblem: (found) => bench.problems.push(found),
    });
    await desk.forgetBox(goes.id);
    expect(bench.problems).toEqual([]);
    expect([...bench.secrets.names()].sort()).toEqual([nameFor(stays), 'password:b2'].sort());
    await bench.close();
  });
});
