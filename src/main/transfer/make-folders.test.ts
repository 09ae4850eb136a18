import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sha256 } from '../storage/sha256.ts';
import { settleFiles } from '../workers/settle-files.ts';
import { makeFolders, makeRoot } from './make-folders.ts';

/** Which places were asked to be on the disk, and how one of them answers. No disk here fails when it is told to. */
const flushed = vi.hoisted((): { places: string[]; failing: string | null; code: string } => ({
  ...{ places: [], failing: null, code: 'EIO' },
}));
vi.mock(import('node:fs'), async (original) => {
  const real = await original();
  const placeOf = new Map<number, string>();
  type Done<T> = (failed: NodeJS.ErrnoException | null, value: T) => void;
  const open = (place: string, flags: string, done: Done<number>): void =>
    real.open(place, flags, (failed, fd) => {
      if (failed === null) placeOf.set(fd, place);
      done(failed, fd);
    });
  const fsync = (fd: number, done: (failed: NodeJS.ErrnoException | null) => void): void => {
    const place = placeOf.get(fd);
    placeOf.delete(fd);
    if (place !== undefined) flushed.places.push(place);
    const { failing, code } = flushed;
    if (place === undefined || place !== failing) real.fsync(fd, done);
    else done(Object.assign(new Error(`${code}, fsync`), { code, syscall: 'fsync' }));
  };
  return { ...real, open: open as typeof real.open, fsync: fsync as typeof real.fsync };
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-folders-'));
  Object.assign(flushed, { places: [], failing: null, code: 'EIO' });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const namesOf = (places: Iterable<string>): readonly string[] =>
  [...places].map((place) => place.slice(dirname(folder).length)).sort();
const below = (...names: readonly string[]): string =>
  [folder, ...names].join('/').slice(dirname(folder).length);

describe.skipIf(process.platform === 'win32')('folders that files are brought into', () => {
  it('have their names on the disk, up to the first that stood before', async () => {
    expect((await makeRoot(join(folder, 'a', 'b', 'c'))).ok).toBe(true);
    expect(namesOf(flushed.places)).toEqual([below(), below('a'), below('a', 'b')]);
    flushed.places = [];
    expect((await makeRoot(join(folder, 'a', 'b', 'c'))).ok).toBe(true);
    expect(flushed.places).toEqual([]);
  });

  it('have those of what is made below on it too', async () => {
    await mkdir(join(folder, 'stood'));
    expect((await makeFolders(folder, 'stood/x/y/file')).ok).toBe(true);
    expect(namesOf(flushed.places)).toEqual([below('stood'), below('stood', 'x')]);
  });

  it('are told to whoever flushes those of many files together', async () => {
    const made = { known: new Set<string>(), changed: new Set<string>() };
    for (const path of ['x/1', 'x/y/2', 'x/y/3']) await makeFolders(folder, path, made);
    expect(flushed.places).toEqual([]);
    expect(namesOf(made.changed)).toEqual([below(), below('x')]);
  });

  it('are not made anew where the whole of it went away', async () => {
    const gone = join(folder, 'gone');
    expect(await makeFolders(gone, 'x/file')).toMatchObject({ ok: false });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('lead nowhere else', async () => {
    await symlink('/', join(folder, 'link'));
    expect(await makeFolders(folder, 'link/file')).toMatchObject({
      error: { code: 'results-not-pulled' },
    });
  });

  it('are no success where the disk fails to keep a name', async () => {
    flushed.failing = folder;
    const made = await makeRoot(join(folder, 'a'));
    expect(made).toMatchObject({ ok: false, error: { code: 'results-not-pulled' } });
    expect(made.ok ? '' : made.error.message).toContain('EIO');
    expect(await makeFolders(folder, 'b/file')).toMatchObject({ ok: false });
    flushed.code = 'ENOSPC';
    expect(await makeFolders(folder, 'c/file')).toMatchObject({ error: { code: 'disk-full' } });
  });

  it('are one where the disk has no such thing as keeping names at once', async () => {
    Object.assign(flushed, { failing: folder, code: 'EINVAL' });
    expect((await makeRoot(join(folder, 'a'))).ok).toBe(true);
  });
});

describe.skipIf(process.platform === 'win32')('many files that came in one stream', () => {
  it.each(['to', 'in'])(
    'are not settled where the folder “%s” fails to keep a name',
    async (at) => {
      const text = '{"step":1}\n';
      await mkdir(join(folder, 'box', 'in'), { recursive: true });
      writeFileSync(join(folder, 'box', 'in', 'log.jsonl'), text);
      execFileSync('tar', ['-cf', join(folder, 'stream'), '-C', join(folder, 'box'), '.']);
      const to = join(folder, 'to');
      await mkdir(to);
      const files = [{ path: 'in/log.jsonl', bytes: text.length, sha256: sha256(text) }];
      flushed.failing = at === 'to' ? to : join(to, 'in');
      const asked = { stream: join(folder, 'stream'), mostBytes: 100_000, to, files };
      await expect(settleFiles(asked)).rejects.toThrow('EIO');
      // By itself it is then looked at again: what has its name by now is flushed as well.
      flushed.failing = null;
      flushed.places = [];
      const again = await settleFiles({ ...asked, stream: null });
      expect(again).toMatchObject([{ kind: 'proven' }]);
      expect(namesOf(flushed.places)).toContain(below('to', 'in'));
    },
  );
});
