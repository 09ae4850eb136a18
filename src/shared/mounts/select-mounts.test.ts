import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Mount } from './mount.ts';
import { holderOf, MAX_MEASURED, selectMounts } from './select-mounts.ts';

let made = 0;
function mount(path: string, part: Partial<Mount> = {}): Mount {
  made += 1;
  const device = `8:${made}`;
  return { id: path, path, source: '/dev/x', type: 'ext4', device, isReadOnly: false, ...part };
}
const nothing = (): boolean => false;
const pathsOf = (mounts: readonly Mount[]): readonly string[] => mounts.map(({ path }) => path);

describe('selectMounts', () => {
  it('asks each file system once, at its shortest path, and nothing of the system', () => {
    const disk = { device: '259:1' };
    const { chosen, leftOut } = selectMounts(
      [
        mount('/'),
        mount('/etc/hosts', disk),
        mount('/usr/bin/nvidia-smi', { isReadOnly: true }),
        mount('/data/deep', disk),
        mount('/data', disk),
        mount('/dev/shm', { type: 'tmpfs' }),
        mount('/run/user/0', { type: 'tmpfs' }),
        ...Array.from({ length: 3000 }, (_, at) => mount(`/var/lib/docker/overlay2/${at}/merged`)),
      ],
      nothing,
      [],
    );
    expect(pathsOf(chosen)).toEqual(['/', '/data', '/dev/shm']);
    expect(leftOut).toBe(0);
  });

  it('asks what a tier names, also where the same disk shows twice, and what could hang at the end', () => {
    const disk = { device: '259:1' };
    const { chosen } = selectMounts(
      [
        mount('/'),
        mount('/a', { type: 'nfs4' }),
        mount('/root/autodl-tmp', disk),
        mount('/cache', disk),
        mount('/lambda/nfs/one', { type: 'virtiofs' }),
      ],
      ({ path }) => path.startsWith('/lambda/nfs/'),
      ['/root/autodl-tmp/deep/folder', '/cache'],
    );
    expect(pathsOf(chosen)).toEqual(['/', '/cache', '/root/autodl-tmp', '/a', '/lambda/nfs/one']);
  });

  it('never asks more than it may, and counts the rest', () => {
    const many = Array.from({ length: 40 }, (_, at) => mount(`/disk${at}`));
    const { chosen, leftOut } = selectMounts([mount('/'), ...many], nothing, []);
    expect(chosen).toHaveLength(MAX_MEASURED);
    expect(leftOut).toBe(41 - MAX_MEASURED);
    expect(pathsOf(chosen)).toContain('/');
  });
});

it('finds the mount that holds a path as the kernel does: the longest one above it', () => {
  const folder = fc
    .array(fc.constantFrom('a', 'ab', 'b'), { maxLength: 4 })
    .map((parts) => `/${parts.join('/')}`);
  fc.assert(
    fc.property(fc.uniqueArray(folder, { maxLength: 6 }), folder, (paths, path) => {
      const above = paths.filter((each) => `${path}/`.startsWith(each === '/' ? '/' : `${each}/`));
      const longest = above.reduce<string | null>(
        (best, each) => (best === null || each.length > best.length ? each : best),
        null,
      );
      expect(
        holderOf(
          paths.map((each) => mount(each)),
          path,
        )?.path ?? null,
      ).toBe(longest);
    }),
    { numRuns: 200 },
  );
});
