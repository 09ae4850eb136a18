import { expect, it } from 'vitest';
import { Crc32c } from '../../../shared/verify/crc32c.ts';
import { readSet } from '../sets/sets.fixture.ts';
import { zarr } from '../sets/zarr.ts';

// Databases that TensorStore would never write. What it writes is read in `zarr.test.ts`.

const [MANIFEST, NODE] = [0x0cdb3a2a, 0x0cdb20de];
const FILE = 'd';

function varints(...values: readonly number[]): Buffer {
  const bytes: number[] = [];
  for (const value of values) {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
    bytes.push(rest);
  }
  return Buffer.from(bytes);
}

const same = (value: number, count: number): number[] => new Array<number>(count).fill(value);

/** With its mark, its length and its checksum, and nothing in it packed. */
function part(mark: number, ...body: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(12), varints(0, 0), ...body, Buffer.alloc(4)]);
  bytes.writeUInt32BE(mark);
  bytes.writeBigUInt64LE(BigInt(bytes.length), 4);
  bytes.writeUInt32LE(new Crc32c().add(bytes.subarray(0, -4)).value, bytes.length - 4);
  return bytes;
}

/** One file of this name, none of which stands before the names in it. */
const files = Buffer.concat([varints(1, FILE.length, 0), Buffer.from(FILE)]);

interface Place {
  readonly at: number;
  readonly bytes: number;
}

const manifest = (height: number, { at, bytes }: Place, keys: number): Buffer =>
  part(
    MANIFEST,
    ...[Buffer.alloc(16), varints(0, 0, 0), Buffer.alloc(1), varints(0), files],
    ...[varints(1, 1), Uint8Array.of(height), varints(0, at, bytes, keys)],
    ...[varints(1), Buffer.alloc(8)],
  );

/** Each key one letter longer than what it has in common with the one before it. */
function node(height: number, common: readonly number[], places: readonly Place[]): Buffer {
  const count = places.length;
  const rest = common.map(() => 1);
  const keys = [
    varints(count, ...common.slice(1), ...rest),
    ...(height > 0 ? [varints(...same(0, count))] : []),
  ];
  const letters = Buffer.from(common.map((_, no) => 97 + (no % 26)));
  const at = [varints(...same(0, count)), varints(...places.map((each) => each.at))];
  const bytes = varints(...places.map((each) => each.bytes));
  const where = height > 0 ? [...at, bytes] : [bytes, Buffer.alloc(count, 1), ...at];
  return part(NODE, Uint8Array.of(height), files, ...keys, letters, ...where);
}

const read = (head: Buffer, content: Buffer): Promise<string> =>
  readSet(
    zarr,
    'manifest.ocdbt',
    new Map([
      ['manifest.ocdbt', head],
      [FILE, content],
    ]),
  );

it('one that holds two entries is read', async () => {
  const leaf = node(
    0,
    [0, 0],
    [
      { at: 0, bytes: 1 },
      { at: 1, bytes: 1 },
    ],
  );
  const content = Buffer.concat([Buffer.alloc(2), leaf]);
  expect(await read(manifest(0, { at: 2, bytes: leaf.length }, 2), content)).toMatch(/^whole: /);
});

it('a node that leads to itself, or twice to the same ones below it, is found out', async () => {
  const own = node(1, [0], [{ at: 0, bytes: 40 }]);
  const itself = node(1, [0], [{ at: 0, bytes: own.length }]);
  expect(await read(manifest(1, { at: 0, bytes: itself.length }, 1), itself)).toMatch(/^damaged: /);
  // Twenty levels of them would be a million ways to one leaf.
  let below = node(0, [0], [{ at: 0, bytes: 0 }]);
  let content = below;
  for (let height = 1; height <= 20; height += 1) {
    const at = content.length - below.length;
    below = node(
      height,
      [0, 0],
      same(at, 2).map((each) => ({ at: each, bytes: below.length })),
    );
    content = Buffer.concat([content, below]);
  }
  const root = { at: content.length - below.length, bytes: below.length };
  expect(await read(manifest(20, root, 1), content)).toMatch(/^damaged: .* overlaps /);
});

it('entries that all lie in one place are found out before any is looked into', async () => {
  const leaf = node(
    0,
    [0, ...same(0, 999)],
    same(0, 1000).map(() => ({ at: 0, bytes: 100 })),
  );
  const content = Buffer.concat([Buffer.alloc(100), leaf]);
  expect(await read(manifest(0, { at: 100, bytes: leaf.length }, 1000), content)).toMatch(
    /^damaged: .* overlaps /,
  );
});

it('names that are almost all of the one before take no more memory than is had', async () => {
  const common = Array.from({ length: 60_000 }, (_, no) => no);
  const leaf = node(
    0,
    common,
    common.map(() => ({ at: 0, bytes: 0 })),
  );
  expect(leaf.length).toBeLessThan(1024 * 1024);
  expect(await read(manifest(0, { at: 0, bytes: leaf.length }, common.length), leaf)).toBe(
    'not loadable: it has more entries than Leasehold reads',
  );
});
