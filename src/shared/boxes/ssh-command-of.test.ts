import { describe, expect, it } from 'vitest';
import { parseSshCommand } from './ssh-command.ts';
import { USUAL_LOGIN, USUAL_WAY } from './usual-way.ts';
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
      ...USUAL_WAY,
      login: { ...USUAL_LOGIN, identityFiles: identityFile === null ? [] : [identityFile] },
    });
    expect(command).toBe(expected);
    expect(parseSshCommand(command)).toMatchObject({
      host: address.host,
      user: address.user,
      identityFiles: identityFile === null ? [] : [identityFile],
      problems: [],
    });
  });

  it('says the whole way, so that OpenSSH and a paste into Leasehold take the same', () => {
    const address = { host: 'gpu.example', port: 22, user: 'root' };
    const hop = (host: string, port: number) => ({
      address: { host, port, user: 'me' },
      identityFile: null,
    });
    const hops = [hop('gate.example', 2222), hop('2001:db8::1', 22)];
    const jumping = sshCommandOf({ ...USUAL_WAY, address, route: { kind: 'jumps', hops } });
    expect(jumping).toBe("ssh -J 'me@gate.example:2222,me@[2001:db8::1]' root@gpu.example");
    expect(parseSshCommand(jumping).jumpHosts).toEqual([
      'me@gate.example:2222',
      'me@[2001:db8::1]',
    ]);
    const command = `nc -x "it's" %h %p`;
    const login = { ...USUAL_LOGIN, isOnlyIdentities: true };
    const through = sshCommandOf({
      ...USUAL_WAY,
      login,
      address,
      route: { kind: 'command', command },
    });
    expect(parseSshCommand(through)).toMatchObject({
      proxyCommand: command,
      isOnlyIdentities: true,
    });
    const proxy = { protocol: 'http', host: 'p.example', port: 3128, user: null } as const;
    expect(sshCommandOf({ ...USUAL_WAY, address, route: { kind: 'proxy', proxy } })).toContain(
      'nc -X connect -x p.example:3128 %h %p',
    );
  });
});
