import { describe, expect, it } from 'vitest';
import { checkOf } from '../preflight.fixture.ts';
import type { FileCount, NamedLook } from '../run-preflight.ts';

const ON_NFS = { folderDisk: { path: '/root/w', type: 'nfs4', mount: '/root' } };

it('warns of a working folder on a network file system, whatever that is (U8)', () => {
  expect(checkOf('storage')).toMatchObject({ answer: 'pass' });
  for (const type of ['nfs4', 'fuse.sshfs', 'ceph', 'lustre', '9p', 'virtiofs']) {
    const folderDisk = { ...ON_NFS.folderDisk, type };
    expect(checkOf('storage', { look: { folderDisk } })).toMatchObject({
      answer: 'warn',
      gotcha: 'U8',
      says: expect.stringContaining(`lies on ${type} (/root)`) as string,
    });
  }
  const untold = { path: '/root/w', type: null, mount: null };
  expect(checkOf('storage', { look: { folderDisk: untold } })).toMatchObject({ answer: 'unknown' });
  expect(checkOf('storage', { look: { folderDisk: null } })).toBeNull();
});

it.each<[FileCount | null, string]>([
  [{ kind: 'all', count: 12 }, 'pass'],
  [{ kind: 'all', count: 100_000 }, 'warn'],
  [{ kind: 'more', count: 100_000 }, 'warn'],
  [{ kind: 'late', count: 5000 }, 'unknown'],
  [null, 'unknown'],
])('counts files where each costs a question to a server: %j is %s (U25)', (files, answer) => {
  expect(checkOf('files', { look: { ...ON_NFS, files } })).toMatchObject({ answer });
  expect(checkOf('files', { look: { files } })).toBeNull();
});

it('names the entry of many small files (U25)', () => {
  for (const kind of ['more', 'late'] as const) {
    const look = { ...ON_NFS, files: { kind, count: 100_000 } };
    expect(checkOf('files', { look })).toMatchObject({ gotcha: 'U25' });
  }
  expect(checkOf('files', { look: { ...ON_NFS, files: null } })).toMatchObject({ gotcha: 'U25' });
});

it('looks at where the data is fetched into, where a request fetches any (U8, U25)', () => {
  const request = { fetch: [{ into: 'data', run: 'wget -c a' }] };
  const dataDisk = { path: '/mnt/nfs/data', type: 'nfs4', mount: '/mnt/nfs' };
  const files = { kind: 'more', count: 100_000 } as const;
  expect(checkOf('storage', { request, look: { dataDisk } })).toMatchObject({
    answer: 'warn',
    says: expect.stringContaining('data lies on nfs4 (/mnt/nfs)') as string,
  });
  expect(checkOf('files', { request, look: { dataDisk, dataFiles: files } })).toMatchObject({
    answer: 'warn',
    says: expect.stringContaining('data holds more than') as string,
  });
  expect(checkOf('files', { request, look: { dataDisk } })).toBeNull();
  const local = { ...dataDisk, type: 'ext4' };
  expect(checkOf('storage', { request, look: { ...ON_NFS, dataDisk: local } })).toMatchObject({
    answer: 'pass',
  });
});

it('does not take a disk that told nothing for a local one, and looks at the folder as well (U8, U25)', () => {
  const request = { fetch: [{ into: 'data', run: 'wget -c a' }] };
  expect(checkOf('storage', { request, look: ON_NFS })).toMatchObject({
    answer: 'unknown',
    says: 'On which kind of file system data lies is not known.',
  });
  expect(checkOf('folder-storage', { request, look: ON_NFS })).toMatchObject({ answer: 'warn' });
  const dataDisk = { path: '/fast/data', type: 'ext4', mount: '/fast' };
  expect(checkOf('folder-storage', { request, look: { ...ON_NFS, dataDisk } })).toBeNull();
  const files = { kind: 'more', count: 100_000 } as const;
  expect(checkOf('folder-files', { request, look: { ...ON_NFS, dataDisk, files } })).toMatchObject({
    answer: 'warn',
    says: expect.stringContaining('The working folder holds more than') as string,
  });
  expect(checkOf('folder-files', { look: { ...ON_NFS, files } })).toBeNull();
});

