import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFolder } from '../../storage/disk.fixture.ts';
import { cutsOf, flipsOf } from '../load.fixture.ts';
import { proveFolder, readSet, setSpecimen } from './sets.fixture.ts';
import { tensorflowCheckpoint } from './tensorflow-checkpoint.ts';

const CHECKPOINT = 'tensorflow-2.21.0--checkpoint';
const INDEX = 'ckpt-1.index';
const DATA = 'ckpt-1.data-00000-of-00001';
const bytesOf = (file: string): Buffer => readFileSync(join(setSpecimen(CHECKPOINT), file));

/** What is said of the specimen with each of these instead of one of its files; all but what is found to be damaged. */
async function passed(file: string, broken: Iterable<Uint8Array>): Promise<readonly string[]> {
  const files = new Map<string, Uint8Array>([INDEX, DATA].map((name) => [name, bytesOf(name)]));
  const said: string[] = [];
  for (const bytes of broken) {
    said.push(await readSet(tensorflowCheckpoint, INDEX, files.set(file, bytes)));
  }
  return said.filter((each) => !each.startsWith('damaged: '));
}

it('a checkpoint, as the library wrote it, is whole', async () => {
  expect(await proveFolder(setSpecimen(CHECKPOINT))).toEqual([
    {
      kind: 'tensorflow-checkpoint',
      path: INDEX,
      state: 'whole',
      says: '1 part, 8 tensors, each with its checksum',
    },
  ]);
});

it.each([INDEX, DATA])('a bit flipped in any byte of %s is found out', async (file) => {
  const whole = bytesOf(file);
  // One bit of each byte, another one each time.
  const flips = Array.from({ length: whole.length }, (_, at) => {
    const broken = Buffer.from(whole);
    broken[at] = (broken[at] ?? 0) ^ (1 << (at % 8));
    return broken;
  });
  expect(await passed(file, flips)).toEqual([]);
});

it('every bit of the end of its index counts, over which there is no checksum', async () => {
  const whole = bytesOf(INDEX);
  expect(await passed(INDEX, flipsOf(whole, whole.length - 48, whole.length))).toEqual([]);
});

it.each([INDEX, DATA])('is found out wherever %s is cut off, and too long', async (file) => {
  expect(await passed(file, cutsOf(bytesOf(file)))).toEqual([]);
});

it('a part that is missing is found out', async () => {
  await withFolder(async (folder) => {
    cpSync(setSpecimen(CHECKPOINT), folder, { recursive: true });
    rmSync(join(folder, DATA));
    expect(await proveFolder(folder)).toMatchObject([
      { state: 'damaged', says: `of its 1 part, "${DATA}" is not here` },
    ]);
    writeFileSync(join(folder, INDEX), 'an index of something else');
    expect(await proveFolder(folder)).toEqual([]);
  });
});
