import { deflateSync } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import { crc32 } from '../crc32.ts';
import {
  cutsOf,
  flipsOf,
  load,
  loadAll,
  passedOf,
  specimen,
  specimensOf,
} from '../load.fixture.ts';

it('what the library wrote is loaded', async () => {
  expect(await loadAll('images')).toEqual({
    'pillow-12.3.0--alpha.png': '20 × 12 pixels',
    'pillow-12.3.0--bits.png': '20 × 12 pixels',
    'pillow-12.3.0--colour.jpg': '20 × 12 pixels',
    'pillow-12.3.0--colour.png': '20 × 12 pixels',
    'pillow-12.3.0--deep.png': '3 × 2 pixels',
    'pillow-12.3.0--gray.jpg': '20 × 12 pixels',
    'pillow-12.3.0--lossless.webp': '20 × 12 pixels',
    'pillow-12.3.0--lossy.webp': '20 × 12 pixels',
    'pillow-12.3.0--moving.gif': '3 images of 20 × 12 pixels',
    'pillow-12.3.0--moving.png': '20 × 12 pixels',
    'pillow-12.3.0--moving.webp': '20 × 12 pixels',
    'pillow-12.3.0--palette.png': '20 × 12 pixels',
    'pillow-12.3.0--progressive.jpeg': '20 × 12 pixels',
    'pillow-12.3.0--still.gif': '20 × 12 pixels',
  });
});

it.each(specimensOf('images'))('%s is found out wherever it is cut off', async (name) => {
  expect(await passedOf(name, cutsOf(specimen(`images/${name}`)))).toEqual([]);
});

it.each(specimensOf('images'))('%s is read in pieces of any size', async (name) => {
  const whole = specimen(`images/${name}`);
  const loaded = await load(name, whole);
  for (const bytes of [1, 7, 100]) expect(await load(name, whole, bytes)).toEqual(loaded);
});

it('a PNG is found out with any bit flipped', async () => {
  const whole = specimen('images/pillow-12.3.0--bits.png');
  expect(await passedOf('x.png', flipsOf(whole, 0, whole.length))).toEqual([]);
});

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [lead, foot] = [Buffer.alloc(4), Buffer.alloc(4)];
  lead.writeUInt32BE(data.length);
  foot.writeUInt32BE(crc32(body));
  return Buffer.concat([lead, body, foot]);
}

/** Gray, of 8 bits. */
function pngOf(width: number, height: number, ...chunks: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const mark = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([mark, chunk('IHDR', header), ...chunks]);
}

const END = chunk('IEND', Buffer.alloc(0));
const pixels = (bytes: number, fill = 0) => deflateSync(Buffer.alloc(bytes, fill));

it.each([
  [
    'pixels that are too few',
    [chunk('IDAT', pixels(11)), END],
    'it has fewer pixels than its size says',
  ],
  [
    'pixels that are too many',
    [chunk('IDAT', pixels(13)), END],
    'it has more pixels than its size says',
  ],
  [
    'a row of no filter',
    [chunk('IDAT', pixels(12, 5)), END],
    'row 1 of its pixels has no known filter',
  ],
  ['no pixels', [END], 'it has no pixels'],
  [
    'an unknown chunk that counts',
    [chunk('ABCD', pixels(1)), END],
    'its chunk ABCD is of no known kind',
  ],
  [
    'pixels in two places',
    [chunk('IDAT', pixels(12)), chunk('tEXt', pixels(1)), chunk('IDAT', pixels(1)), END],
    'its chunk IDAT is not where it may be',
  ],
  [
    'something behind its pixels',
    [chunk('IDAT', Buffer.concat([pixels(12), Buffer.alloc(3)])), END],
    'there are bytes behind the end of its pixels',
  ],
  [
    'something behind its end',
    [chunk('IDAT', pixels(12)), END, END],
    'there are bytes behind its end',
  ],
])('a PNG with %s is damaged', async (_what, chunks, because) => {
  expect(await load('x.png', pngOf(3, 3, ...chunks))).toBe(`damaged: ${because}`);
});

it('pixels that unpack to more than any memory are left at their first row too many', async () => {
  const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024));
  const found = await load('x.png', pngOf(3, 3, chunk('IDAT', bomb), END));
  expect(found).toBe('damaged: it has more pixels than its size says');
});

it('zeros between the blocks of a GIF are passed over, as every reader does', async () => {
  const whole = specimen('images/pillow-12.3.0--still.gif');
  const filled = Buffer.concat([whole.subarray(0, -1), Buffer.of(0, 0, 0x3b)]);
  expect(await load('x.gif', filled, 3)).toEqual(await load('x.gif', whole));
  expect(await load('x.gif', filled.subarray(0, -1))).toMatch(/^damaged: it is cut off/);
});

it.each([
  ['jpg', 'colour.jpg', [0xff, 0xd9]],
  ['gif', 'still.gif', [0x3b]],
])('behind the end of a %s nothing may stand', async (ending, name, last) => {
  const whole = specimen(`images/pillow-12.3.0--${name}`);
  expect([...whole.subarray(-last.length)]).toEqual(last);
  expect(await load(`x.${ending}`, Buffer.concat([whole, whole]))).toBe(
    'damaged: there are bytes behind its end',
  );
});

