import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TreeLookReader } from '../../shared/transfer/read-tree-look.ts';
import type { TreeLook } from '../../shared/transfer/tree-look.ts';
import { whyNoSmallDisk, withSmallDisk } from '../storage/disk.fixture.ts';
import { isThere, programsBut, whereIs } from '../runs/programs.fixture.ts';
import { BOX_SHELLS, onboxScripts, runOnboxScript } from '../onbox/onbox-scripts.fixture.ts';

function lookIn(stdout: string): TreeLook | null {
  const reader = new TreeLookReader('MARK');
  for (const line of stdout.split('\n')) reader.take(line);
  return reader.end();
}

/** Nothing is kept, staged or odd. */
const LOOK = {
  LEASEHOLD_MARK: 'MARK',
  LEASEHOLD_KEY: 'key',
  LEASEHOLD_TREE: '',
  LEASEHOLD_TRUST: '',
  LEASEHOLD_KEEP: '',
  LEASEHOLD_RECORDED: '',
  LEASEHOLD_ODD: '',
} as const;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-tree-'));
  mkdirSync(join(home, 'bin'));
  // As whoever enters a folder of a dead server: deaf to everything but KILL.
  const hung = `#!/bin/sh\ncase $* in *hung*) trap '' TERM HUP INT; exec sleep 600 ;; esac\nexec /bin/sh "$@"\n`;
  writeFileSync(join(home, 'bin/sh'), hung, { mode: 0o755 });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe.skipIf(process.platform !== 'linux').each(BOX_SHELLS)(
  'a look at a folder for code, by $name',
  ({ shell, isInstalled }) => {
    it.skipIf(!isInstalled).each([true, false])(
      'ends where that never answers (the box has timeout: %s)',
      async (hasTimeout) => {
        if (!hasTimeout) {
          writeFileSync(join(home, 'bin/timeout'), '#!/bin/sh\nexit 127\n', {
            mode: 0o755,
          });
        }
        const said = await runOnboxScript(shell, 'tree-look.sh', {
          PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
          HOME: home,
          ...LOOK,
          LEASEHOLD_FOLDER: '~/hung',
        });
        expect(lookIn(said)).toMatchObject({
          kind: 'late',
          near: 'late',
        });
      },
    );

    it.skipIf(!isInstalled || whyNoSmallDisk !== null)(
      'hashes as well where there is no room to keep hashes, and what was kept stays',
      () =>
        withSmallDisk(64, async (disk) => {
          mkdirSync(join(disk.folder, 'state'));
          mkdirSync(join(home, '.local'));
          symlinkSync(join(disk.folder, 'state'), join(home, '.local/state'));
          mkdirSync(join(home, 'code'));
          const names = Array.from({ length: 200 }, (_, at) => `a file of some name ${String(at)}`);
          for (const name of names) writeFileSync(join(home, 'code', name), name);
          const past = new Date(Date.now() - 10_000);
          for (const name of names) utimesSync(join(home, 'code', name), past, past);
          const looked = async () => {
            const { stdout } = spawnSync(
              whereIs(shell[0]),
              [...shell.slice(1), '-c', await onboxScripts.textOf('tree-look.sh')],
              {
                encoding: 'utf8',
                input: names.map((name) => `./${name}\0`).join(''),
                env: {
                  ...{ PATH: process.env['PATH'] ?? '', HOME: home, ...LOOK },
                  ...{ LEASEHOLD_KEEP: 'yes', LEASEHOLD_TRUST: 'yes', LEASEHOLD_FOLDER: '~/code' },
                },
              },
            );
            const seen = [...(lookIn(stdout)?.seen.values() ?? [])];
            return seen.filter((each) => each.kind === 'file' && each.sha256 !== null).length;
          };
          const folder = join(disk.folder, 'state/leasehold/trees');
          const kept = () =>
            readFileSync(join(folder, 'key.hashes'), 'utf8').split('\n').length - 1;
          // What was written in the very moment before is not kept.
          await vi.waitFor(async () => {
            expect(await looked()).toBe(200);
            expect(kept()).toBe(200);
          });
          for (const leave of [0, 4096]) {
            disk.fill(leave);
            expect(await looked()).toBe(200);
            expect(readdirSync(folder)).toEqual(['key.hashes']);
            expect(kept()).toBe(200);
          }
          for (const name of names) writeFileSync(join(home, 'code', name), 'anew');
          expect(await looked()).toBe(200);
          expect(readdirSync(folder)).toEqual(['key.hashes']);
        }),
    );

    it.skipIf(!isInstalled).for([
      ['with its openssl', 'exec /usr/bin/openssl "$@"', []],
      ['where its openssl refuses', 'exit 1', []],
      ['with python alone', 'exit 1', ['sha256sum', 'shasum', 'busybox']],
      ['with a busybox that has no links', 'exit 1', ['sha256sum', 'shasum', 'python3']],
    ] as const)('hashes small and large files, %s', async ([where, openssl, lacking], { skip }) => {
      skip(where === 'with python alone' && !isThere('python3'), 'there is no python3 here');
      writeFileSync(join(home, 'bin/openssl'), `#!/bin/sh\n${openssl}\n`, {
        mode: 0o755,
      });
      mkdirSync(join(home, 'code'));
      const files = new Map([
        ['a b.txt', Buffer.from('small')],
        ["it's.json", Buffer.from('{}')],
        ['large.bin', Buffer.alloc(10_000_001, 7)],
        ['larger.bin', Buffer.alloc(12_000_001, 8)],
      ]);
      for (const [name, bytes] of files) writeFileSync(join(home, 'code', name), bytes);
      const { stdout } = spawnSync(
        whereIs(shell[0]),
        [...shell.slice(1), '-c', await onboxScripts.textOf('tree-look.sh')],
        {
          encoding: 'utf8',
          input: [...files.keys()].map((name) => `./${name}\0`).join(''),
          env: {
            PATH: `${join(home, 'bin')}:${lacking.length === 0 ? (process.env['PATH'] ?? '') : programsBut(lacking)}`,
            HOME: home,
            ...LOOK,
            LEASEHOLD_FOLDER: '~/code',
          },
        },
      );
      const hashes = [...(lookIn(stdout)?.seen ?? [])].map(([name, seen]) => [
        name,
        seen.kind === 'file' ? seen.sha256 : null,
      ]);
      expect(hashes).toEqual(
        [...files].map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')]),
      );
    });
  },
);
