import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isThere } from '../runs/programs.fixture.ts';
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

/** Has a file mapped until its input ends, and tells so. */
const MAPS = `import mmap, sys
with open(sys.argv[1], "r+b") as file, mmap.mmap(file.fileno(), 0):
    print("mapped", flush=True)
    sys.stdin.readline()
`;

/** As the kernel writes it. */
const escaped = (path: string): string => path.replaceAll('\\', '\\134').replaceAll(' ', '\\040');
const mounted = (where: string, type: string): string =>
  `36 35 98:0 /a ${escaped(where)} rw,noatime master:1 - ${type} server:/data rw\n`;

describe.skipIf(process.platform !== 'linux').each(BOX_SHELLS)(
  'whether an unchanged time says that nothing was written, by $name',
  ({ shell, isInstalled }) => {
    const isTold = (at: string, mounts: readonly string[], programs = ''): boolean => {
      const info = join(root, 'mountinfo');
      writeFileSync(info, mounts.join(''));
      const words = `. ${onboxFolder}/parts/tells-writes.sh; tells_writes "$1"`;
      const path = `${programs}:${process.env['PATH'] ?? ''}`;
      const env = { PATH: path, LC_ALL: 'C', LEASEHOLD_MOUNTINFO: info };
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

    it.skipIf(!isInstalled)(
      'is not known where a program that hangs holds up who looks at it',
      () => {
        const slow = join(root, 'bin');
        mkdirSync(slow);
        writeFileSync(join(slow, 'grep'), '#!/bin/sh\nkill -9 $$\n', { mode: 0o755 });
        expect(isTold(folder, [mounted('/', 'overlay')], slow)).toBe(false);
      },
    );

    it.skipIf(!isInstalled || !isThere('python3'))(
      'and on what programs have mapped there, whose further writings change no time',
      async () => {
        const file = join(folder, 'embeddings.npy');
        writeFileSync(file, 'a'.repeat(4096));
        const own = [mounted('/', 'overlay')];
        const python = spawn('python3', ['-c', MAPS, file]);
        const lines = createInterface(python.stdout)[Symbol.asyncIterator]();
        try {
          expect((await lines.next()).value).toBe('mapped');
          for (const at of [folder, join(root, 'link'), root]) expect(isTold(at, own)).toBe(false);
          mkdirSync(join(root, 'a b'));
          expect(isTold(join(root, 'a b'), own)).toBe(true);
        } finally {
          python.stdin.end();
        }
        await once(python, 'close');
        expect(isTold(folder, own)).toBe(true);
      },
    );
  },
);
