import { cpSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFolder } from '../../storage/disk.fixture.ts';
import { specimen } from '../load.fixture.ts';
import { proveFolder, setSpecimen } from './sets.fixture.ts';

const SAFE = 'huggingface_hub-2.4.0--safetensors';
const TORCH = 'huggingface_hub-2.4.0--torch';
const shard = (no: number): string => `model-0000${String(no)}-of-00003.safetensors`;

interface Index {
  readonly metadata: Record<string, unknown>;
  readonly weight_map: Record<string, string>;
}

/** What is said of the specimen once this has been done to it. */
const after = (breaks: (folder: string) => void, name = SAFE) =>
  withFolder(async (folder) => {
    cpSync(setSpecimen(name), folder, { recursive: true });
    breaks(folder);
    const found = await proveFolder(folder);
    return found.map(({ state, says }) => `${state}: ${says}`);
  });

const INDEX = { [SAFE]: 'model.safetensors.index.json', [TORCH]: 'pytorch_model.bin.index.json' };

const withIndex = (change: (index: Index) => void, name: keyof typeof INDEX = SAFE) =>
  after((folder) => {
    const path = join(folder, INDEX[name] ?? '');
    const index = JSON.parse(readFileSync(path, 'utf8')) as Index;
    change(index);
    writeFileSync(path, JSON.stringify(index));
  }, name);

it('a checkpoint in parts, as the library wrote it, is whole', async () => {
  expect(await after(() => undefined)).toEqual(['whole: 3 parts, 8 tensors']);
  expect(await after(() => undefined, TORCH)).toEqual(['whole: 3 parts, 8 tensors']);
});

it('a part that is missing, cut off or another is found out', async () => {
  expect(await after((folder) => rmSync(join(folder, shard(2))))).toEqual([
    `damaged: 1 of its 3 parts is not here: "${shard(2)}"`,
  ]);
  expect(
    await after((folder) => rmSync(join(folder, 'pytorch_model-00001-of-00003.bin')), TORCH),
  ).toEqual(['damaged: 1 of its 3 parts is not here: "pytorch_model-00001-of-00003.bin"']);
  expect(await after((folder) => truncateSync(join(folder, shard(2)), 1000))).toEqual([
    expect.stringMatching(/^damaged: in "model-00002-of-00003.safetensors", its tensors take/),
  ]);
  expect(
    await after((folder) => {
      renameSync(join(folder, shard(1)), join(folder, 'x'));
      renameSync(join(folder, shard(2)), join(folder, shard(1)));
      renameSync(join(folder, 'x'), join(folder, shard(2)));
    }),
  ).toEqual([`damaged: the tensor "layers.0.weight" is not in "${shard(1)}", as its index says`]);
});

it('an index that lies is found out', async () => {
  expect(await withIndex((index) => delete index.weight_map['scale'])).toEqual([
    `damaged: "${shard(3)}" has a tensor "scale" that its index has not`,
  ]);
  expect(await withIndex((index) => (index.weight_map['scale'] = shard(2)))).toEqual([
    `damaged: the tensor "scale" is not in "${shard(2)}", as its index says`,
  ]);
  expect(await withIndex((index) => (index.metadata['total_size'] = 2056))).toEqual([
    'damaged: its index says 2056 bytes, and its tensors take 2054',
  ]);
  expect(
    await withIndex((index) => {
      delete index.weight_map['scale'];
      delete index.weight_map['embed.weight'];
    }),
  ).toEqual(['damaged: its index names 2 parts, and these are numbered up to 3']);
});

it('of parts that torch wrote, what lies in which is compared as well', async () => {
  const part = (no: number): string => `pytorch_model-0000${String(no)}-of-00003.bin`;
  expect(await withIndex((index) => delete index.weight_map['scale'], TORCH)).toEqual([
    `damaged: "${part(3)}" has a tensor "scale" that its index has not`,
  ]);
  expect(await withIndex((index) => (index.weight_map['scale'] = part(2)), TORCH)).toEqual([
    `damaged: the tensor "scale" is not in "${part(2)}", as its index says`,
  ]);
  for (const total of [2053, 2055]) {
    expect(await withIndex((index) => (index.metadata['total_size'] = total), TORCH)).toEqual([
      `damaged: its index says ${String(total)} bytes, and its tensors take 2054`,
    ]);
  }
  expect(
    await after((folder) => {
      renameSync(join(folder, part(1)), join(folder, 'x'));
      renameSync(join(folder, part(2)), join(folder, part(1)));
      renameSync(join(folder, 'x'), join(folder, part(2)));
    }, TORCH),
  ).toEqual([`damaged: the tensor "layers.0.weight" is not in "${part(1)}", as its index says`]);
  expect(await after((folder) => truncateSync(join(folder, part(2)), 700), TORCH)).toEqual([
    expect.stringMatching(/^damaged: in "pytorch_model-00002-of-00003.bin", /),
  ]);
});

it('a part that is no checkpoint, or would run something, is not taken for one that lacks its tensors', async () => {
  const part = 'pytorch_model-00002-of-00003.bin';
  const script = specimen('torch/torch-2.10.0--script.pt');
  expect(await after((folder) => writeFileSync(join(folder, part), script), TORCH)).toEqual([
    `not-loadable: in "${part}", it is a TorchScript program, which only running it could load`,
  ]);
  const whole = specimen('torch/torch-2.10.0--whole-module.pt');
  expect(await after((folder) => writeFileSync(join(folder, part), whole), TORCH)).toEqual([
    expect.stringMatching(/^not-loadable: in ".*", loading it would run what it names/),
  ]);
});

it('nothing outside of its folder is opened, whatever an index names', async () => {
  for (const name of ['../../../../../../etc/passwd', '/etc/passwd', '.', '']) {
    expect(await withIndex((index) => (index.weight_map['scale'] = name))).toEqual([
      `damaged: 1 of its 4 parts is not here: ${JSON.stringify(name)}`,
    ]);
  }
});

it('an index that is none is found out, at whatever byte it is cut off', async () => {
  const path = join(setSpecimen(SAFE), 'model.safetensors.index.json');
  const whole = readFileSync(path);
  for (let bytes = 0; bytes < whole.length; bytes += 40) {
    const cut = whole.subarray(0, bytes);
    const index = (folder: string): string => join(folder, 'model.safetensors.index.json');
    expect(await after((folder) => writeFileSync(index(folder), cut))).toEqual([
      'damaged: its index is no valid JSON',
    ]);
  }
  expect(await withIndex((index) => Object.assign(index, { weight_map: [] }))).toEqual([
    'damaged: its index says of no tensor where it is',
  ]);
});