it('a part that is missing from the pixels of a JPEG is found out by its restarts', async () => {
  const whole = specimen('images/pillow-12.3.0--progressive.jpeg');
  const at = whole.indexOf(Buffer.from([0xff, 0xd1]));
  const next = whole.indexOf(Buffer.from([0xff, 0xd2]), at);
  const without = Buffer.concat([whole.subarray(0, at), whole.subarray(next)]);
  expect(await load('x.jpg', without)).toBe('damaged: a part of its pixels is missing');
});

/** None of the codes of its first scan, or up to its first restart, is there. */
it.each(['colour.jpg', 'gray.jpg', 'progressive.jpeg'])(
  'pixels of a JPEG that end too soon are found out, whatever marks stand behind them: %s',
  async (name) => {
    const whole = specimen(`images/pillow-12.3.0--${name}`);
    const scan = whole.indexOf(Buffer.of(0xff, 0xda));
    const from = scan + 2 + whole.readUInt16BE(scan + 2);
    const restart = whole
      .subarray(from)
      .findIndex((byte, at) => byte === 0xff && whole[from + at + 1] !== 0);
    const without = Buffer.concat([whole.subarray(0, from), whole.subarray(from + restart)]);
    expect(await load('x.jpg', without)).toBe('damaged: a part of its pixels is missing');
  },
);

it('a code of a JPEG that stands for nothing is found out', async () => {
  const whole = specimen('images/pillow-12.3.0--gray.jpg');
  const scan = whole.lastIndexOf(Buffer.of(0xff, 0xda));
  const broken = Buffer.from(whole);
  // Nothing but ones, with the zero that each byte of them has behind it.
  const ones = Buffer.from([0xff, 0, 0xff, 0, 0xff, 0]);
  ones.copy(broken, scan + 2 + whole.readUInt16BE(scan + 2));
  expect(await load('x.jpg', broken)).toBe(
    'damaged: its pixels have a code that stands for nothing',
  );
});

it.each([
  ['a table of steps that is not there', 0xdb, 'its pixels begin without what describes them'],
  ['a frame that is not there', 0xc0, 'its pixels begin without what describes them'],
])('a JPEG is found out with %s', async (_what, mark, because) => {
  const whole = specimen('images/pillow-12.3.0--gray.jpg');
  const at = whole.indexOf(Buffer.of(0xff, mark));
  const next = at + 2 + whole.readUInt16BE(at + 2);
  const without = Buffer.concat([whole.subarray(0, at), whole.subarray(next)]);
  expect(await load('x.jpg', without)).toBe(`damaged: ${because}`);
});

it('a JPEG with a second image behind the first, as cameras write it, is whole', async () => {
  const whole = specimen('images/pillow-12.3.0--colour.jpg');
  const said = Buffer.from('\xff\xe2\0\x06MPF\0', 'latin1');
  const both = Buffer.concat([whole.subarray(0, 2), said, whole.subarray(2), whole]);
  expect(await load('x.jpg', both)).toMatchObject({ kind: 'loaded' });
});

/** One image of 4 × 2 pixels and two colours, with these codes and the bits that each takes. */
function gifOf(
  codeBits: number,
  codes: readonly (readonly [code: number, bits: number])[],
): Buffer {
  let [bits, count] = [0n, 0n];
  for (const [code, width] of codes) {
    bits |= BigInt(code) << count;
    count += BigInt(width);
  }
  const packed = Array.from({ length: Math.ceil(Number(count) / 8) }, (_, no) =>
    Number((bits >> BigInt(8 * no)) & 0xffn),
  );
  const [screen, colours] = [[4, 0, 2, 0, 0x80, 0, 0], Array<number>(6).fill(0)];
  const image = [0x2c, 0, 0, 0, 0, 4, 0, 2, 0, 0, codeBits, packed.length, ...packed, 0, 0x3b];
  return Buffer.concat([Buffer.from('GIF89a'), Buffer.of(...screen, ...colours, ...image)]);
}
const [CLEAR, OVER] = [4, 5];

it('the pixels of a GIF are counted by their codes', async () => {
  // One, one that is just being made (two of it), another (three), and twice the first.
  const codes = [
    [CLEAR, 3],
    [1, 3],
    [6, 3],
    [7, 3],
    [1, 4],
    [1, 4],
  ] as const;
  const whole = gifOf(2, [...codes, [OVER, 4]]);
  expect(await load('x.gif', whole)).toMatchObject({ kind: 'loaded', holds: '4 × 2 pixels' });
  const short = gifOf(2, [...codes.slice(0, -1), [OVER, 4]]);
  expect(await load('x.gif', short)).toBe(
    'damaged: an image of it has fewer pixels than its size says',
  );
  const nothing = gifOf(2, [
    [CLEAR, 3],
    [6, 3],
    [OVER, 3],
  ]);
  expect(await load('x.gif', nothing)).toBe(
    'damaged: its pixels have a code that stands for nothing',
  );
});

