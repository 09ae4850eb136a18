import { describe, expect, it } from 'vitest';
import { AGENT_NOT_LENT } from '../ssh-command.ts';
import { treeOf } from './config.fixture.ts';
import { openConfig, type ConfigBox } from './config-boxes.ts';
import type { ConfigTree } from './sections.ts';

const LOCAL = { name: 'me', home: '/home/me' };

function read(tree: ConfigTree) {
  const { hosts, notes, toBox } = openConfig(tree, LOCAL);
  return { boxes: hosts.map(toBox), notes };
}

const boxesOf = (text: string) => read(treeOf({ config: text }));

function only(text: string): ConfigBox {
  const { boxes } = boxesOf(text);
  const [first] = boxes;
  if (first === undefined) throw new Error('no host');
  return first;
}
const reasons = (box: ConfigBox): readonly string[] =>
  box.notes.map(({ place, text, because }) => `${place.line}: ${text}: ${because}`);

describe('a config as boxes', () => {
  it('makes a box of each name, and none of wildcards', () => {
    const { boxes } = boxesOf('Host a b !c d*\nHost *\n  User u\nHost b\n  Port 5\n');
    expect(boxes.map(({ name, place }) => [name, place.line])).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    expect(boxes[1]?.connection?.address).toEqual({ host: 'b', port: 5, user: 'u' });
  });

  it('takes over all that a box can hold', () => {
    const box = only(`Host gpu
  HostName 203.0.113.7
  Port 17740
  User root
  IdentityFile %d/.ssh/%n-%h-%r-%u-%p-%%
  IdentityFile ~/.ssh/id
  IdentitiesOnly yes
  CertificateFile ~/.ssh/id-cert.pub
  UserKnownHostsFile ~/.ssh/rented /dev/null
  HostKeyAlias rented
  ServerAliveInterval 5
  ForwardAgent yes
`);
    expect(box).toMatchObject({
      because: null,
      connection: {
        address: { host: '203.0.113.7', port: 17740, user: 'root' },
        route: { kind: 'direct' },
        login: {
          identityFiles: ['/home/me/.ssh/gpu-203.0.113.7-root-me-17740-%', '~/.ssh/id'],
          certificateFiles: ['~/.ssh/id-cert.pub'],
          isOnlyIdentities: true,
          forwardAgent: false,
        },
        options: {
          hostKeyAlias: 'rented',
          knownHostsFiles: ['~/.ssh/rented'],
          keepaliveEveryS: 5,
          configHost: 'gpu',
        },
      },
    });
    expect(reasons(box)).toEqual([`1: ForwardAgent: ${AGENT_NOT_LENT}`]);
  });

  it('follows jump hosts through their own entries', () => {
    const text = `Host gpu
  ProxyJump inner,root@last:2222
Host inner
  HostName 10.0.0.4
  User worker
  IdentityFile ~/.ssh/inner
  ProxyJump gate.example
Host gate.example
  Port 2200
Host last
  Port 1
  ProxyJump never
`;
    expect(only(text).connection?.route).toEqual({
      kind: 'jumps',
      hops: [
        { address: { host: 'gate.example', port: 2200, user: 'me' }, identityFile: null },
        { address: { host: '10.0.0.4', port: 22, user: 'worker' }, identityFile: '~/.ssh/inner' },
        { address: { host: 'last', port: 2222, user: 'root' }, identityFile: null },
      ],
    });
  });

  it.each([
    ['a loop', 'Host a\n ProxyJump b\nHost b\n ProxyJump a\n', /reached through itself/],
    [
      'a command on the way',
      'Host a\n ProxyJump b\nHost b\n ProxyCommand nc %h %p\n',
      /itself reached by a ProxyCommand/,
    ],
    ['too many', `Host a\n ProxyJump ${'j,'.repeat(8)}j\n`, /more than 8/],
    ['an odd jump host', 'Host a\n ProxyJump "b c"\n', /ProxyJump b c: A host contains no spaces/],
    ['an odd host', 'Host a\n HostName "-oProxyCommand=x"\n', /cannot start with/],
    ['a host for a shell', 'Host a\n HostName $(id)\n', /real host name/],
    ['an odd user', 'Host a\n User "x;y"\n', /shell characters/],
    ['a token without meaning', 'Host a\n HostName %C.example\n', /not understood/],
  ])('does not take over %s, and says why', (_what, text, because) => {
    expect(only(text)).toMatchObject({ connection: null, because: expect.stringMatching(because) });
  });

  it('never runs or assumes what it does not understand', () => {
    const box = only(`Host gpu
  User root
Match host gpu exec "touch /tmp/leasehold-was-here"
  Port 1
Match host other exec "false"
  Port 2
Match localuser me
  HostName trap.example
Match canonical all
  HostName trap.example
Match all host gpu
  HostName trap.example
Match
  HostName trap.example
`);
    expect(box.connection?.address).toEqual({ host: 'gpu', port: 22, user: 'root' });
    expect(reasons(box)).toEqual([
      '3: match host gpu exec "touch /tmp/leasehold-was-here": not understood: what stands under it is not used',
      '7: match localuser me: not understood: what stands under it is not used',
      '9: match canonical all: not understood: what stands under it is not used',
      '11: match all host gpu: not understood: what stands under it is not used',
    ]);
  });

  it('lists what it does not use with file and line, and goes on', () => {
    const { boxes, notes } = boxesOf(`Host gpu
  Frobnicate yes
  Port 99999
  Port "22
  LocalForward 8080 localhost:8080
  Compression yes
  HostName
  IdentityFile \${HOME}/key
  IdentityFile ~other/key
  IdentityFile %C
  IdentityFile id.pub
  User root
`);
    expect(notes.map(({ place, because }) => [place.file, place.line, because])).toEqual([
      ['config', 2, 'OpenSSH has no such keyword'],
      ['config', 4, 'a quote is not closed'],
      ['config', 7, 'the value is missing'],
    ]);
    expect(boxes[0]?.connection).toMatchObject({
      address: { host: 'gpu', port: 22, user: 'root' },
      login: { identityFiles: [] },
    });
    expect(reasons(boxes[0]!)).toEqual([
      '3: port 99999: not a port number',
      '5: localforward 8080 localhost:8080: not used: a forward is not part of a box’s address',
      '1: ${HOME}/key: not used: variables are not understood',
      '1: ~other/key: not used: another person’s home is not understood',
      '1: %C: not used: %C is not understood',
      '1: id.pub: That is the public half; name the private key file without .pub.',
    ]);
  });

  it('does not follow an include into itself, nor without end', () => {
    const { notes, boxes } = read(
      treeOf({ config: 'Include a\n', a: 'Host gpu\nInclude b\n', b: 'Include a\nPort 5\n' }),
    );
    expect(notes).toMatchObject([{ place: { file: 'b', line: 1 }, text: 'include a' }]);
    expect(boxes).toMatchObject([{ name: 'gpu', connection: { address: { port: 5 } } }]);
    const deep = Object.fromEntries(
      Array.from({ length: 20 }, (_none, i) => [`f${i}`, `Include f${i + 1}\nHost h${i}\n`]),
    );
    const nested = read(treeOf(deep));
    expect(nested.boxes).toHaveLength(17);
    expect(nested.notes).toMatchObject([{ because: 'not read: includes are nested too deeply' }]);
  });

  it('bounds a config that multiplies itself', () => {
    const files = Object.fromEntries(
      Array.from({ length: 14 }, (_none, i) => [
        `f${i}`,
        `Host h${i}\nPort ${i + 1}\n${`Include f${i + 1}\n`.repeat(8)}`,
      ]),
    );
    const { boxes, notes } = read(treeOf(files));
    expect(boxes.length).toBeGreaterThan(10);
    expect(notes.map(({ because }) => because)).toContain('not read: the config is too large');
  });

  it('never throws on rubbish', () => {
    const pieces = [
      'Host',
      'Match',
      'host',
      '=',
      '"',
      "'",
      '\\',
      '#',
      '\n',
      '%h',
      '!',
      '*',
      'Include',
      'config',
      '\u0000',
      'exec',
    ];
    for (let seed = 0; seed < 3000; seed += 1) {
      const text = Array.from(
        { length: 2 + (seed % 9) },
        (_none, i) => pieces[(seed * 31 + i * (1 + (seed % 13))) % pieces.length],
      ).join(seed % 2 === 0 ? ' ' : '');
      expect(() => boxesOf(text)).not.toThrow();
    }
  });
});
