import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseJumpHost } from '../ssh-destination.ts';
import { treeOf } from './config.fixture.ts';
import { expandedHostName, resolveHost, SectionIndex } from './resolve.ts';
import { layOut } from './sections.ts';

const SSH = '/usr/bin/ssh';

/** What the installed OpenSSH makes of the same files. */
function askOpenSsh(root: string, host: string) {
  const printed = execFileSync(SSH, ['-G', '-F', root, host], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const all = (keyword: string): string[] =>
    printed
      .split('\n')
      .filter((line) => line.startsWith(`${keyword} `))
      .map((line) => line.slice(keyword.length + 1));
  const one = (keyword: string): string | null => all(keyword)[0] ?? null;
  return { all, one };
}

const CONFIGS: readonly (readonly [
  name: string,
  hosts: readonly string[],
  files: Readonly<Record<string, string>>,
])[] = [
  [
    'first value wins, wildcards, negation',
    ['gpu-1', 'gpu-2', 'gpu-10', 'other', 'GPU-1'],
    {
      config: `
Host gpu-2
  Port 2202
  User second
Host gpu-? !gpu-2
  Port 2200
  IdentityFile ~/.ssh/one
Host gpu-*
  HostName %h.internal.example
  User all
  IdentityFile ~/.ssh/all
  IdentityFile ~/.ssh/one
Host *
  ServerAliveInterval 1m30s
  Port 2299
`,
    },
  ],
  [
    'keywords and values in every spelling',
    ['a', 'b'],
    {
      config: `
PORT=2201
hostname = "quoted.example"   # a comment
IdentityFile "/keys/with space/id"
IdentityFile '/keys/single "quoted"'
IdentityFile /keys/back\\ slash
  User\tme
ServerAliveInterval 5m
IdentitiesOnly yes
ForwardAgent yes
UserKnownHostsFile ~/.ssh/a "/b c"
CertificateFile /c-cert.pub
CertificateFile /d-cert.pub
HostKeyAlias alias
Host a
  Port 9
`,
    },
  ],
  [
    'ProxyJump and ProxyCommand exclude each other',
    ['jump', 'command', 'none', 'several', 'v6'],
    {
      config: `
Host jump
  ProxyJump me@gate.example:2222
  ProxyCommand nc %h %p
Host command
  ProxyCommand ssh -W "%h:%p" gate # not a comment
  ProxyJump gate.example
Host none
  ProxyJump none
Host several
  ProxyJump a.example,me@b.example:22
Host v6
  ProxyJump [2001:db8::1]:2222
Host *
  ProxyCommand fallback %h
  ProxyJump other
`,
    },
  ],
  [
    'Match host, user, originalhost, all, and negated ones',
    ['web', 'db', 'x.internal'],
    {
      config: `
Match host x.internal
  Port 21
Host web
  HostName web.internal
  User deploy
Host db
  HostName db.internal
Match host *.internal,!db.internal user deploy
  Port 22022
Match originalhost db
  Port 5432
Match !host *.internal
  User outside
Match host=db.internal
  IdentityFile /db
Match all
  User everybody
  IdentityFile /all
`,
    },
  ],
  [
    'includes count under the conditions where they stand',
    ['in', 'out', 'deep'],
    {
      config: `
Host in deep
  Include INC1
  Port 2201
Host *
  Include INC2
  User last
`,
      INC1: `
User first
Host deep
  HostName deep.example
  Include INC2
`,
      INC2: `
IdentityFile /inc2
Host out
  Port 2222
Host in
  HostName in.example
`,
    },
  ],
];

describe.skipIf(!existsSync(SSH))('the parser and the installed OpenSSH', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'leasehold-config-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each(
    CONFIGS.flatMap(([name, hosts, files]) => hosts.map((host) => [name, host, files] as const)),
  )('agree on %s: %s', (_name, host, texts) => {
    // Includes name real files; a relative name would mean ~/.ssh.
    const path = (name: string): string => join(folder, name);
    const files = Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        path(name),
        text.replace(/INC\d/g, (inc) => path(inc)),
      ]),
    );
    for (const [file, text] of Object.entries(files)) writeFileSync(file, text);
    const { one, all } = askOpenSsh(path('config'), host);
    const { sections, notes } = layOut(treeOf(files));
    const read = resolveHost(new SectionIndex(sections), host, userInfo().username);
    expect(notes).toEqual([]);

    // ssh -G prints names in small letters.
    const hostName = expandedHostName(read.hostName, host) ?? host;
    expect(hostName.toLowerCase()).toBe(one('hostname'));
    expect(String(read.port ?? 22)).toBe(one('port'));
    expect(read.user ?? userInfo().username).toBe(one('user'));
    if (read.identityFiles.length > 0) expect(read.identityFiles).toEqual(all('identityfile'));
    else expect(all('identityfile')).toContain('~/.ssh/id_ed25519');
    expect(read.certificateFiles).toEqual(all('certificatefile'));
    expect(read.identitiesOnly === true ? 'yes' : 'no').toBe(one('identitiesonly'));
    expect(read.forwardAgent === true ? 'yes' : 'no').toBe(one('forwardagent'));
    expect(String(read.serverAliveIntervalS ?? 0)).toBe(one('serveraliveinterval'));
    expect(read.hostKeyAlias).toBe(one('hostkeyalias'));
    if (read.knownHostsFiles !== null) {
      const files = read.knownHostsFiles.map((file) => file.replace(/^~/, homedir()));
      expect(files.join(' ')).toBe(one('userknownhostsfile'));
    }
    expect(withoutNone(read.proxyCommand)).toBe(one('proxycommand'));
    expect(jumps(withoutNone(read.proxyJump))).toEqual(jumps(one('proxyjump')));
  });
});

function withoutNone(text: string | null): string | null {
  return text === 'none' ? null : text;
}

function jumps(text: string | null): readonly unknown[] {
  return (text ?? '').split(',').map((each) => {
    const parsed = parseJumpHost(each);
    return parsed.ok ? { ...parsed.value, port: parsed.value.port ?? 22 } : each;
  });
}
