import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPieces, readWhole } from './text-input.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leasehold-cli-'));
});
afterEach(() => rm(folder, { recursive: true }));

const noInput = { stdin: Readable.from([]) };
const bytes = (...pieces: readonly (readonly number[])[]) => ({
  stdin: Readable.from(pieces.map((piece) => Buffer.from(piece))),
});

describe('readWhole', () => {
  it('reads a file', async () => {
    const path = join(folder, 'größe.txt');
    await writeFile(path, 'größer\n'.repeat(100_000));
    expect(await readWhole(path, noInput)).toEqual({ ok: true, value: 'größer\n'.repeat(100_000) });
  });

  it('joins a character that was cut between two pieces', async () => {
    expect(await readWhole('-', bytes([0x67, 0xc3], [0xb6], [0x0a]))).toEqual({
      ok: true,
      value: 'gö\n',
    });
  });

  it('takes bytes that are no UTF-8 as such, the cut last one included', async () => {
    expect(await readWhole('-', bytes([0x61, 0xff, 0x62, 0xc3]))).toEqual({
      ok: true,
      value: 'a\ufffdb\ufffd',
    });
  });

  it('drops a byte order mark', async () => {
    expect(await readWhole('-', bytes([0xef, 0xbb, 0xbf, 0x61]))).toEqual({ ok: true, value: 'a' });
  });

  it('refuses a text that is no short answer, after reading it without keeping it', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const stdin = Readable.from(Array.from({ length: 65 }, () => piece));
    expect(await readWhole('-', { stdin })).toEqual({
      ok: false,
      error: 'the standard input is longer than 64 MiB, more than this command reads.',
    });
  });
});

describe('what cannot be read', () => {
  it('says so of a file that is not there', async () => {
    const path = join(folder, 'nothing');
    expect(await readWhole(path, noInput)).toEqual({
      ok: false,
      error: `There is no file ${path}.`,
    });
  });

  it('says so of a folder', async () => {
    expect(await readWhole(folder, noInput)).toEqual({
      ok: false,
      error: `A folder, not a file, is ${folder}.`,
    });
  });

  it('says so of an input that breaks in the middle', async () => {
    const stdin = Readable.from(
      (function* () {
        yield Buffer.from('a');
        throw Object.assign(new Error('gone'), { code: 'EIO' });
      })(),
    );
    expect(await readWhole('-', { stdin })).toEqual({
      ok: false,
      error: 'the standard input could not be read (EIO).',
    });
  });

  it('lets a bug of the reader through, and closes the file', async () => {
    const path = join(folder, 'x');
    await writeFile(path, 'x');
    const bug = new Error('bug');
    const reading = readPieces(path, noInput, () => {
      throw bug;
    });
    await expect(reading).rejects.toBe(bug);
  });
});
