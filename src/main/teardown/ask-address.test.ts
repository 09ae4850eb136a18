import { expect, it } from 'vitest';
import { changedKey } from '../../shared/boxes/host-key.fixture.ts';
import type { LinkState } from '../../shared/boxes/box.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { judgeState } from './ask-address.ts';

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
