import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeHostKey } from '../../shared/boxes/known-hosts/judge-host-key.ts';
import { hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { withFolder } from '../storage/disk.fixture.ts';
import { openKnownHosts, usualKnownHostsFiles } from './user-files.ts';

const run = promisify(execFile);
const hasKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;
const hasSsh = spawnSync('ssh', ['-V']).error === undefined;

/** As a box without any options is looked up. */
const named = (host: string, port: number) => ({
  address: { host, port },
  hostKeyAlias: null,
  knownHostsFiles: [],
});

const lookIn = (path: string) =>
  openKnownHosts({ user: [{ path, shown: '~/.ssh/known_hosts' }], system: [] });

function makeKey(folder: string, name: string, type = 'ed25519'): string {
  const file = join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-f', file]);
  return execFileSync('cut', ['-d', ' ', '-f', '1,2', `${file}.pub`], { encoding: 'utf8' }).trim();
}

/** Line and marker of each entry, as `ssh-keygen -F` finds them. */
function foundByKeygen(file: string, host: string, port: number): string[] {
  const name = port === 22 ? host : `[${host}]:${port}`;
  const { stdout } = spawnSync('ssh-keygen', ['-F', name, '-f', file], { encoding: 'utf8' });
  return [...stdout.matchAll(/found: line (\d+) ?(REVOKED|CA)?/g)].map(
    ([, line = '', marker = 'none']) => `${line} ${marker}`,
  );
}

const MARKERS = { none: 'none', revoked: 'REVOKED', 'cert-authority': 'CA' } as const;

async function foundByUs(file: string, host: string, port: number): Promise<string[]> {
  const { lines } = await lookIn(file)(named(host, port));
  return lines
    .filter(({ isExact }) => isExact)
    .map(({ place, marker }) => `${place.line} ${MARKERS[marker]}`);
}

describe.skipIf(!hasKeygen)('the known_hosts of the person, beside ssh-keygen -F', () => {
  const HOSTS: readonly (readonly [string, number])[] = [
    ['box.example', 22],
    ['BOX.example', 22],
    ['box.example', 2222],
    ['203.0.113.5', 22],
    ['good.wild.example', 22],
    ['bad.wild.example', 22],
    ['2001:db8::7', 22],
    ['2001:db8::7', 2222],
    ['crlf.example', 22],
    ['revoked.example', 22],
    ['signed.example', 22],
    ['marked.example', 22],
    ['mixed.example', 22],
    ['ten7.example', 22],
    ['nobody.example', 22],
  ];

  function content(folder: string): string {
    const [a, b, rsa] = [makeKey(folder, 'a'), makeKey(folder, 'b'), makeKey(folder, 'r', 'rsa')];
    const [type, key] = a.split(' ');
    return [
      '# comment box.example',
      `box.example ${a} a comment`,
      `box.example,203.0.113.5 ${rsa}`,
      `[box.example]:2222 ${b}`,
      `*.wild.example,!bad.wild.example ${a}`,
      `2001:db8::7 ${a}`,
      `[2001:db8::7]:2222 ${b}`,
      `crlf.example ${a}\r`,
      `@revoked revoked.example ${a}`,
      `@cert-authority *.example,!nobody.example ${b}`,
      `@unknown marked.example ${a}`,
      `\tmixed.example\t${type}\t${key}`,
      `ten?.example ${a}`,
      'box.example',
      '',
    ].join('\n');
  }

  it('finds the same lines', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'known_hosts');
      writeFileSync(file, content(folder));
      for (const [host, port] of HOSTS) {
        const ours = await foundByUs(file, host, port);
        expect({ host, port, found: ours }).toEqual({
          host,
          port,
          found: foundByKeygen(file, host, port),
        });
      }
    }));

  it('finds the same lines after ssh-keygen -H has hashed the names', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'known_hosts');
      const keys = [makeKey(folder, 'a'), makeKey(folder, 'b')];
      writeFileSync(
        file,
        [`box.example,203.0.113.5 ${keys[0]}`, `[box.example]:2222 ${keys[1]}`, ''].join('\n'),
      );
      execFileSync('ssh-keygen', ['-H', '-f', file], { stdio: 'ignore' });
      for (const [host, port] of HOSTS) {
        // ssh asks for names in lower case; ssh-keygen hashes what it is given.
        if (host !== host.toLowerCase()) continue;
        expect(await foundByUs(file, host, port)).toEqual(foundByKeygen(file, host, port));
      }
      expect(await foundByUs(file, 'box.example', 2222)).toHaveLength(1);
    }));
});

