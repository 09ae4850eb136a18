import { expect, it } from 'vitest';
import { checkOf } from '../preflight.fixture.ts';
import type { FileCount } from '../run-preflight.ts';

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
  const look = { ...ON_NFS, files: { kind: 'more', count: 100_000 } as const };
  expect(checkOf('files', { look })).toMatchObject({ gotcha: 'U25' });
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
