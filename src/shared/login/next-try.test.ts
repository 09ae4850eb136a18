import { expect, it } from 'vitest';
import { chooseNextTry, MAX_KEY_TRIES, MAX_SECRET_TRIES, type LoginProgress } from './next-try.ts';

const START: LoginProgress = {
  accepted: ['password', 'keyboard-interactive', 'publickey'],
  keysLeft: 2,
  keyTries: 0,
  secretTries: 0,
  canAsk: true,
  isPromptless: false,
};

it.each<[string, Partial<LoginProgress>, string]>([
  ['asks the server first', { accepted: null }, 'ask-server'],
  ['takes keys before everything, whatever order the server lists', {}, 'key'],
  ['then the server’s questions', { keysLeft: 0 }, 'prompts'],
  ['then the password', { keysLeft: 0, isPromptless: true }, 'password'],
  ['offers no key where none is accepted', { accepted: ['password'] }, 'password'],
  ['tries nothing that is not accepted', { accepted: ['hostbased', 'gssapi-with-mic'] }, 'give-up'],
  ['knows when nothing is accepted', { accepted: [] }, 'give-up'],
  ['leaves room for a password', { keyTries: MAX_KEY_TRIES }, 'prompts'],
  ['stops before an account is locked', { keysLeft: 0, secretTries: MAX_SECRET_TRIES }, 'give-up'],
  ['asks nobody where nobody is', { keysLeft: 0, canAsk: false }, 'give-up'],
])('%s', (_name, part, expected) => {
  expect(chooseNextTry({ ...START, ...part })).toBe(expected);
});

it('never sends more than OpenSSH’s server takes before it hangs up', () => {
  expect(MAX_KEY_TRIES + MAX_SECRET_TRIES).toBeLessThanOrEqual(6);
});
