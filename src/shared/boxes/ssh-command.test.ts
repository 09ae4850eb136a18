import { describe, expect, it } from 'vitest';
import { parseSshCommand, suggestBoxName } from './ssh-command.ts';

const place = (text: string): readonly unknown[] => {
  const { host, port, user, identityFiles } = parseSshCommand(text);
  return [user, host, port, ...(identityFiles.length > 0 ? identityFiles : [null])];
};
const unused = (text: string): readonly string[] =>
  parseSshCommand(text).unused.map((part) => part.text);
const problems = (text: string): readonly string[] =>
  parseSshCommand(text).problems.map(({ field, message }) => `${field}: ${message}`);

describe('parseSshCommand', () => {
  it.each([
    [
      'ssh root@192.0.2.41 -p 17740 -i ~/.ssh/id_ed25519',
      ['root', '192.0.2.41', 17740, '~/.ssh/id_ed25519'],
    ],
    [
      'ssh -p 30123 root@connect.westx.autodl.example',
      ['root', 'connect.westx.autodl.example', 30123, null],
    ],
    [
      'ssh -i key p0d1-64410abc@ssh.runpod.example',
      ['p0d1-64410abc', 'ssh.runpod.example', null, 'key'],
    ],
    ['ssh://ubuntu@host.example:2222', ['ubuntu', 'host.example', 2222, null]],
    ['ssh://ubuntu@host.example:2222/', ['ubuntu', 'host.example', 2222, null]],
    ['ssh "ssh://me%40corp;fingerprint=x@host.example"', ['me@corp', 'host.example', null, null]],
    ['root@host.example:2222', ['root', 'host.example', 2222, null]],
    ['host.example', [null, 'host.example', null, null]],
    ['ssh root@[2001:db8::1]:2222', ['root', '2001:db8::1', 2222, null]],
    ['ssh -p 22 root@2001:db8::1', ['root', '2001:db8::1', 22, null]],
    ['ssh 1:2:3:4:5:6:7:8', [null, '1:2:3:4:5:6:7:8', null, null]],
    ['ssh ::ffff:192.0.2.1', [null, '::ffff:192.0.2.1', null, null]],
    ['ssh fe80::1%eth0', [null, 'fe80::1%eth0', null, null]],
    ['ssh -l ubuntu host.example', ['ubuntu', 'host.example', null, null]],
    ['ssh -lubuntu -p2222 host.example', ['ubuntu', 'host.example', 2222, null]],
    ['ssh -oPort=2222 -o User=me host.example', ['me', 'host.example', 2222, null]],
    ['ssh -o "Port 2222" -o IDENTITYFILE=k host.example', [null, 'host.example', 2222, 'k']],
    ['ssh mybox -o HostName=192.0.2.7 -p 2222', [null, '192.0.2.7', 2222, null]],
    ['$ ssh root@host.example', ['root', 'host.example', null, null]],
    ['# ssh root@host.example', ['root', 'host.example', null, null]],
    ['me@laptop:~$ ssh root@host.example', ['root', 'host.example', null, null]],
    ['  /usr/bin/ssh root@host.example  ', ['root', 'host.example', null, null]],
    ['ssh.exe root@host.example', ['root', 'host.example', null, null]],
    ['ssh root@host.example \\\n  -p 2222 \\\r\n -i k', ['root', 'host.example', 2222, 'k']],
    ['ssh root@host.example\n-p 2222', ['root', 'host.example', 2222, null]],
    ['ssh -p 2222 root@host.example # my box', ['root', 'host.example', 2222, null]],
    [`ssh -i "my keys/id 1" 'root'@host.example`, ['root', 'host.example', null, 'my keys/id 1']],
    ['ssh -i my\\ key root@host.example', ['root', 'host.example', null, 'my key']],
    [
      'ssh -i C:\\Users\\me\\.ssh\\id_rsa root@host.example',
      ['root', 'host.example', null, 'C:\\Users\\me\\.ssh\\id_rsa'],
    ],
    [
      'ssh -i "C:\\Users\\me\\id" root@host.example',
      ['root', 'host.example', null, 'C:\\Users\\me\\id'],
    ],
    ['ssh -i a -i b -oIdentityFile=c host.example', [null, 'host.example', null, 'a', 'b', 'c']],
    ['ssh -- host.example', [null, 'host.example', null, null]],
    ['', [null, null, null, null]],
    ['ssh', [null, null, null, null]],
  ])('reads %s', (text, expected) => {
    expect(place(text)).toEqual(expected);
    expect(problems(text)).toEqual([]);
  });

  it.each([
    ['-J me@a.example:2222,b.example', { jumpHosts: ['me@a.example:2222', 'b.example'] }],
    ['-o ProxyJump=ssh://me@[2001:db8::1]:2222', { jumpHosts: ['ssh://me@[2001:db8::1]:2222'] }],
    ['-J none', { jumpHosts: [] }],
    [
      `-o 'ProxyCommand=nc -X 5 -x "127.0.0.1:1080" %h %p'`,
      { proxyCommand: 'nc -X 5 -x "127.0.0.1:1080" %h %p' },
    ],
    ['-o ProxyCommand=none', { proxyCommand: null }],
    ['-oIdentitiesOnly=yes', { isOnlyIdentities: true }],
    ['-o IdentitiesOnly=no', { isOnlyIdentities: false }],
    ['-o HostKeyAlias=gpu', { hostKeyAlias: 'gpu' }],
    ['-o ServerAliveInterval=7', { keepaliveEveryS: 7 }],
    ['-o ServerAliveInterval=soon', { keepaliveEveryS: null }],
    ['-o CertificateFile=~/.ssh/id-cert.pub', { certificateFiles: ['~/.ssh/id-cert.pub'] }],
    [`-o 'UserKnownHostsFile=~/a "~/b c"'`, { knownHostsFiles: ['~/a', '~/b c'] }],
  ])('understands %s', (options, expected) => {
    const read = parseSshCommand(`ssh ${options} host.example`);
    expect(read).toMatchObject({ host: 'host.example', problems: [], ...expected });
  });

  it('says which parts it does not take over, and why', () => {
    const text = 'ssh -p 30022 root@ssh5.vast.example -D 1080';
    expect(place(text)).toEqual(['root', 'ssh5.vast.example', 30022, null]);
    expect(parseSshCommand(text).unused).toEqual([
      { text: '-D 1080', because: 'not used: add it in the box’s Tunnels tab' },
    ]);
  });

  it.each([
    ['-L 8080:localhost:8080', [[8080, 'localhost', 8080]]],
    ['-NfL6006:127.0.0.1:6007', [[6006, '127.0.0.1', 6007]]],
    [
      '-L localhost:1:gpu-2:22 -L [::1]:2:[fe80::1]:80',
      [
        [1, 'gpu-2', 22],
        [2, 'fe80::1', 80],
      ],
    ],
    ['-o "LocalForward 8888 localhost:8889"', [[8888, 'localhost', 8889]]],
    ['-L 1:a:2 -L 1:b:3', [[1, 'a', 2]]],
  ])('takes the ports that %s opens here', (options, expected) => {
    const { forwards } = parseSshCommand(`ssh ${options} host.example`);
    expect(
      forwards.map(({ listenPort, target: { host, port } }) => [listenPort, host, port]),
    ).toEqual(expected);
  });

  it.each([
    '-L *:8080:localhost:8080',
    '-L 0.0.0.0:8080:localhost:8080',
    '-L :8080:localhost:8080',
    '-L 8080:/run/app.sock',
    '-L /tmp/here.sock:localhost:80',
    '-L 8080',
    '-L 99999:localhost:80',
    '-L 80:-evil:80',
    '-L 80:<host>:80',
  ])('opens no port for %s, and says so', (option) => {
    const { forwards, unused } = parseSshCommand(`ssh ${option} host.example`);
    expect([forwards, unused.map(({ text }) => text)]).toEqual([[], [option]]);
  });

  it.each([
    ['ssh -NfD 1080 host.example', ['-N', '-f', '-D 1080']],
    ['ssh -tt -A host.example tmux attach -d', ['-t', '-t', '-A', 'tmux attach -d']],
    ['ssh -o UserKnownHostsFile=/dev/null host.example', ['-o UserKnownHostsFile=/dev/null']],
    ['ssh -J a.example -J b.example host.example', ['-J b.example']],
    ['ssh -J a.example -o ProxyCommand="nc %h %p" host.example', ['-o ProxyCommand=nc %h %p']],
    ['ssh -o ForwardAgent=yes host.example', ['-o ForwardAgent=yes']],
    ['ssh -o StrictHostKeyChecking=no host.example', ['-o StrictHostKeyChecking=no']],
    ['ssh -Z host.example', ['-Z']],
    ['TERM=xterm ssh host.example', ['TERM=…']],
    ['ssh host.example; rm -rf /', ['; rm -rf /']],
    ['ssh host.example | tee log', ['| tee log']],
    ['ssh -p 1 a.example\nssh -p 2 b.example', ['ssh -p 2 b.example']],
    ['ssh -p 1 -p 2 host.example', ['-p 2']],
    ['ssh -l a b@host.example', ['b@host.example']],
    ['ssh -p 22 -p 22 host.example', []],
  ])('names the unused parts of %s', (text, expected) => {
    expect(unused(text)).toEqual(expected);
  });

  it('keeps the password of sshpass out of its answer', () => {
    const read = parseSshCommand("sshpass -p 'hunter2' ssh root@host.example -p 22");
    expect(read).toMatchObject({ user: 'root', host: 'host.example', port: 22 });
    expect(JSON.stringify(read)).not.toContain('hunter2');
  });

  it.each([
    ['ssh -- -oProxyCommand=evil', /^host: A host cannot start/],
    ['ssh root@-evil', /^host: A host cannot start/],
    ['ssh -l -evil host.example', /^user: A user name cannot start/],
    ['ssh "a b@host.example"', /^user: A user name contains no spaces/],
    ['ssh "root@ho st"', /^host: A host contains no spaces/],
    ['ssh root@ho\u202est', /^host: .*invisible/],
    ['ssh "ro\u0007ot@host.example"', /^user: .*invisible/],
    ["ssh 'a;b@host.example'", /^user: .*shell characters/],
    ['ssh root:secret@host.example', /^user: A password does not belong here/],
    ['ssh ubuntu@<IP>', /^host: Replace “<IP>”/],
    ['ssh root@$HOST', /^host: Replace “\$HOST”/],
    ['ssh root@192.0.2.256', /^host: Each part/],
    ['ssh root@1:2:3', /^port: A port is/],
    ['ssh root@[1:2:3]', /^host: This is not an IPv6/],
    ['ssh root@[::1:2:3:4:5:6:7:8]', /^host: This is not an IPv6/],
    ['ssh root@bücher.example', /^host: Write the host in its ASCII form/],
    ['ssh root@under/score', /^host: A host name has only/],
    ['ssh root@host.example:http', /^port: A port is/],
    ['ssh -p 0 host.example', /^port: A port is/],
    ['ssh -p 65536 host.example', /^port: A port is/],
    ['ssh -p 22x host.example', /^port: A port is/],
    ['ssh -i id.pub host.example', /^identityFile: That is the public half/],
    ['ssh -J a.example,,b host.example', /^jumpHost: Enter the host name/],
    ['ssh -J me:pw@a.example host.example', /^jumpHost: A password does not belong/],
    ['ssh -J a.example:0 host.example', /^jumpHost: A port is/],
    ['ssh -p', /^command: The value of -p is missing/],
    ['ssh "root@host', /^command: A quote/],
    ['scp -P 22 file root@host.example:', /^command: Paste the ssh command; this one is for scp/],
    ['rsync -a x host.example:', /^command: .*rsync/],
    ['x'.repeat(4001), /^command: This is too long/],
  ])('refuses %s', (text, expected) => {
    expect(problems(text)).toContainEqual(expect.stringMatching(expected));
  });

  it('never throws on rubbish', () => {
    const pieces = ['ssh', '-p', '-o', '"', "'", '\\', '@', '[', ']:', '#', '\n', '%zz', '-i', 'a'];
    for (let seed = 0; seed < 3000; seed += 1) {
      const text = Array.from(
        { length: 1 + (seed % 7) },
        (_, i) => pieces[(seed * 31 + i * (seed % 13)) % pieces.length],
      ).join(seed % 2 === 0 ? ' ' : '');
      expect(() => parseSshCommand(text)).not.toThrow();
    }
  });
});

describe('suggestBoxName', () => {
  it('adds the port where it tells boxes on one host apart', () => {
    expect(suggestBoxName('host.example', 22)).toBe('host.example');
    expect(suggestBoxName('ssh5.vast.example', 30022)).toBe('ssh5.vast.example:30022');
  });
});
