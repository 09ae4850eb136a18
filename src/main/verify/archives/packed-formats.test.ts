import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { cutsOf, flipsOf, load, passedOf, specimen } from '../load.fixture.ts';
import { Crc64 } from '../packed/crc64.ts';
import { Xxhash64 } from '../packed/xxhash64.ts';

const of = (name: string): Buffer => specimen(`archives/${name}`);
const places = (whole: Uint8Array, count: number): number[] =>
  Array.from({ length: count }, (_, no) => Math.floor((no * whole.length) / count));

it.each([
  'python-3.11--sha256.xz',
  'python-3.11--several.tar.xz',
  'zstandard-0.25.0--several.tar.zst',
])('%s is found out wherever it is cut off', async (name) => {
  expect(await passedOf(name, cutsOf(of(name)))).toEqual([]);
});

it.each([
  'python-3.11--crc32.xz',
  'python-3.11--crc64.xz',
  'python-3.11--sha256.xz',
  'python-3.11--several.tar.xz',
])('%s is found out with any bit flipped', async (name) => {
  // Of what tells how much memory it takes, the checksum holds no longer: nothing is believed before.
  expect(await passedOf(name, flipsOf(of(name), 0, of(name).length))).toEqual([]);
});

it('of xz without a checksum, what holds it together is found out with any bit flipped', async () => {
  const whole = of('python-3.11--none.xz');
  const bits = await passedOf('x.xz', flipsOf(whole, 0, whole.length));
  // What was packed starts behind two heads of twelve bytes, and ends before the index and the foot.
  const [from, to] = [24 * 8, (whole.length - 28) * 8];
  expect(bits.filter((bit) => bit < from || bit >= to)).toEqual([]);
});

it.each(['xz-5.4.1--blocks.xz', 'python-3.11--settings.xz', 'zstandard-0.25.0--mixed.zst'])(
  '%s is found out with bits flipped all over it',
  async (name) => {
    const whole = of(name);
    for (const at of places(whole, 200)) {
      const flip = [...flipsOf(whole, at, at + 1)][at % 8] ?? whole;
      const found = await load(name, flip);
      // Whole behind its end, or of a frame that says another name of what it needs.
      expect([name, at, typeof found]).toEqual([name, at, 'string']);
    }
  },
);

it('a stream behind another needs whole words of zeros between them', async () => {
  const whole = of('python-3.11--crc32.xz');
  const between = (bytes: number): Buffer => Buffer.concat([whole, Buffer.alloc(bytes), whole]);
  expect(await load('x.xz', between(8))).toMatchObject({ holds: '720 bytes unpacked' });
  expect(await load('x.xz', between(6))).toMatch(/^damaged/);
});

/** A frame that unpacks to so many zeros of one byte each. */
function zerosOfZstd(blocks: number): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x38]);
  const block = (isLast: boolean): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUIntLE((128 * 1024 * 8) | 2 | (isLast ? 1 : 0), 0, 3);
    return bytes;
  };
  return Buffer.concat([
    head,
    ...Array.from({ length: blocks }, (_, no) => block(no === blocks - 1)),
  ]);
}

it('unpacks in pieces, however much it becomes', async () => {
  const before = process.memoryUsage().arrayBuffers;
  const found = await load('x.zst', zerosOfZstd(1024));
  expect(found).toMatchObject({ holds: '134217728 bytes unpacked' });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
});

it('is not unpacked to its end where that is out of all proportion to what it is', async () => {
  const found = await load('x.zst', zerosOfZstd(4096));
  expect(found).toBe('not loadable: unpacking it takes longer than Leasehold gives it');
});

it.each([
  // A head that says that all of the last 4 GiB may be referred to.
  ['x.zst', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xb0, 1, 0, 0]), 'takes more memory'],
  ['x.zst', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 0x38, 7, 1, 0, 0]), 'with a dictionary'],
  ['python-3.11--delta.xz', of('python-3.11--delta.xz'), 'in a way that Leasehold does not know'],
])('%s that cannot be unpacked here is not said to be damaged', async (name, bytes, because) => {
  const found = await load(name, bytes);
  expect(found).toMatch(/^not loadable: /);
  expect(found).toContain(because);
});

it('what is packed of a tar is looked at as one', async () => {
  expect(await load('x.tar.xz', of('python-3.11--crc64.xz'))).toMatch(/^damaged: /);
  expect(await load('x.tar.zst', of('zstandard-0.25.0--mixed.zst'))).toMatch(/^damaged: /);
});

/** Of so many bytes, in pieces that fit nothing. */
function inPieces(take: (piece: Uint8Array) => void, length: number): void {
  const bytes = createHash('shake256', { outputLength: 5000 }).update('leasehold').digest();
  for (let at = 0; at < length;) {
    const end = Math.min(length, at + 1 + ((at * 7) % 61));
    take(bytes.subarray(at, end));
    at = end;
  }
}

// As xxhash 4.1.0 for Python, and xz in what it keeps of a block, say of the same bytes.
it.each([
  [0, '51d8e999', '0000000000000000'],
  [1, '41ee029a', '8b768b6b8c898edd'],
  [4, '60769a4e', '69450b15d66ba8fa'],
  [7, '389e36a4', '8806cfab75af6790'],
  [31, 'e4847481', '81e43304d31d20c9'],
  [32, '679af770', 'afdf3af83fbc2a72'],
  [33, '345b2cca', '37ce2233700a0e02'],
  [100, '58ff550d', '0d277686c7641a16'],
  [5000, '6b0ca341', '101d29bb8bcf9d31'],
])('the sums of %i bytes are those of the libraries', (length, low, crc) => {
  const [sum, crc64] = [new Xxhash64(), new Crc64()];
  inPieces((piece) => {
    sum.take(piece);
    crc64.take(piece);
  }, length);
  expect([sum.lowHalf().toString(16), crc64.bytes().toString('hex')]).toEqual([low, crc]);
});
