import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ok } from '../../shared/result.ts';
import { nameNext } from './next-version.ts';

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const WRITTEN_MS = Date.UTC(2027, 0, 15, 8, 30);
const STAMP = '.leasehold-earlier/2027-01-15T08-30-00';
const EARLIER = `${STAMP}/runs/best.pt`;
/** Where another version has that time too. */
const beside = (text: string): string => `${STAMP}-${sha256(text).slice(0, 12)}/runs/best.pt`;

let to: string;
beforeEach(() => {
  to = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-next-'));
  mkdirSync(join(to, 'runs'));
});
afterEach(() => rmSync(to, { recursive: true, force: true }));

const at = (path: string): string => join(to, path);
const read = (path: string): string => readFileSync(at(path), 'utf8');

/** A part with this in it is to take the place of a copy that once had that. */
function name(next: string, copy: string, canGrow = false) {
  writeFileSync(at('part'), next);
  return nameNext({
    ...{ part: at('part'), to, path: 'runs/best.pt', canGrow },
    copy: { bytes: copy.length, modifiedAtMs: WRITTEN_MS, sha256: sha256(copy) },
    hashOf: (path) => Promise.resolve(ok(sha256(readFileSync(path)))),
  });
}
const here = (text: string): void => writeFileSync(at('runs/best.pt'), text);

it('keeps the earlier copy, and then takes its name', async () => {
  here('first');
  expect(await name('second', 'first')).toEqual(ok(true));
  expect(read('runs/best.pt')).toBe('second');
  expect(read(EARLIER)).toBe('first');
  expect(existsSync(at('part'))).toBe(false);
});

it('keeps nothing twice of one that is its beginning', async () => {
  here('one\n');
  expect(await name('one\ntwo\n', 'one\n', true)).toEqual(ok(true));
  expect(read('runs/best.pt')).toBe('one\ntwo\n');
  expect(readdirSync(to)).toEqual(['runs']);
  // Begun with other bytes it is no beginning.
  expect(await name('ONE\ntwo\nthree\n', 'one\ntwo\n', true)).toEqual(ok(true));
  expect(read(EARLIER)).toBe('one\ntwo\n');
});

it('goes on where the app was killed after it kept the copy', async () => {
  here('first');
  mkdirSync(dirname(at(EARLIER)), { recursive: true });
  linkSync(at('runs/best.pt'), at(EARLIER));
  expect(await name('second', 'first')).toEqual(ok(true));
  expect([read('runs/best.pt'), read(EARLIER)]).toEqual(['second', 'first']);
});

it('keeps two versions that were written at the same time, and neither of them twice', async () => {
  here('first');
  await name('second', 'first');
  expect(await name('third', 'second')).toEqual(ok(true));
  expect([EARLIER, beside('second'), 'runs/best.pt'].map(read)).toEqual([
    ...['first', 'second', 'third'],
  ]);
  // As when the app was killed after it kept the copy.
  here('second');
  expect(await name('third', 'second')).toEqual(ok(true));
  here('first');
  expect(await name('fourth', 'first')).toEqual(ok(true));
  expect(readdirSync(at('.leasehold-earlier'))).toHaveLength(2);
});

it('leaves everything as it is where the place or the earlier copy is somebody else’s', async () => {
  here('mine!');
  expect(await name('second', 'first')).toEqual(ok(false));
  here('longer than it was');
  expect(await name('second', 'first')).toEqual(ok(false));
  expect(read('runs/best.pt')).toBe('longer than it was');
  here('first');
  const places = [EARLIER, beside('first')];
  for (const place of places) {
    mkdirSync(dirname(at(place)), { recursive: true });
    writeFileSync(at(place), 'other');
  }
  expect(await name('second', 'first')).toEqual(ok(false));
  expect(['runs/best.pt', ...places].map(read)).toEqual(['first', 'other', 'other']);
  expect(read('part')).toBe('second');
});

it('follows no link out of the folder', async () => {
  const outside = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-outside-'));
  here('first');
  symlinkSync(outside, at('.leasehold-earlier'));
  expect(await name('second', 'first')).toMatchObject({ ok: false });
  expect(readdirSync(outside)).toEqual([]);
  expect(read('runs/best.pt')).toBe('first');
  rmSync(outside, { recursive: true });
});