const segment = (mark: number, ...content: readonly number[]): Buffer =>
  Buffer.of(0xff, mark, (content.length + 2) >> 8, (content.length + 2) & 0xff, ...content);
/** One code of one bit, which stands for this. */
const codeOf = (id: number, value: number) =>
  segment(0xc4, id, 1, ...Array<number>(15).fill(0), value);
/** Of each colour its number. */
function jpegOf(
  frame: number,
  [width, height]: readonly [number, number],
  ids: readonly number[],
  ...parts: readonly Buffer[]
): Buffer {
  const size = [height >> 8, height & 0xff, width >> 8, width & 0xff];
  const colours = ids.flatMap((id) => [id, 0x11, 0]);
  return Buffer.concat([
    ...[Buffer.of(0xff, 0xd8), segment(0xdb, 0, ...Array<number>(64).fill(1))],
    ...[segment(frame, 8, ...size, ids.length, ...colours), ...parts, Buffer.of(0xff, 0xd9)],
  ]);
}
const scanOf = (ids: readonly number[], ...settings: readonly number[]) =>
  segment(0xda, ids.length, ...ids.flatMap((id) => [id, 0]), ...settings);

it.each([
  [0xc3, '8 × 8 pixels, not all of them unpacked'],
  [0xc0, 'damaged: a table of codes has one that stands for nothing'],
])('only a lossless JPEG has differences of sixteen bits: frame %i', async (frame, expected) => {
  const parts = [codeOf(0, 16), codeOf(0x10, 0), scanOf([1], 0, 63, 0), Buffer.of(0)];
  const found = await load('x.jpg', jpegOf(frame, [8, 8], [1], ...parts));
  expect(found).toEqual(
    expected.startsWith('damaged') ? expected : { kind: 'loaded', format: 'jpeg', holds: expected },
  );
});

it('a JPEG whose colours all have one number is not unpacked, and no damage', async () => {
  const ids = [1, 1, 1];
  const parts = [codeOf(0, 0), codeOf(0x10, 0), scanOf(ids, 0, 63, 0), Buffer.of(0)];
  expect(await load('x.jpg', jpegOf(0xc0, [8, 8], ids, ...parts))).toMatchObject({
    holds: '8 × 8 pixels, not all of them unpacked',
  });
});

/** In a progressive JPEG of 1,024 blocks, nothing but the ends of all of them. */
const ENDS = Buffer.from([0x00, 0x00]);

it('scans that go to all blocks again and again are left, and that is said', async () => {
  // One code says that 512 blocks are over, and nine bits that 512 more are.
  const [begin, codes] = [scanOf([1], 0, 0, 0), codeOf(0x10, 0x90)];
  const whole = [codeOf(0, 0), codes, begin, Buffer.alloc(128)];
  const rough = Buffer.concat([scanOf([1], 1, 63, 0), ENDS, Buffer.of(0, 0)]);
  const finer = Buffer.concat([scanOf([1], 1, 63, 0x10), ENDS, Buffer.of(0, 0)]);
  const many = (scan: Buffer, count: number) =>
    jpegOf(0xc2, [256, 256], [1], ...whole, ...Array<Buffer>(count).fill(scan));
  const said = '256 × 256 pixels';
  expect(await load('x.jpg', many(rough, 200))).toMatchObject({ holds: said });
  expect(await load('x.jpg', many(finer, 10))).toMatchObject({ holds: said });
  expect(await load('x.jpg', many(finer, 200))).toMatchObject({
    holds: `${said}, not all of them unpacked`,
  });
});

it('bytes that are stuffed are held as one, and not each by itself', async () => {
  const from = vi.spyOn(Buffer, 'from');
  try {
    const parts = [codeOf(0, 0), codeOf(0x10, 0), scanOf([1], 0, 63, 0), Buffer.of(0)];
    const stuffed = Buffer.alloc(2000, Buffer.of(0xff, 0));
    const whole = jpegOf(
      0xc0,
      [8, 8],
      [1],
      ...parts,
      stuffed,
      Buffer.alloc(1000, 'a\xff\0', 'latin1'),
    );
    from.mockClear();
    expect(await load('x.jpg', whole)).toMatchObject({ kind: 'loaded' });
    expect(from.mock.calls.length).toBeLessThan(50);
  } finally {
    from.mockRestore();
  }
});

it('a frame of a JPEG that is added to another one is found out where there is none', async () => {
  const whole = specimen('images/pillow-12.3.0--progressive.jpeg');
  const at = whole.indexOf(Buffer.of(0xff, 0xc2));
  const broken = Buffer.from(whole);
  broken[at + 1] = 0xc6;
  const because = 'damaged: its frame is added to one that there is not';
  expect(await load('x.jpg', broken)).toBe(because);
  // A picture of several levels begins with this.
  const levels = Buffer.concat([Buffer.of(0xff, 0xde), whole.subarray(at + 2, at + 21)]);
  const several = Buffer.concat([broken.subarray(0, 2), levels, broken.subarray(2)]);
  expect(await load('x.jpg', several)).not.toBe(because);
});
