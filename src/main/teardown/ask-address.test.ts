import { expect, it, vi } from 'vitest';
import { changedKey } from '../../shared/boxes/host-key.fixture.ts';
import type { LinkState } from '../../shared/boxes/box.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import type { Route } from '../../shared/boxes/route.ts';
import { untouchedEntry } from '../../shared/streams/fleet-stream.ts';
import { BoxRoster } from '../boxes/box-roster.ts';
import { BOX } from '../runs/run-box.fixture.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { askAddress, judgeState } from './ask-address.ts';

const failed = (found: Problem): LinkState => ({ kind: 'down', sinceMs: 0, problem: found });
const kindOf = (state: LinkState, isOnline = true): string => judgeState(state, isOnline).kind;
const silent = (reach?: Problem['reach'], code: Problem['code'] = 'unreachable'): LinkState =>
  failed(problem(code, 'Nothing.', reach === undefined ? {} : { reach }));

it('takes for silence only what the address itself did', () => {
  expect(kindOf(silent('no-answer'))).toBe('silent');
  expect(kindOf(silent('no-answer', 'connect-timeout'))).toBe('silent');
  // A machine that takes a connection and then says nothing is there.
  expect(kindOf(silent(undefined, 'connect-timeout'))).toBe('unknown');
  expect(kindOf(silent(undefined, 'link-lost'))).toBe('unknown');
});

it('says nothing of a box to which no way led, whatever stood in it', () => {
  const codes = [
    'no-way',
    'host-not-found',
    'unreachable',
    'connect-timeout',
    'auth-refused',
  ] as const;
  for (const code of [...codes, 'proxy-unreachable', 'proxy-command-failed'] as const) {
    expect(kindOf(silent('no-way', code)), code).toBe('unreachable');
  }
  expect(kindOf(silent('no-answer'), false)).toBe('unreachable');
});

it('tells another key of the box from another key of the jump host before it', () => {
  expect(kindOf(silent(undefined, 'auth-refused'))).toBe('answers');
  expect(kindOf(changedKey())).toBe('answers');
  const address = { host: 'jump', port: 22, user: 'me' };
  expect(judgeState(changedKey({ jumpHost: { address, position: 1, count: 1 } }), true)).toEqual({
    kind: 'unreachable',
    says: 'The address could not be asked. The jump host jump has another host key.',
  });
});

const address = { host: '192.0.2.9', port: 22, user: 'me' };
const proxy = { protocol: 'socks5', host: '192.0.2.9', port: 1080, user: null } as const;
const hop = { address, identityFile: null };

// What the ways themselves wait for: a connection 15 s, a proxy or a jump host 15 s more, each handshake 20 s.
it.each<readonly [number, Route]>([
  [35, { kind: 'direct' }],
  [35, { kind: 'command', command: 'connect' }],
  [50, { kind: 'proxy', proxy }],
  [110, { kind: 'jumps', hops: [hop, hop] }],
])('waits %i s for a try that ends by its own deadlines: %j', async (endsAfterS, route) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const roster = new BoxRoster(new StreamHub());
    roster.put(untouchedEntry({ ...BOX, route }));
    const link = {
      connection: null,
      connect: () => {
        roster.change(BOX.id, { link: { kind: 'connecting', attempt: 1, sinceMs: 0 } });
        const end = (): void => roster.change(BOX.id, { link: silent() });
        setTimeout(end, endsAfterS * 1000);
      },
    };
    const asked = askAddress(
      BOX.id,
      {
        linkOf: () => link as unknown as ReturnType<BoxRoster['linkOf']>,
        follow: (by) => roster.follow(by),
        entryOf: (id) => roster.entryOf(id),
      },
      { signal: new AbortController().signal, isOnline: () => true },
    );
    await vi.advanceTimersByTimeAsync(endsAfterS * 1000);
    expect(await asked).toMatchObject({ says: expect.stringMatching(/not known: Nothing/) });
  } finally {
    vi.useRealTimers();
  }
});
