import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { whyNoSmallDisk, withFolder, withSmallDisk } from '../storage/disk.fixture.ts';
import { folderId, idOf, isSame, whyOtherFolder, type FolderId } from './folder-id.ts';

async function idThere(folder: string): Promise<FolderId> {
  const id = await idOf(folder);
  if (id === null) throw new Error(`no folder: ${folder}`);
  // As it is kept.
  return folderId.parse(JSON.parse(JSON.stringify(id)));
}

describe('the folder that a pull began with', () => {
  it('is the same whatever was written to it, and another once it is made anew', () =>
    withFolder(async (parent) => {
      const to = join(parent, 'results');
      mkdirSync(to);
      const id = await idThere(to);
      writeFileSync(join(to, 'a'), 'a');
      utimesSync(to, 0, 0);
      expect(await whyOtherFolder(to, id)).toBeNull();
      rmSync(to, { recursive: true });
      expect((await whyOtherFolder(to, id))?.message).toContain('is not there');
      writeFileSync(to, 'a file');
      expect((await whyOtherFolder(to, id))?.message).toContain('is not there');
    }));

  it('is not asked about where the pull began before that was kept', () =>
    withFolder(async (parent) => {
      expect(await whyOtherFolder(join(parent, 'gone'), undefined)).toBeNull();
    }));

  it('is not told by its numbers alone: a network disk has others each time it is mounted', () => {
    const begun: FolderId = { device: '40', inode: '7', bornNs: '0' };
    expect(isSame(begun, { device: '41', inode: '8', bornNs: '0' })).toBe(true);
    // What it is mounted over keeps when it was made.
    expect(isSame(begun, { ...begun, bornNs: '5' })).toBe(false);
    const kept = { ...begun, bornNs: '5' };
    expect(isSame(kept, { ...kept, device: '41' })).toBe(true);
    expect(isSame(kept, { ...kept, inode: '8' })).toBe(true);
    expect(isSame(kept, { device: '41', inode: '8', bornNs: '5' })).toBe(false);
  });

  it.skipIf(whyNoSmallDisk !== null)(
    'is another where its disk is away, or another one is',
    ({ skip }) =>
      withSmallDisk(64, (disk) =>
        withFolder(async (place) => {
          const to = join(place, 'results');
          // What the disk is mounted over has a folder of that name too.
          mkdirSync(to);
          mkdirSync(join(disk.folder, 'results'));
          const mount = (...args: readonly string[]): void => {
            expect(spawnSync('mount', [...args, place]).status).toBe(0);
          };
          const unmount = (): void => {
            expect(spawnSync('umount', ['--lazy', place]).status).toBe(0);
          };
          try {
            mount('--bind', disk.folder);
            const id = await idThere(to);
            skip(
              id.bornNs === '0',
              'tmpfs keeps no birth time on this kernel, nor is one asked for',
            );
            unmount();
            expect((await whyOtherFolder(to, id))?.message).toContain('is not the folder');
            mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs');
            expect((await whyOtherFolder(to, id))?.message).toContain('is not there');
            mkdirSync(to);
            expect((await whyOtherFolder(to, id))?.message).toContain('is not the folder');
            unmount();
            mount('--bind', disk.folder);
            expect(await whyOtherFolder(to, id)).toBeNull();
          } finally {
            // Also what a failed test has left.
            spawnSync('umount', ['--lazy', place]);
          }
        }),
      ),
  );
});
