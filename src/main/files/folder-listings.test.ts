import { describe, expect, it } from 'vitest';
import { MAX_LISTED, type BoxFile } from '../../shared/files/box-file.ts';
import { ok } from '../../shared/result.ts';
import { value } from '../runs/run-box.fixture.ts';
import type { BoxFiles } from '../ssh/box-files.ts';
import { FolderListings } from './folder-listings.ts';

/** As many as a server tells at a time. */
const PAGE = 100;

/** Of a folder with so many files. No disk of a test is asked to make them. */
function listingOf(count: number, nameChars = 0) {
  const told = { files: 0, released: 0 };
  const entry = (no: number): BoxFile => ({
    ...{
      name: String(no).padStart(nameChars, 'x'),
      kind: 'file',
      sizeBytes: 0,
      modifiedAtMs: 0,
      mode: 0o644,
    },
    hasUsableName: true,
  });
  async function* list() {
    await Promise.resolve();
    while (told.files < count) {
      const page = Array.from({ length: Math.min(PAGE, count - told.files) }, (_, at) =>
        entry(told.files + at),
      );
      told.files += page.length;
      yield ok(page);
    }
  }
  const files = { list } as unknown as BoxFiles;
  const release = (): void => void (told.released += 1);
  const listings = new FolderListings({ lease: () => Promise.resolve(ok({ files, release })) });
  return { told, listings };
}

async function listed(listings: FolderListings) {
  let part = value(await listings.begin('b1', '/data'));
  const first = part.files.length;
  let most = 0;
  const names = part.files.map(({ name }) => name);
  while (part.rest !== null) {
    part = value(await listings.more('b1', part.rest));
    most = Math.max(most, part.files.length);
    for (const { name } of part.files) names.push(name);
  }
  return { first, most, names, isCut: part.isCut };
}

describe('a folder with more entries than anybody reads', () => {
  it.each([0, 1, MAX_LISTED])(
    'is listed whole, its beginning soon, and never more at a time than the window takes over unnoticed (%i entries)',
    async (count) => {
      const { told, listings } = listingOf(count);
      const { first, most, names, isCut } = await listed(listings);
      expect(first).toBeLessThanOrEqual(400 + PAGE);
      expect(most).toBeLessThanOrEqual(8000 + PAGE);
      expect([names.length, new Set(names).size, isCut]).toEqual([count, count, false]);
      expect(told.released).toBe(1);
    },
  );

  it('is listed up to a bound, and says that there are more', async () => {
    const { told, listings } = listingOf(MAX_LISTED + 10 * PAGE);
    const { names, isCut } = await listed(listings);
    expect([names.length, new Set(names).size, isCut]).toEqual([MAX_LISTED, MAX_LISTED, true]);
    // The box is asked for no more than it takes to know.
    expect(told.files).toBe(MAX_LISTED + PAGE);
    expect(told.released).toBe(1);
  });

  it('with names that a box makes up is listed up to a bound of their letters, a part of it at a time', async () => {
    // 6.25 MiB a page: more than a part has room for. The sixth goes past the 32 MiB of all.
    const { told, listings } = listingOf(20 * PAGE, 64 * 1024);
    const { first, names, isCut } = await listed(listings);
    expect(first).toBe(PAGE);
    expect([names.length, isCut]).toEqual([6 * PAGE, true]);
    expect(told).toEqual({ files: 6 * PAGE, released: 1 });
  });
});
