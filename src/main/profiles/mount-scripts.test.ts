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
import { BOX_SHELLS, runOnboxScript } from '../onbox/onbox-scripts.fixture.ts';
import type { OnboxScript } from '../onbox/onbox-scripts.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Mount } from '../../shared/mounts/mount.ts';
import { escapedPath, parseMeasured, parseMountList } from '../../shared/probes/mounts.ts';

const MARK = 'nonce';

describe.skipIf(process.platform !== 'linux').each(BOX_SHELLS)(
  'under $name',
  ({ name, shell, isInstalled }) => {
    let root: string;
    let limitS: string;
    beforeEach(({ skip }) => {
      skip(!isInstalled, `${name} is not installed`);
      root = realpathSync(mkdtempSync(join(tmpdir(), 'leasehold-mounts-')));
      mkdirSync(join(root, 'bin'));
      // Only a hang may be taken for one, and no busy machine.
      limitS = '60';
    });
    afterEach(() => rmSync(root, { recursive: true, force: true }));

    const run = (script: OnboxScript, env: Readonly<Record<string, string>>): Promise<string> =>
      runOnboxScript(shell, script, {
        PATH: `${join(root, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
        LEASEHOLD_MARK: MARK,
        LEASEHOLD_MOUNTINFO: join(root, 'mountinfo'),
        LEASEHOLD_PROC_MOUNTS: join(root, 'mounts'),
        LEASEHOLD_LIMIT_S: limitS,
        HOME: '/home/some body',
        ...env,
      });

    function tool(name: string, body: string): void {
      writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${body}\n`);
      chmodSync(join(root, 'bin', name), 0o755);
    }

    describe('list-mounts.sh', () => {
      const list = async () => parseMountList(await run('list-mounts.sh', {}), MARK);

      it('finds the real mounts among thousands that hold nothing', async () => {
        const pseudo = Array.from({ length: 5000 }, (_, at) =>
          ['cgroup', 'proc', 'nsfs', 'fuse.lxcfs']
            .map((type) => `9 9 0:9 / /x/${at} rw - ${type} ${type} rw`)
            .join('\n'),
        );
        const real =
          '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n28 27 0:61 / /mnt/a\\040b rw shared:1 - nfs4 s:/v rw';
        writeFileSync(join(root, 'mountinfo'), `${pseudo.join('\n')}\n${real}\n`);
        expect(await list()).toMatchObject({
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

      it('bounds what it says of thousands that do hold something', async () => {
        const lines = Array.from(
          { length: 20_000 },
          (_, at) => `9 9 0:${at} / /${'y'.repeat(90)}/${at} rw - ext4 /dev/x rw`,
        );
        writeFileSync(join(root, 'mountinfo'), `${lines.join('\n')}\n`);
        const text = await run('list-mounts.sh', {});
        expect(text.length).toBeLessThan(450_000);
        expect(parseMountList(text, MARK)).toMatchObject({ isWhole: true });
      });

      it('touches none of them', async () => {
        writeFileSync(join(root, 'mountinfo'), '27 1 254:0 / / rw - ext4 /dev/vda rw\n');
        for (const name of ['df', 'findmnt', 'stat', 'mount'])
          tool(name, `echo called >>"${root}/called"`);
        expect((await list()).mounts).toHaveLength(1);
        expect(() => realpathSync(join(root, 'called'))).toThrow('ENOENT');
      });

      it('reads the older list of a kernel that has no better one', async () => {
        writeFileSync(join(root, 'mounts'), 'proc /proc proc rw 0 0\n/dev/vda / ext4 rw 0 0\n');
        expect((await list()).mounts).toMatchObject([{ path: '/', type: 'ext4' }]);
      });

      it('says nothing rather than a part where there is no list', async () => {
        expect(await list()).toMatchObject({ mounts: [], isWhole: true });
      });
    });

    describe('measure-mounts.sh', () => {
      async function measure(
        paths: readonly string[],
        places: readonly string[] = [],
        kind: 'far' | 'local' = 'far',
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
        return parseMeasured(await run('measure-mounts.sh', values), MARK, { mounts, places });
      }

      it('measures, whatever the name is', async () => {
        const names = [
          'a b',
          'q\'"`$(touch boom)',
          'new\nline',
          '-n',
          'back\\slash',
          'tail\n',
          '*',
        ];
        const paths = names.map((name) => join(root, name));
        for (const path of paths) mkdirSync(path);
        const { mounts, places } = await measure(paths, paths);
        for (const { usage } of mounts) {
          expect(usage?.totalKiB).toBeGreaterThan(0);
          expect(usage?.inodesTotal).not.toBe(0);
        }
        expect(places.map(({ kind }) => kind)).toEqual(names.map(() => 'there'));
        expect(() => realpathSync(join(root, 'boom'))).toThrow('ENOENT');
      });

      it('tells where a folder leads, and which is not there', async () => {
        mkdirSync(join(root, 'real'));
        symlinkSync(join(root, 'real'), join(root, 'link'));
        const { places } = await measure([], [join(root, 'link'), join(root, 'none')]);
        expect(places).toEqual([{ kind: 'there', path: join(root, 'real') }, { kind: 'absent' }]);
      });

      it('is not held up by mounts that never answer, and asks no further ones after three', async () => {
        // As a dead server's: deaf to everything but KILL.
        const real = spawnSync('sh', ['-c', 'command -v df'], { encoding: 'utf8' }).stdout.trim();
        tool(
          'df',
          `case $* in *hung*) trap '' TERM HUP INT; while :; do sleep 100; done ;; esac\nexec ${real} "$@"`,
        );
        const hung = [1, 2, 3, 4, 5].map((at) => join(root, `hung${String(at)}`));
        limitS = '2';
        const { mounts } = await measure(['/', ...hung]);
        expect(mounts[0]?.usage).not.toBeNull();
        expect(mounts.slice(1).map(({ because }) => because?.slice(0, 10))).toEqual([
          'it did not',
          'it did not',
          'it did not',
          'it was not',
          'it was not',
        ]);
      });

      it('asks nothing that could hang where it could not end the question', async () => {
        tool('timeout', 'exit 1');
        expect((await measure(['/'])).mounts[0]).toMatchObject({
          usage: null,
          because: expect.stringContaining('no `timeout`'),
        });
        expect((await measure(['/'], [], 'local')).mounts[0]?.usage).not.toBeNull();
      });

      it('reads busybox’s df', async ({ skip }) => {
        skip(
          !BOX_SHELLS.some((each) => each.isInstalled && each.name === 'busybox sh'),
          'busybox is not installed',
        );
        tool('df', 'exec busybox df "$@"');
        const [mount] = (await measure(['/'])).mounts;
        expect(mount?.usage?.totalKiB).toBeGreaterThan(0);
      });
    });
  },
);
