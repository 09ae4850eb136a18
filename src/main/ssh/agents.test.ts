import { expect, it } from 'vitest';
import { OPENSSH_PIPE, selectAgent } from './agents.ts';

it.each<[string, NodeJS.ProcessEnv, NodeJS.Platform, boolean, string | null]>([
  ['the named one', { SSH_AUTH_SOCK: '/run/agent' }, 'linux', false, '/run/agent'],
  ['none where none is named', {}, 'linux', false, null],
  ['none for an empty name', { SSH_AUTH_SOCK: '' }, 'darwin', false, null],
  [
    'the named one on Windows too',
    { SSH_AUTH_SOCK: String.raw`\\.\pipe\mine` },
    'win32',
    true,
    String.raw`\\.\pipe\mine`,
  ],
  ['Windows’ own where it runs', {}, 'win32', true, OPENSSH_PIPE],
  ['else Pageant', {}, 'win32', false, 'pageant'],
])('chooses %s', (_name, env, platform, hasPipe, expected) => {
  expect(selectAgent(env, platform, (path) => hasPipe && path === OPENSSH_PIPE)).toBe(expected);
});
