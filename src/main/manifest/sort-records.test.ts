import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordOf } from '../../shared/manifest/record.ts';
import { sorted } from './sort-records.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-sort-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const of = (path: string): string => recordOf({ path, sha256: '-', version: 'f 1 1.5 1.5 1' });

it('sorts by the bytes of the paths, whatever part of it fits into memory, and leaves nothing behind', () => {
  const paths = ['b', 'a/b', 'a', 'a b', 'a.b', 'ab', '\xff', 'a\nb', 'a/', ''];
  const byPath = [...paths].sort((a, b) => Buffer.compare(bytes(a), bytes(b))).map(of);
  for (const atOnce of [1, 2, 3, 10, 11]) {
    const beside = join(folder, 'listed');
    expect([...sorted(paths.map(of), beside, atOnce)]).toEqual(byPath);
    expect(readdirSync(folder)).toEqual([]);
  }
  // Nor where nobody reads it to its end.
  for (const record of sorted(paths.map(of), join(folder, 'listed'), 2)) {
    expect(record).toBe(byPath[0]);
    break;
  }
  expect(readdirSync(folder)).toEqual([]);
});

const bytes = (path: string): Buffer => Buffer.from(path, 'latin1');