describe.skipIf(!hasSsh || !hasSshd)('the known_hosts of the person, beside ssh itself', () => {
  let sshd: TestSshd;
  let own: string;
  let other: string;
  let rsa: string;
  beforeAll(async () => {
    sshd = await startSshd({ hostKeyTypes: ['ed25519'] });
    own = sshd.hostKeys[0]!;
    await withFolder((folder) => {
      other = makeKey(folder, 'o');
      rsa = makeKey(folder, 'r', 'rsa');
    });
  });
  afterAll(() => sshd.stop());

  /** Whether ssh goes on after the host key, and what it says if not. */
  async function judgedBySsh(
    ...more: readonly string[]
  ): Promise<'trusted' | 'changed' | 'revoked' | 'unknown'> {
    const options = [
      ...more,
      'GlobalKnownHostsFile=/dev/null',
      'StrictHostKeyChecking=yes',
      'BatchMode=yes',
      'IdentitiesOnly=yes',
    ].flatMap((option) => ['-o', option]);
    const address = ['-i', sshd.keyFile, '-p', String(sshd.port), `${sshd.user}@127.0.0.1`];
    try {
      await run('ssh', ['-F', '/dev/null', ...options, ...address, 'true']);
      return 'trusted';
    } catch (cause) {
      const { stderr } = cause as { stderr: string };
      if (/revoked/i.test(stderr)) return 'revoked';
      return /has changed/i.test(stderr) ? 'changed' : 'unknown';
    }
  }

  const at = (): string => `[127.0.0.1]:${sshd.port}`;

  it.each<[string, () => string, string?]>([
    ['nothing', () => ''],
    ['the key', () => `${at()} ${own}`],
    ['the key under a pattern', () => `[127.0.0.*]:* ${own}`],
    ['the key under the name without port', () => `127.0.0.1 ${own}`],
    ['another key', () => `${at()} ${other}`],
    ['another key under the name without port', () => `127.0.0.1 ${other}`],
    ['another key and then the key', () => `${at()} ${other}\n${at()} ${own}`],
    ['a key of another type', () => `${at()} ${rsa}`],
    ['a key of another type and the key', () => `${at()} ${rsa}\n${at()} ${own}`],
    ['the key, revoked', () => `@revoked ${at()} ${own}`],
    ['the key, revoked for everyone', () => `@revoked * ${own}\n${at()} ${own}`],
    ['another key, revoked', () => `@revoked ${at()} ${other}\n${at()} ${own}`],
    ['a broken line, and the key', () => `${at()} ssh-ed25519 AAAA\n${at()} ${own}`],
    ['a line without a key', () => `${at()} ssh-ed25519`],
    ['the key, said to be of another type', () => `${at()} ssh-rsa ${own.split(' ')[1] ?? ''}`],
    ['a key of SSH version 1', () => `${at()} 1024 35 1234567890`],
    ['the key behind an unknown marker', () => `@unknown ${at()} ${own}`],
    ['the key, with the line ends of Windows', () => `# mine\r\n${at()} ${own}\r`],
    ['the key for another port', () => `[127.0.0.1]:1 ${own}`],
    ['the key, but not for this host', () => `*,!${at()} ${own}`],
    // ssh asks as at first contact here; we say that a certificate was expected, and ask for more.
    ['an authority alone', () => `@cert-authority ${at()} ${other}`, 'certificate-expected'],
  ])('judges as ssh does with %s', (_what, lines, ours) =>
    withFolder(async (folder) => {
      const file = join(folder, 'known_hosts');
      writeFileSync(file, `${lines()}\n`);
      const known = await lookIn(file)(named('127.0.0.1', sshd.port));
      const verdict = judgeHostKey(own.split(' ')[1] ?? '', { stored: null, lines: known.lines });
      const said = await judgedBySsh(`UserKnownHostsFile=${file}`);
      expect(verdict.kind).toBe(ours ?? said);
      if (ours !== undefined) expect(said).toBe('unknown');
    }),
  );

  it.each<[string, () => string]>([
    ['the key under the alias', () => `cluster-a ${own}`],
    ['the key under the alias in capitals', () => `Cluster-A ${own}`],
    ['the key under a pattern that fits the alias', () => `cluster-? ${own}`],
    ['the key under the alias with the port', () => `[cluster-a]:${sshd.port} ${own}`],
    ['the key under the address alone', () => `${at()} ${own}`],
    [
      'another key under the alias, and the key under the address',
      () => `cluster-a ${other}\n${at()} ${own}`,
    ],
    [
      'another key under the address, and the key under the alias',
      () => `${at()} ${other}\ncluster-a ${own}`,
    ],
    ['the key, revoked under the alias', () => `@revoked cluster-a ${own}`],
    ['the key, revoked under the address only', () => `@revoked ${at()} ${own}\ncluster-a ${own}`],
  ])('looks a box with a HostKeyAlias up as ssh does: %s', (_what, lines) =>
    withFolder(async (folder) => {
      const file = join(folder, 'known_hosts');
      writeFileSync(file, `${lines()}\n`);
      const lookup = { ...named('127.0.0.1', sshd.port), hostKeyAlias: 'Cluster-A' };
      const known = await lookIn(file)(lookup);
      const verdict = judgeHostKey(own.split(' ')[1] ?? '', { stored: null, lines: known.lines });
      const said = await judgedBySsh(`UserKnownHostsFile=${file}`, 'HostKeyAlias=Cluster-A');
      expect(verdict.kind).toBe(said);
    }),
  );

  it('reads the files that a box names in place of the usual ones, as ssh does', () =>
    withFolder(async (folder) => {
      const [usual, first, second] = ['usual', 'first', 'second'].map((name) => join(folder, name));
      writeFileSync(usual!, `${at()} ${other}\n`);
      writeFileSync(first!, '# nothing here\n');
      execFileSync('sh', [
        '-c',
        'ssh-keyscan -H -p "$1" 127.0.0.1 > "$2" 2>/dev/null',
        'sh',
        String(sshd.port),
        second!,
      ]);
      const judge = async (knownHostsFiles: readonly string[]): Promise<string> => {
        const lookup = { ...named('127.0.0.1', sshd.port), knownHostsFiles };
        const { lines } = await lookIn(usual!)(lookup);
        return judgeHostKey(own.split(' ')[1] ?? '', { stored: null, lines }).kind;
      };
      expect(await judge([])).toBe('changed');
      expect(await judge([first!])).toBe(await judgedBySsh(`UserKnownHostsFile=${first!}`));
      expect(await judge([first!, second!])).toBe('trusted');
      expect(await judgedBySsh(`UserKnownHostsFile=${first!} ${second!}`)).toBe('trusted');
    }));
});

