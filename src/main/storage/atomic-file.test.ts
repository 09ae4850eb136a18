import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replaceFile, sweepTemporaries } from './atomic-file.ts';
import { runAndKill, whyNoSmallDisk, withFolder, withSmallDisk } from './disk.fixture.ts';

const WRITER = new URL('./atomic-file.fixture.ts', import.meta.url);

describe('replaceFile', () => {
  it('creates and replaces, for the owner only', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'a.json');
      await replaceFile(file, 'one');
      await replaceFile(file, 'two €');
      expect(readFileSync(file, 'utf8')).toBe('two €');
      expect(readdirSync(folder)).toEqual(['a.json']);
      if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    }));

  it('replaces the file behind a link and keeps the link', () =>
    withFolder(async (folder) => {
      const [real, link] = [join(folder, 'real.json'), join(folder, 'link.json')];
      writeFileSync(real, 'old');
      symlinkSync(real, link);
      await replaceFile(link, 'new');
      expect(readFileSync(real, 'utf8')).toBe('new');
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
    }));

  it('makes the file that a link leads to, but takes no place on a disk that is away', () =>
    withFolder(async (folder) => {
      const link = join(folder, 'link.json');
      symlinkSync('real.json', link);
      await replaceFile(link, 'new');
      expect(readFileSync(join(folder, 'real.json'), 'utf8')).toBe('new');
      const away = join(folder, 'away.json');
      symlinkSync(join(folder, 'disk', 'away.json'), away);
      await expect(replaceFile(away, 'new')).rejects.toMatchObject({ code: 'ENOLINK' });
      expect(lstatSync(away).isSymbolicLink()).toBe(true);
      expect(readdirSync(folder).sort()).toEqual(['away.json', 'link.json', 'real.json']);
    }));

  it.skipIf(process.platform === 'win32')('takes the place of no FIFO and no device', () =>
    withFolder(async (folder) => {
      const [fifo, link] = [join(folder, 'fifo'), join(folder, 'link.json')];
      spawnSync('mkfifo', [fifo]);
      symlinkSync(fifo, link);
      for (const file of [fifo, link]) {
        await expect(replaceFile(file, 'new')).rejects.toMatchObject({ code: 'EINVAL' });
      }
      expect(lstatSync(fifo).isFIFO()).toBe(true);
      expect(readdirSync(folder).sort()).toEqual(['fifo', 'link.json']);
    }),
  );

  it('rejects and leaves nothing beside it when the target is a folder', () =>
    withFolder(async (folder) => {
      mkdirSync(join(folder, 'a.json', 'full'), { recursive: true });
      await expect(replaceFile(join(folder, 'a.json'), 'x')).rejects.toMatchObject({
        syscall: 'rename',
      });
      expect(readdirSync(folder)).toEqual(['a.json']);
    }));

  // The write is cut short without an error here, which is what atomically 2.1.1 does not notice.
  it.for([0, 4096, 8192])(
    'keeps the old file when only %d bytes are free',
    async (left, { skip }) => {
      skip(whyNoSmallDisk !== null, whyNoSmallDisk ?? '');
      await withSmallDisk(256, async ({ folder, fill, free }) => {
        const file = join(folder, 'a.json');
        await replaceFile(file, 'A'.repeat(20_000));
        fill(left);
        await expect(replaceFile(file, 'B'.repeat(20_000))).rejects.toMatchObject({
          code: 'ENOSPC',
        });
        expect(readFileSync(file, 'utf8')).toBe('A'.repeat(20_000));
        expect(readdirSync(folder).sort()).toEqual(['a.json', 'ballast']);
        free();
        await replaceFile(file, 'B'.repeat(20_000));
        expect(readFileSync(file, 'utf8')).toBe('B'.repeat(20_000));
      });
    },
  );

  it.each([1, 2, 13, 34, 100])(
    'survives kill -9 after %d saves: whole, and not older than what was told',
    (after) =>
      withFolder(async (folder) => {
        const file = join(folder, 'a.json');
        const told = await runAndKill(WRITER, [file], after);
        const found = JSON.parse(readFileSync(file, 'utf8')) as { n: number; padding: string };
        expect(found.n).toBeGreaterThanOrEqual(Number(told.at(-1)));
        expect(found.padding).toHaveLength((found.n * 997) % 20_000);
        await sweepTemporaries(file);
        expect(readdirSync(folder)).toEqual(['a.json']);
      }),
  );
});

describe('sweepTemporaries', () => {
  it('removes what a dead process left and nothing else', () =>
    withFolder(async (folder) => {
      const { pid: dead } = spawnSync(process.execPath, ['--version']);
      const kept = [
        'a.json',
        `a.json.tmp-${process.pid}-1`,
        'a.json.tmp-x',
        `b.json.tmp-${dead}-1`,
      ];
      for (const name of [...kept, `a.json.tmp-${dead}-7`]) writeFileSync(join(folder, name), '');
      await sweepTemporaries(join(folder, 'a.json'));
      expect(readdirSync(folder).sort()).toEqual(kept.sort());
    }));

  it('is quiet about a folder that is not there', async () => {
    await expect(sweepTemporaries(join('no', 'such', 'folder', 'a.json'))).resolves.toBeUndefined();
  });
});
