import { describe, expect, it } from 'vitest';
import { parseSshCommand } from '../../shared/boxes/ssh-command.ts';
import { USUAL_LOGIN } from '../../shared/boxes/usual-way.ts';
import { sshCommandOf } from './ssh-command-of.ts';

describe('sshCommandOf', () => {
  it.each([
    [{ host: 'host.example', port: 22, user: 'root' }, null, 'ssh root@host.example'],
    [{ host: '2001:db8::1', port: 2222, user: 'me' }, null, 'ssh -p 2222 me@2001:db8::1'],
    [
      { host: 'host.example', port: 22, user: 'root' },
      "it's my key",
      String.raw`ssh -i 'it'\''s my key' root@host.example`,
    ],
  ])('writes %j with key %j', (address, identityFile, expected) => {
    const command = sshCommandOf({
      address,
      login: { ...USUAL_LOGIN, identityFiles: identityFile === null ? [] : [identityFile] },
    });
    expect(command).toBe(expected);
    expect(parseSshCommand(command)).toMatchObject({
      host: address.host,
      user: address.user,
      identityFile,
      problems: [],
    });
  });
});