describe('reading known_hosts files', () => {
  const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB';
  const box = named('box.example', 22);

  it('is quiet about a file that is not there', async () => {
    const look = lookIn(join(tmpdir(), 'no', 'such', 'folder'));
    expect(await look(box)).toEqual({ lines: [], problems: [] });
  });

  it('sees a change of the file at the next connection', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'known_hosts');
      const look = lookIn(file);
      expect((await look(box)).lines).toEqual([]);
      writeFileSync(file, `other.example ${KEY}\n`);
      expect((await look(box)).lines).toEqual([]);
      appendFileSync(file, `box.example ${KEY}\n`);
      expect((await look(box)).lines).toMatchObject([{ place: { line: 2 } }]);
      writeFileSync(file, `@revoked box.example ${KEY}\n`);
      expect((await look(box)).lines).toMatchObject([{ marker: 'revoked' }]);
    }));

  it('names a file that cannot be read, and uses the others', () =>
    withFolder(async (folder) => {
      const good = join(folder, 'good');
      writeFileSync(good, `box.example ${KEY}\n`);
      const look = openKnownHosts({
        user: [{ path: folder, shown: '~/.ssh/known_hosts' }],
        system: [{ path: good, shown: 'good' }],
      });
      const { lines, problems } = await look(box);
      expect(lines).toMatchObject([{ place: { file: 'good', line: 1 } }]);
      expect(problems).toMatchObject([
        { code: 'known-hosts-unreadable', message: expect.stringContaining('~/.ssh/known_hosts') },
      ]);
    }));

  it('names the lines that ssh passes over too, by number and reason', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'known_hosts');
      const broken = ['box.example ssh-ed25519', `@revokd box.example ${KEY}`, '# a comment', ''];
      writeFileSync(file, [...broken, `box.example ${KEY}`, ''].join('\n'));
      const { lines, problems } = await lookIn(file)(box);
      expect(lines).toMatchObject([{ place: { line: 5 } }]);
      expect(problems).toMatchObject([{ code: 'known-hosts-unreadable' }]);
      expect(problems[0]?.message).toMatch(
        /~\/\.ssh\/known_hosts, 2 lines .*line 1: a host, a key type.*line 2: the marker “@revokd”/,
      );
      // A file that is no known_hosts at all does not fill the screen.
      writeFileSync(file, 'word\n'.repeat(1000));
      const [all] = (await lookIn(file)(box)).problems;
      expect(all?.message).toContain('1000 lines');
      expect(all?.message).toContain('and 995 more');
      expect(all?.message.length).toBeLessThan(600);
    }));

  it('does not look for a file in whichever folder the app was started from', async () => {
    const look = openKnownHosts({ user: [], system: [] });
    const { problems } = await look({ ...box, knownHostsFiles: ['known_hosts'] });
    expect(problems).toMatchObject([{ code: 'known-hosts-unreadable' }]);
  });

  it('leaves a file alone that is too large to be one', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'known_hosts');
      writeFileSync(file, `box.example ${KEY}\n`);
      truncateSync(file, 16 * 1024 * 1024 + 1);
      expect(await lookIn(file)(box)).toMatchObject({
        lines: [],
        problems: [{ message: expect.stringContaining('16 MiB') }],
      });
    }));

  it('lets other work go on while it reads and compares a long file', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'known_hosts');
      const salt = 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=';
      writeFileSync(file, `|1|${salt}|${salt} ${KEY}\n`.repeat(5000));
      let turns = 0;
      let isReading = true;
      const count = (): void => {
        turns += 1;
        if (isReading) setImmediate(count);
      };
      setImmediate(count);
      await lookIn(file)(box);
      isReading = false;
      expect(turns).toBeGreaterThanOrEqual(20);
    }));

  it('looks where ssh looks', () => {
    const { user, system } = usualKnownHostsFiles({}, 'linux');
    expect([...user, ...system].map(({ shown }) => shown)).toEqual([
      '~/.ssh/known_hosts',
      '~/.ssh/known_hosts2',
      '/etc/ssh/ssh_known_hosts',
      '/etc/ssh/ssh_known_hosts2',
    ]);
    const [mine] = user;
    expect(mine?.path.endsWith(join('.ssh', 'known_hosts'))).toBe(true);
    expect(existsSync(mine?.path ?? '')).toBeTypeOf('boolean');
  });
});
