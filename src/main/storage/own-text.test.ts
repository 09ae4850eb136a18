import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFolder } from './disk.fixture.ts';
import { awayTarget, readOwnText, readOwnTextNow, targetOf } from './own-text.ts';

const READERS = [
  ['readOwnText', readOwnText],
  ['readOwnTextNow', readOwnTextNow],
] as const;

it.each(READERS)('%s reads nothing of a file that is larger than any of ours', (_name, read) =>
  withFolder(async (folder) => {
    const file = join(folder, 'a');
    writeFileSync(file, 'a'.repeat(8 * 1024 * 1024));
    expect(await read(file)).toHaveLength(8 * 1024 * 1024);
    writeFileSync(file, 'a', { flag: 'a' });
    expect(await read(file)).toBe('');
    expect(await read(file, 8 * 1024 * 1024 + 1)).not.toBe('');
  }),
);

it.skipIf(process.platform === 'win32').each(READERS)(
  '%s refuses a FIFO, also behind a link',
  (_name, read) =>
    withFolder(async (folder) => {
      spawnSync('mkfifo', [join(folder, 'fifo')]);
      symlinkSync('fifo', join(folder, 'link'));
      for (const name of ['fifo', 'link']) {
        await expect((async () => read(join(folder, name)))()).rejects.toThrow('no ordinary file');
      }
    }),
);

it('a link is followed to its end', () =>
  withFolder((folder) => {
    symlinkSync('b', join(folder, 'a'));
    symlinkSync(join('gone', 'c'), join(folder, 'b'));
    expect(targetOf(join(folder, 'a'))).toBe(join(folder, 'gone', 'c'));
    expect(awayTarget(join(folder, 'a'))).toBe(join(folder, 'gone', 'c'));
    expect(targetOf(folder)).toBeNull();
  }));

it('a link that goes round in a circle leads nowhere', () =>
  withFolder((folder) => {
    symlinkSync('b', join(folder, 'a'));
    symlinkSync('a', join(folder, 'b'));
    expect(targetOf(join(folder, 'a'))).toBeNull();
    expect(awayTarget(join(folder, 'a'))).toBeNull();
  }));
