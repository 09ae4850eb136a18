import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ChainFault } from '../../shared/evidence/chain.ts';
import { ok } from '../../shared/result.ts';
import { value } from '../runs/run-box.fixture.ts';
import { inProcess } from '../workers/in-process.ts';
import { HomeCheck, type ProvenCopy } from './home-check.ts';

let to: string;
beforeEach(() => (to = mkdtempSync(join(tmpdir(), 'leasehold-copies-'))));
afterEach(() => rmSync(to, { recursive: true }));

function copy(path: string, bytes: Buffer): ProvenCopy {
  const place = join(to, path);
  mkdirSync(join(place, '..'), { recursive: true });
  writeFileSync(place, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { to, file: { path, bytes: bytes.length, sha256 } };
}

it('reads each of many copies to its last byte, and tells of each that does not stand, in their order', async () => {
  const small = Array.from({ length: 600 }, (_none, at) =>
    copy(`d/${String(at)}`, Buffer.alloc(at)),
  );
  // Around the size from which a file is read in pieces.
  const large = [-1, 0, 1, 70].map((more) =>
    copy(`large ${String(more)}`, Buffer.alloc(1024 * 1024 + more, more)),
  );
  const copies = [...small, ...large];
  const home = new HomeCheck(inProcess, {
    check: () => Promise.resolve(ok({ count: 0, fault: null })),
  });
  const done = { bytes: 0, files: 0 };
  const check = async () =>
    value(
      await home.check(copies, {
        signal: new AbortController().signal,
        onBytes: (bytes) => (done.bytes += bytes),
        onFile: () => (done.files += 1),
      }),
    );
  expect(await check()).toEqual([]);
  expect(done).toEqual({
    bytes: copies.reduce((sum, { file }) => sum + file.bytes, 0),
    files: copies.length,
  });
  const spoilt = Buffer.alloc(1024 * 1024 + 70, 70);
  spoilt[spoilt.length - 1] = 0;
  writeFileSync(join(to, 'large 70'), spoilt);
  writeFileSync(join(to, 'd/300'), Buffer.alloc(301));
  rmSync(join(to, 'd/599'));
  rmSync(join(to, 'd/5'));
  symlinkSync('/dev/zero', join(to, 'd/5'));
  expect(await check()).toEqual([
    { path: 'd/5', because: 'its copy here is no longer a regular file' },
    { path: 'd/300', because: 'its copy here has other bytes now' },
    { path: 'd/599', because: 'its copy here is gone' },
    { path: 'large 70', because: 'its copy here has other bytes now' },
  ]);
});

it('has words of its own for an older copy of the database, with what to do about it', async () => {
  const said = async (because: ChainFault['because']): Promise<string> => {
    const check = { count: 2, fault: { seq: 3, because } };
    const home = new HomeCheck(inProcess, { check: () => Promise.resolve(ok(check)) });
    const record = await home.checkRecord();
    if (record.ok) throw new Error('it stands');
    return record.error.message;
  };
  expect(await said('changed')).toMatch(/changed behind Leasehold’s back/);
  const older = await said('cut-off');
  expect(older).not.toMatch(/behind Leasehold’s back/);
  expect(older).toContain('move leasehold.db-evidence out of the data folder');
  expect(older).toMatch(/not known here/);
  const empty = await said('empty');
  expect(empty).not.toMatch(/behind Leasehold’s back/);
  expect(empty).toContain('move leasehold.db-evidence out of the data folder');
  expect(await said('end-unknown')).toMatch(/^How far the evidence had come is not known/);
});
