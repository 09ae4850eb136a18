import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Mount } from '../../shared/mounts/mount.ts';
import { escapedPath, parseMeasured, parseMountList } from '../../shared/probes/mounts.ts';

// Real df under four shells: only a hang should end a test, not a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const ONBOX = fileURLToPath(new URL('../../../resources/onbox', import.meta.url));
const SHELLS = [['sh'], ['dash'], ['bash'], ['busybox', 'sh']] as const;
const runs = (shell: readonly string[]): boolean =>
  spawnSync(shell[0] ?? '', [...shell.slice(1), '-c', ':']).status === 0;
const MARK = 'nonce';

describe
  .skipIf(process.platform !== 'linux')
  .each(SHELLS.map((shell) => [shell.join(' '), shell] as const))('under %s', (_name, shell) => {
  let root: string;
  beforeEach(({ skip }) => {
    skip(!runs(shell), `${shell.join(' ')} is not installed`);
    root = realpathSync(mkdtempSync(join(tmpdir(), 'leasehold-mounts-')));
    mkdirSync(join(root, 'bin'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function run(script: string, env: Readonly<Record<string, string>>, path?: string): string {
    const { stdout, error } = spawnSync(shell[0], [...shell.slice(1), join(ONBOX, script)], {
      encoding: 'utf8',
      timeout: 50_000,
      env: {
        PATH: path ?? `${join(root, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
        LEASEHOLD_MARK: MARK,
        LEASEHOLD_MOUNTINFO: join(root, 'mountinfo'),
        LEASEHOLD_PROC_MOUNTS: join(root, 'mounts'),
        LEASEHOLD_LIMIT_S: '0.3',
        HOME: '/home/some body',
        ...env,
      },
    });
    if (error !== undefined) throw error;
    return stdout;
  }

  function tool(name: string, body: string): void {
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(root, 'bin', name), 0o755);
  }

  describe('list-mounts.sh', () => {
    const list = (path?: string) => parseMountList(run('list-mounts.sh', {}, path), MARK);

    it('finds the real mounts among thousands that hold nothing', () => {
      const pseudo = Array.from({ length: 5000 }, (_, at) =>
        ['cgroup', 'proc', 'nsfs', 'fuse.lxcfs']
          .map((type) => `9 9 0:9 / /x/${at} rw - ${type} ${type} rw`)
          .join('\n'),
      );
      const real =
        '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n28 27 0:61 / /mnt/a\\040b rw shared:1 - nfs4 s:/v rw';
      writeFileSync(join(root, 'mountinfo'), `${pseudo.join('\n')}\n${real}\n`);
      expect(list()).toMatchObject({
        mounts: [
          { path: '/', type: 'ext4' },
          { path: '/mnt/a b', id: '/mnt/a\\040b', type: 'nfs4' },
        ],
        home: '/home/some body',
        user: expect.any(String),
        tmpdir: null,
        isWhole: true,
      });
    });

    it('bounds what it says of thousands that do hold something', () => {
      const lines = Array.from(
        { length: 20_000 },
        (_, at) => `9 9 0:${at} / /${'y'.repeat(90)}/${at} rw - ext4 /dev/x rw`,
      );
      writeFileSync(join(root, 'mountinfo'), `${lines.join('\n')}\n`);
      const text = run('list-mounts.sh', {});
      expect(text.length).toBeLessThan(450_000);
      expect(parseMountList(text, MARK)).toMatchObject({ isWhole: true });
    });

    it('touches none of them', () => {
      writeFileSync(join(root, 'mountinfo'), '27 1 254:0 / / rw - ext4 /dev/vda rw\n');
      for (const name of ['df', 'findmnt', 'stat', 'mount'])
        tool(name, `echo called >>"${root}/called"`);
      expect(list().mounts).toHaveLength(1);
      expect(() => realpathSync(join(root, 'called'))).toThrow('ENOENT');
    });

    it('reads the older list of a kernel that has no better one', () => {
      writeFileSync(join(root, 'mounts'), 'proc /proc proc rw 0 0\n/dev/vda / ext4 rw 0 0\n');
      expect(list().mounts).toMatchObject([{ path: '/', type: 'ext4' }]);
    });

    it('says nothing rather than a part where there is no list', () => {
      expect(list()).toMatchObject({ mounts: [], isWhole: true });
    });
  });

  describe('measure-mounts.sh', () => {
    function measure(
      paths: readonly string[],
      places: readonly string[] = [],
      { kind = 'far', path }: { readonly kind?: 'far' | 'local'; readonly path?: string } = {},
    ) {
      const mounts = paths.map((each): Mount => ({
        id: escapedPath(each),
        path: each,
        source: 'x',
        type: 'nfs4',
        device: each,
        isReadOnly: false,
      }));
      const values = {
        LEASEHOLD_MOUNTS: mounts.map(({ id }) => `${kind}:${id}`).join(' '),
        LEASEHOLD_PLACES: places.map(escapedPath).join(' '),
      };
      return parseMeasured(run('measure-mounts.sh', values, path), MARK, { mounts, places });
    }

    it('measures, whatever the name is', () => {
      const names = ['a b', 'q\'"`$(touch boom)', 'new\nline', '-n', 'back\\slash', 'tail\n', '*'];
      const paths = names.map((name) => join(root, name));
      for (const path of paths) mkdirSync(path);
      const { mounts, places } = measure(paths, paths);
      for (const { usage } of mounts) {
        expect(usage?.totalKiB).toBeGreaterThan(0);
        expect(usage?.inodesTotal).not.toBe(0);
      }
      expect(places.map(({ kind }) => kind)).toEqual(names.map(() => 'there'));
      expect(() => realpathSync(join(root, 'boom'))).toThrow('ENOENT');
    });

    it('tells where a folder leads, and which is not there', () => {
      mkdirSync(join(root, 'real'));
      symlinkSync(join(root, 'real'), join(root, 'link'));
      const { places } = measure([], [join(root, 'link'), join(root, 'none')]);
      expect(places).toEqual([{ kind: 'there', path: join(root, 'real') }, { kind: 'absent' }]);
    });

    it('is not held up by mounts that never answer, and asks no further ones after three', () => {
      // As a dead server's: deaf to everything but KILL.
      const real = spawnSync('sh', ['-c', 'command -v df'], { encoding: 'utf8' }).stdout.trim();
      tool(
        'df',
        `case $* in *hung*) trap '' TERM HUP INT; while :; do sleep 100; done ;; esac\nexec ${real} "$@"`,
      );
      const hung = [1, 2, 3, 4, 5].map((at) => join(root, `hung${String(at)}`));
      const startMs = performance.now();
      const { mounts } = measure(['/', ...hung]);
      expect(performance.now() - startMs).toBeLessThan(45_000);
      expect(mounts[0]?.usage).not.toBeNull();
      expect(mounts.slice(1).map(({ because }) => because?.slice(0, 10))).toEqual([
        'it did not',
        'it did not',
        'it did not',
        'it was not',
        'it was not',
      ]);
    });

    it('asks nothing that could hang where it could not end the question', () => {
      tool('timeout', 'exit 1');
      expect(measure(['/']).mounts[0]).toMatchObject({
        usage: null,
        because: expect.stringContaining('no `timeout`'),
      });
      expect(measure(['/'], [], { kind: 'local' }).mounts[0]?.usage).not.toBeNull();
    });

    it('reads busybox’s df', ({ skip }) => {
      skip(!runs(['busybox', 'sh']), 'busybox is not installed');
      tool('df', 'exec busybox df "$@"');
      const [mount] = measure(['/']).mounts;
      expect(mount?.usage?.totalKiB).toBeGreaterThan(0);
    });
  });
});
