import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BOX_SHELLS, onboxFolder } from './onbox-scripts.fixture.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-mounts-'));
  folder = join(root, 'a b\\é');
  mkdirSync(folder);
  symlinkSync(folder, join(root, 'link'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** As the kernel writes it. */
const escaped = (path: string): string => path.replaceAll('\\', '\\134').replaceAll(' ', '\\040');
const mounted = (where: string, type: string): string =>
  `36 35 98:0 /a ${escaped(where)} rw,noatime master:1 - ${type} server:/data rw\n`;

describe.skipIf(process.platform !== 'linux').each(BOX_SHELLS)(
  'whether an unchanged time says that nothing was written, by $name',
  ({ shell, isInstalled }) => {
    const isTold = (at: string, mounts: readonly string[]): boolean => {
      const info = join(root, 'mountinfo');
      writeFileSync(info, mounts.join(''));
      const words = `. ${onboxFolder}/parts/tells-writes.sh; tells_writes "$1"`;
      const env = { PATH: process.env['PATH'], LC_ALL: 'C', LEASEHOLD_MOUNTINFO: info };
      const [name, ...args] = shell;
      return spawnSync(name, [...args, '-c', words, name, at], { env }).status === 0;
    };

    it.skipIf(!isInstalled)('depends on each file system in that folder, too', () => {
      const own = mounted('/', 'overlay');
      expect(isTold(folder, [own])).toBe(true);
      expect(isTold(folder, [own, mounted(`${folder}/deep/er`, 'ext4')])).toBe(true);
      for (const at of [folder, `${folder}/`, join(folder, '../link')]) {
        expect(isTold(at, [own, mounted(`${folder}/deep/er`, 'nfs4')])).toBe(false);
      }
      expect(isTold(folder, [mounted(`${folder}/x`, 'fuse.sshfs'), own])).toBe(false);
      // Another folder, and the one that this lies in, are no part of it.
      expect(isTold(folder, [own, mounted(`${folder}2`, 'nfs4')])).toBe(true);
      expect(isTold(folder, [own, mounted(folder.slice(0, -1), 'nfs4')])).toBe(true);
      expect(isTold(join(root, 'gone'), [own])).toBe(false);
    });
  },
);