describe('what is written on another disk than the working folder', () => {
  const room = (freeBytes: number, freeInodes = 9) => ({
    ...{ bytes: 20 * 1024 ** 3, freeBytes, inodes: 10, freeInodes },
  });
  const HALF = 10 * 1024 ** 3;
  const disk = { path: '/other/x', type: 'ext4', mount: '/other' };
  it.each([
    ['log-space', 'stateDisk', 'stateRoom', 'The run folder, in which its log grows, lies'],
    ['results-space', 'resultsDisk', 'resultsRoom', 'The results lie'],
    ['data-space', 'dataDisk', 'dataRoom', 'The data is fetched to a folder'],
  ] as const)('has its own space: %s (U7)', (id, at, has, what) => {
    const told = (free: number, inodes?: number) =>
      checkOf(id, { look: { [at]: disk, [has]: room(free, inodes) } });
    expect(told(HALF)).toMatchObject({
      answer: 'pass',
      says: `${what} on another disk than the working folder (/other): 10.0 GiB free of 20.0 GiB.`,
    });
    expect(told(1024 ** 3)).toMatchObject({ answer: 'warn', gotcha: 'U7' });
    for (const full of [told(0), told(HALF, 0)]) {
      expect(full).toMatchObject({ answer: 'block', gotcha: 'U7' });
      expect(full?.anyway).not.toBeNull();
    }
    expect(told(HALF, 0)?.says).toContain('no inodes left');
    // Of the one disk the plan says it once.
    expect(checkOf(id, { look: { [at]: { ...disk, mount: '/' }, [has]: room(0) } })).toBeNull();
    expect(checkOf(id, { look: { [at]: null, [has]: room(0) } })).toBeNull();
  });
});

describe('data that the request names', () => {
  const on = (name: string, type: string, files: FileCount | null = null): NamedLook => ({
    ...{ name, kind: 'open', files },
    disk: { path: '/mnt/set', type, mount: '/mnt' },
  });

  it('warns where it lies on a server, with what that is (U8)', () => {
    const named = [on('/mnt/set', 'nfs4'), on('/mnt/val', 'fuse.sshfs'), on('/scratch', 'ext4')];
    expect(checkOf('named-storage', { look: { named } })).toEqual({
      ...{ id: 'named-storage', title: 'Storage of named folders', anyway: null },
      ...{ answer: 'warn', gotcha: 'U8' },
      says: '/mnt/set lies on nfs4 (/mnt), which may be slow to read. Copy the data to a local disk first if the GPU waits for it. The same goes for /mnt/val.',
    });
    expect(checkOf('named-storage', { look: { named: [on('/d', 'ext4')] } })).toBeNull();
    expect(checkOf('named-storage')).toBeNull();
  });

  it('does not know of what nobody answered for', () => {
    const late: NamedLook = { name: '/mnt/val', kind: 'late', disk: null, files: null };
    for (const one of [late, { ...late, kind: 'open' as const }]) {
      expect(checkOf('named-storage', { look: { named: [one] } })).toMatchObject({
        answer: 'unknown',
        says: expect.stringContaining('/mnt/val') as string,
      });
    }
  });

  it('warns of very many files there, and of no others (U25)', () => {
    const few: FileCount = { kind: 'all', count: 3 };
    const more: FileCount = { kind: 'more', count: 100_000 };
    expect(
      checkOf('named-files', {
        look: { named: [on('/mnt/set', 'nfs4', few), on('/mnt/val', 'nfs4', more)] },
      }),
    ).toMatchObject({
      answer: 'warn',
      gotcha: 'U25',
      says: expect.stringContaining('/mnt/val holds more than 100000 files') as string,
    });
    expect(checkOf('named-files', { look: { named: [on('/d', 'nfs4', few)] } })).toMatchObject({
      answer: 'pass',
    });
    expect(checkOf('named-files', { look: { named: [on('/d', 'ext4')] } })).toBeNull();
  });
});
