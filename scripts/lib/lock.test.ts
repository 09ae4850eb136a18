import { spawnSync } from 'node:child_process';
import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withLock } from './lock.mjs';

vi.mock('./say.mjs');

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leasehold-lock-'));
  path = join(folder, 'below', 'lock');
});
afterEach(() => rm(folder, { recursive: true }));

describe('a lock', () => {
  it('lets one in at a time, and is gone afterwards', async () => {
    let inside = 0;
    let most = 0;
    const work = (): Promise<void> =>
      withLock(path, async () => {
        inside += 1;
        most = Math.max(most, inside);
        await access(path);
        inside -= 1;
      });
    await Promise.all(Array.from({ length: 6 }, work));
    expect(most).toBe(1);
    expect(await readdir(join(folder, 'below'))).toEqual([]);
  });

  it('is given back when the work fails', async () => {
    await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withLock(path, () => Promise.resolve('next'))).toBe('next');
  });

  it('is taken over from a process that is gone', async () => {
    path = join(folder, 'lock');
    const { pid } = spawnSync(process.execPath, ['--version']);
    await writeFile(path, String(pid));
    expect(await withLock(path, () => Promise.resolve('mine'))).toBe('mine');
  });
});
