import { deflateRawSync, crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import type { Loaded } from '../../../shared/verify/loaded.ts';
import { cutsOf, flipsOf, load, loadAll, passedOf, specimen } from '../load.fixture.ts';
import { call, global, pickled, tensor, text, tuple } from '../pickle/pickle.fixture.ts';
import { buildZip, type Told } from '../zip/archive.fixture.ts';

const VERSIONS = ['1.13.1', '2.10.0'];
const OF_MODULE =
  'not loadable: loading it would run what it names: "__main__.Net", "torch.nn.modules.sparse.Embedding", "torch.nn.modules.container.Sequential", "torch.nn.modules.linear.Linear", "torch.nn.modules.batchnorm.BatchNorm1d"';
const OF_SCRIPT = 'not loadable: it is a TorchScript program, which only running it could load';

it('what torch, Lightning and transformers wrote is loaded, but for what only running it could load', async () => {
  const byTorch = (version: string, kinds: string) => ({
    [`torch-${version}--checkpoint-legacy.ckpt`]: '33 tensors, 5462 numbers',
    [`torch-${version}--checkpoint.ckpt`]: '33 tensors, 5462 numbers',
    [`torch-${version}--empty.pt`]: '0 tensors, 0 numbers',
    [`torch-${version}--kinds-legacy.pt`]: '21 tensors, 132 numbers',
    [`torch-${version}--kinds.pt`]: kinds,
    [`torch-${version}--not-finite.pt`]: '2 tensors, 25 numbers',
    [`torch-${version}--script.pt`]: OF_SCRIPT,
    [`torch-${version}--state-legacy.pt`]: '11 tensors, 171 numbers',
    [`torch-${version}--state-protocol-4.pth`]: '11 tensors, 171 numbers',
    [`torch-${version}--state-protocol-5.bin`]: '11 tensors, 171 numbers',
    [`torch-${version}--state.pt`]: '11 tensors, 171 numbers',
    [`torch-${version}--whole-module.pt`]: OF_MODULE,
  });
  const { 'transformers-4.57.1--training_args.bin': settings, ...rest } = await loadAll('torch');
  expect(rest).toEqual({
    'accelerate-1.15.0--custom_checkpoint_0.pkl': '0 tensors, 0 numbers',
    'lightning-2.5.5--last.ckpt': '9 tensors, 18 numbers',
    ...byTorch('1.13.1', '21 tensors, 132 numbers'),
    ...byTorch('2.10.0', '23 tensors, 141 numbers'),
    'torch-2.15.0--amp.pt': '3 tensors, 5066 numbers',
    'torch-2.15.0--legacy.pkl': '2 tensors, 10 numbers',
    'torch-2.15.0--model_best.pth.tar': '2 tensors, 10 numbers',
    'torch-2.15.0--room-for-data.pt': '2 tensors, 10 numbers; written without checksums',
    'torch-2.15.0--small-types-legacy.pt': '3 tensors, 75 numbers',
    'torch-2.15.0--small-types.pt': '3 tensors, 75 numbers',
    'torch-2.15.0--without-checksums.pt': '2 tensors, 10 numbers; written without checksums',
  });
  expect(settings).toMatch(/^not loadable: .*"transformers.training_args.TrainingArguments"/);
});

it.each([1, 3, 64, 1 << 20])('numbers are looked at in pieces of %i bytes', async (piece) => {
  for (const version of VERSIONS) {
    const numbers = (name: string) =>
      load(name, specimen(`torch/torch-${version}--${name}`), piece);
    expect(await numbers('not-finite.pt')).toMatchObject({
      numbers: {
        scanned: 25,
        nonFinite: 2,
        affected: [
          { tensor: 'layer.weight', count: 1 },
          { tensor: 'list.0', count: 1 },
        ],
      },
    });
    for (const name of ['kinds.pt', 'kinds-legacy.pt']) {
      expect(await numbers(name)).toMatchObject({ numbers: { nonFinite: 0, allZero: ['unused'] } });
    }
  }
});

it.each([
  '1.13.1--state-legacy',
  '1.13.1--not-finite',
  '2.10.0--empty',
  '2.15.0--room-for-data',
  '2.15.0--without-checksums',
])('is found out wherever it is cut off: %s', async (name) => {
  const whole = specimen(`torch/torch-${name}.pt`);
  expect(await passedOf('x.pt', cutsOf(whole))).toEqual([]);
});

it('is found out with any bit flipped, but in what says who wrote it and with which rights', async () => {
  const whole = specimen('torch/torch-1.13.1--empty.pt');
  const free = new Set<number>();
  for (const [mark, places] of [
    ['PK\x03\x04', [4, 5]],
    ['PK\x01\x02', [4, 5, 6, 7, 36, 37, 38, 39, 40, 41]],
    ['PK\x06\x06', [12, 13, 14, 15]],
    ['PK\x06\x07', [16]],
    ['FB', [0, 1]],
  ] as const) {
    for (let at = whole.indexOf(mark, 0, 'latin1'); at >= 0;) {
      for (const place of places) free.add(at + place);
      at = whole.indexOf(mark, at + 1, 'latin1');
    }
  }
  // What pushes the content to where a page begins says nothing.
  for (let at = 0; at < whole.length; at += 1) if (whole[at] === 0x5a) free.add(at);
  const passed = await passedOf('x.pt', flipsOf(whole, 0, whole.length));
  expect([...new Set(passed.map((bit) => bit >> 3))].filter((at) => !free.has(at))).toEqual([]);
});

const FOUR = Buffer.alloc(16, 1);
const archive = (body: string, storages: Record<string, Uint8Array>, more: Told[] = []): Buffer =>
  buildZip([
    { name: 'x/data.pkl', packed: pickled(body) },
    ...Object.entries(storages).map(([key, packed]) => ({ name: `x/data/${key}`, packed })),
    { name: 'x/version', packed: Buffer.from('3\n') },
    ...more,
  ]);
const of = (body: string, storages: Record<string, Uint8Array> = { '0': FOUR }) =>
  load('x.pt', archive(body, storages));

it('tensors that share a storage, lie turned in it or repeat a number of it are in it', async () => {
  const views = [
    tensor(),
    tensor({ shape: [2, 2], strides: [1, 2] }),
    tensor({ shape: [1000, 1000], strides: [0, 0] }),
    tensor({ shape: [2], strides: [3] }),
    tensor({ shape: [0, 7], strides: [9, 9], offset: 4 }),
    tensor({ shape: [], strides: [], offset: 3 }),
  ];
  expect(await of(tuple(...views))).toMatchObject({
    holds: '6 tensors, 1000011 numbers',
    numbers: { scanned: 4 },
  });
});

it('each row of numbers that share bytes begins with one of its own', async () => {
  const rows = (columns: number) => {
    const [storage, elements] = ['QUInt4x2Storage', 9];
    const body = tensor({ storage, elements, shape: [3, columns], strides: [columns, 1] });
    return of(body, { '0': Buffer.alloc(9, 1) });
  };
  for (const columns of [5, 6]) expect(await rows(columns)).toMatchObject({ kind: 'loaded' });
  expect(await rows(7)).toBe('damaged: a tensor reaches beyond its storage "0"');
});

it.each<[string, string, Record<string, Uint8Array>, string]>([
  ['a tensor that is longer', tensor({ shape: [5] }), { '0': FOUR }, 'reaches beyond its storage'],
  ['one that begins later', tensor({ offset: 1 }), { '0': FOUR }, 'reaches beyond its storage'],
  ['wide steps', tensor({ shape: [2], strides: [4] }), { '0': FOUR }, 'reaches beyond its storage'],
  ['a negative size', tensor({ shape: [-4] }), { '0': FOUR }, 'a tensor that is none'],
  ['a negative step', tensor({ strides: [-1] }), { '0': FOUR }, 'a tensor that is none'],
  ['a negative beginning', tensor({ offset: -1 }), { '0': FOUR }, 'a tensor that is none'],
  ['a size without a step', tensor({ strides: [] }), { '0': FOUR }, 'a tensor that is none'],
  ['a storage that is shorter', tensor(), { '0': FOUR.subarray(1) }, 'has 15 bytes'],
  ['a storage that is longer', tensor(), { '0': Buffer.alloc(20) }, 'has 20 bytes'],
  ['a storage of another type', tensor({ storage: 'HalfStorage' }), { '0': FOUR }, 'has 16 bytes'],
  ['a storage that is missing', tensor({ key: '1' }), { '0': FOUR }, 'the storage "1" is missing'],
  ['one too many', tensor(), { '0': FOUR, '1': FOUR }, 'the storage "1" belongs to no tensor'],
  [
    'a storage that is told in two ways',
    tuple(tensor(), tensor({ elements: 5 })),
    { '0': FOUR },
    'described in two ways',
  ],
  ['a storage that is none', `${tuple(text('storage'))}Q`, {}, 'that is no storage'],
  ['something behind its description', 'N.N', {}, 'followed by something else'],
])('is found out with %s', async (_what, body, storages, why) => {
  expect(await of(body, storages)).toMatch(new RegExp(`^damaged: .*${why}`));
});

it('sizes beyond all numbers are beyond every storage', async () => {
  const huge = tensor({
    shape: Array.from({ length: 40 }, () => 2 ** 30),
    strides: Array.from({ length: 40 }, () => 2 ** 30),
  });
  expect(await of(huge)).toMatch(/^damaged: a tensor reaches beyond/);
});

it('what would run something is told by name, and only of a file that is whole', async () => {
  const attack = `${call(global('os', 'system'), text('echo'))}0${tensor()}`;
  expect(await of(attack)).toBe('not loadable: loading it would run what it names: "os.system"');
  const whole = archive(attack, { '0': FOUR });
  whole[whole.indexOf(FOUR)] = 2;
  expect(await load('x.pt', whole)).toMatch(/^damaged: its file "x\/data\/0" has another checksum/);
});

it('storages without checksums are loaded where none has one, and what else lies there has its own', async () => {
  const body = pickled(tuple(tensor(), tensor({ key: '1' })));
  const zip = (crcs: readonly (number | undefined)[], ofPickle?: number) =>
    load(
      'x.pt',
      buildZip([
        { name: 'x/data.pkl', packed: body, ...(ofPickle !== undefined && { crc: ofPickle }) },
        ...crcs.map((crc, key) => ({
          ...{ name: `x/data/${String(key)}`, packed: FOUR },
          ...(crc !== undefined && { crc }),
        })),
      ]),
    );
  expect(await zip([0, 0])).toMatchObject({
    holds: '2 tensors, 8 numbers; written without checksums',
    numbers: { scanned: 8 },
  });
  expect(await zip([undefined, 0])).toMatch(/^damaged: its file "x\/data\/1" has another checksum/);
  expect(await zip([0, 0], 1)).toMatch(/^damaged: its file "x\/data.pkl" has another checksum/);
});

it('an archive that was packed anew is loaded, and one of something else is not', async () => {
  const body = pickled(tensor());
  const packed = (content: Uint8Array): Omit<Told, 'name'> => ({
    ...{ packed: deflateRawSync(content), method: 8, bytes: content.length, crc: crc32(content) },
  });
  const anew = [
    { name: 'x/data/0', ...packed(FOUR) },
    { name: 'x/data.pkl', ...packed(body) },
  ];
  expect(await load('x.pt', buildZip(anew))).toMatchObject({ holds: '1 tensor, 4 numbers' });
  const other = buildZip([{ name: 'word/document.xml', packed: body }]);
  expect(await load('x.bin', other)).toMatch(
    /^not loadable: it is an archive, and none that torch/,
  );
});

it('a tensor of a type that nobody knows is not loaded, and no damage', async () => {
  const typed = tensor()
    .replace('_rebuild_tensor_v2', '_rebuild_tensor_v3')
    .replace(/tR$/, `${global('torch', 'float5')}tR`);
  expect(await of(typed)).toBe('not loadable: loading it would run what it names: "torch.float5"');
});

it('numbers that another kind of machine wrote are not taken for what they would be here', async () => {
  const order = (word: string): Promise<Loaded | string> =>
    load(
      'x.pt',
      archive(tensor(), { '0': FOUR }, [{ name: 'x/byteorder', packed: Buffer.from(word) }]),
    );
  expect(await order('little')).toMatchObject({ numbers: { scanned: 4 } });
  expect(await order('big')).not.toHaveProperty('numbers');
  expect(await order('middle')).toBe('damaged: the order of its bytes is none');
});

it('an old file is found out with any bit flipped in how long a storage is, and with one too many', async () => {
  const legacy = specimen('torch/torch-2.10.0--state-legacy.pt');
  const count = Buffer.from([44, 0, 0, 0, 0, 0, 0, 0]);
  const at = legacy.indexOf(count);
  expect(at).toBeGreaterThan(0);
  expect(await passedOf('x.pt', flipsOf(legacy, at, at + 8))).toEqual([]);
  const doubled = Buffer.concat([legacy, legacy.subarray(at, at + 8 + 44 * 4)]);
  expect(await load('x.pt', doubled)).toBe('damaged: bytes at its end belong to no storage');
});

it('what has a name of torch and is something else is damaged, and what others have no reader', async () => {
  for (const name of ['x.pt', 'x.pth', 'pytorch_model.bin']) {
    expect(await load(name, Buffer.from('<html>not found</html>'))).toMatch(/^damaged: /);
    expect(await load(name, Buffer.alloc(0))).toMatch(/^damaged: /);
  }
  const zeroed = specimen('torch/torch-2.10.0--state.pt').fill(0, 0, 100);
  expect(await load('x.pt', zeroed)).toMatch(/^damaged: /);
  expect(await load('firmware.bin', Buffer.from('\x7fELF'))).toBe('no reader');
});

it('a checkpoint without a byte in it is damaged, and a file that others may have so is hashed only', async () => {
  expect(await load('last.ckpt', new Uint8Array(0))).toMatch(/^damaged: /);
  expect(await load('index.bin', new Uint8Array(0))).toBe('no reader');
});
