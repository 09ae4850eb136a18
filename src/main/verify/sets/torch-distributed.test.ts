import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFolder } from '../../storage/disk.fixture.ts';
import { cutsOf, flipsOf } from '../load.fixture.ts';
import { call, global, pickled } from '../pickle/pickle.fixture.ts';
import { proveFolder, readSet, setSpecimen } from './sets.fixture.ts';
import { torchDistributed } from './torch-distributed.ts';

const CHECKPOINT = 'torch-2.10.0--distributed';
const [META, FIRST, SECOND] = ['.metadata', '__0_0.distcp', '__1_0.distcp'] as const;
const bytesOf = (file: string): Buffer => readFileSync(join(setSpecimen(CHECKPOINT), file));
const whole = new Map<string, Uint8Array>(
  [META, FIRST, SECOND].map((name) => [name, bytesOf(name)]),
);

const say = (file: string, bytes: Uint8Array): Promise<string> =>
  readSet(torchDistributed, META, new Map(whole).set(file, bytes));

/** What is said of the specimen with each of these instead of one of its files; all but what is found to be damaged. */
async function passed(file: string, broken: Iterable<Uint8Array>): Promise<readonly string[]> {
  const said: string[] = [];
  for (const bytes of broken) said.push(await say(file, bytes));
  return said.filter((each) => !each.startsWith('damaged: '));
}

/** The description with this instead of that. */
function described(before: string, after: string): Buffer {
  const text = bytesOf(META).toString('latin1');
  expect(text.split(before)).toHaveLength(2);
  expect(after).toHaveLength(before.length);
  return Buffer.from(text.replace(before, after), 'latin1');
}

it('a checkpoint of two processes, as the library wrote it, is whole', async () => {
  expect(await proveFolder(setSpecimen(CHECKPOINT))).toEqual([
    {
      kind: 'torch-distributed',
      path: META,
      state: 'whole',
      says: '2 parts, 6 tensors, 3 other values',
    },
  ]);
});

it('parts of the format safetensors, which torch itself finds nothing in, are not damaged', async () => {
  expect(await proveFolder(setSpecimen('torch-2.15.0--safetensors'))).toMatchObject([
    {
      state: 'not-loadable',
      says: '"__0_0.distcp" is of the format safetensors, in which nothing lies where its description says',
    },
  ]);
});

it.each([
  ['a-file-each', '7 parts, 3 tensors, 2 other values'],
  ['dtensors', '2 parts, 3 tensors, 2 other values'],
  ['fsdp', '2 parts, 16 tensors, 1 other value'],
])('what torch before 2.3 wrote is whole: %s, and each part of it counts', async (name, says) => {
  const root = setSpecimen(`torch-2.2.2--${name}`);
  const state = { kind: 'torch-distributed', path: META };
  expect(await proveFolder(root)).toEqual([{ ...state, state: 'whole', says }]);
  for (const part of readdirSync(root).filter((each) => each !== META)) {
    await withFolder(async (folder) => {
      cpSync(root, folder, { recursive: true });
      const bytes = readFileSync(join(root, part));
      writeFileSync(join(folder, part), bytes.subarray(0, bytes.length - 1));
      expect(await proveFolder(folder)).toMatchObject([{ ...state, state: 'damaged' }]);
      rmSync(join(folder, part));
      expect(await proveFolder(folder)).toMatchObject([{ ...state, state: 'damaged' }]);
    });
  }
});

it('a part that is missing is found out, and so is a checkpoint without any', async () => {
  await withFolder(async (folder) => {
    cpSync(setSpecimen(CHECKPOINT), folder, { recursive: true });
    rmSync(join(folder, FIRST));
    const missing = [{ state: 'damaged', says: `of its 2 parts, "${FIRST}" is not here` }];
    expect(await proveFolder(folder)).toMatchObject(missing);
    rmSync(join(folder, SECOND));
    expect(await proveFolder(folder)).toMatchObject(missing);
    // Other programs have files of that name.
    writeFileSync(join(folder, META), '{"of": "something else"}');
    expect(await proveFolder(folder)).toEqual([]);
  });
});

it('is found out wherever a part is cut off', async () => {
  // What is behind the last piece belongs to nothing, and the library passes over it too.
  const cuts = [...cutsOf(bytesOf(FIRST))].slice(0, -1).filter((_, at) => at % 5 === 0);
  expect(await passed(FIRST, cuts)).toEqual([]);
});

it('is found out wherever its description is cut off, and too long', async () => {
  expect(await passed(META, cutsOf(bytesOf(META)))).toEqual([]);
});

it('every bit of a number counts', async () => {
  const bytes = bytesOf(FIRST);
  const at = bytes.indexOf('data/0');
  // The numbers of a piece of 4 × 4 begin where the next 64 bytes do.
  const from = Math.ceil((at + 6) / 64) * 64;
  expect(await passed(FIRST, flipsOf(bytes, from, from + 16))).toEqual([]);
});

it('the files of two processes that were mixed up are found out', async () => {
  const mixed = new Map(whole).set(FIRST, bytesOf(SECOND)).set(SECOND, bytesOf(FIRST));
  expect(await readSet(torchDistributed, META, mixed)).toMatch(/^damaged: /);
});

it('pieces that overlap, lie elsewhere or are another tensor are found out', async () => {
  const smaller = Buffer.from(bytesOf(META));
  // The first size that stands there: seven rows, of which the pieces have four and three.
  smaller.writeUInt8(6, smaller.indexOf(Buffer.from([0x4b, 7, 0x4b, 4, 0x86])) + 1);
  expect(await say(META, smaller)).toBe(
    'damaged: the pieces of the tensor "model.weight" do not make up the whole of it',
  );
  const bytes = bytesOf(FIRST);
  const half = bytes.length / 2;
  const twice = Buffer.concat([bytes.subarray(half), bytes.subarray(half)]);
  // Both are of 4 × 4 numbers: which is which nothing but their hash tells.
  expect(await say(FIRST, twice)).toMatch(/^whole: /);
  const other = Buffer.from(bytesOf(SECOND));
  expect(other.copy(other, 5360, 8514, 8514 + 1577)).toBe(1577);
  expect(await say(SECOND, other)).toBe(
    `damaged: "model.columns" in "${SECOND}": it is another tensor than is described`,
  );
});

it('a description that would run something is told by name, and nothing outside of its folder is opened', async () => {
  const attack = pickled(call(global('os', 'system')));
  expect(await say(META, attack)).toBe(
    'not loadable: loading it would run what it names: "os.system"',
  );
  expect(await say(META, described(FIRST, '../etc/pass0'))).toBe(
    'damaged: of its 2 parts, "../etc/pass0" is not here',
  );
});
