import { expect, it } from 'vitest';
import { load, passedOf, specimen } from '../load.fixture.ts';

/** Bits of a picture, the lowest of each byte first. */
function packed(parts: readonly (readonly [value: number, bits: number])[]): Buffer {
  const bits = parts.flatMap(([value, count]) =>
    Array.from({ length: count }, (_, no) => (value >> no) & 1),
  );
  return Buffer.from(
    Array.from({ length: Math.ceil(bits.length / 8) }, (_, byte) =>
      bits.slice(8 * byte, 8 * byte + 8).reduce((all, bit, no) => all | (bit << no), 0),
    ),
  );
}

function chunk(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

function riff(...chunks: readonly Buffer[]): Buffer {
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
}

const SIDE = 16_384;
const lead = [
  ...[[0x2f, 8] as const, [SIDE - 1, 14] as const, [SIDE - 1, 14] as const],
  ...[[0, 4] as const, [0, 1] as const, [0, 1] as const],
];
/** Five tables of one symbol each, which takes no bits. */
const plain = Array.from({ length: 5 }, () => [1, 4] as const);

it('a picture whose pixels take no bits is read at once, however large it is', async () => {
  const content = packed([...lead, [0, 1], ...plain]);
  expect(await load('x.webp', riff(chunk('VP8L', content)))).toMatchObject({
    holds: '16384 × 16384 pixels',
  });
});

/** One that moves, with the same frame again and again. */
function moving(content: Buffer, side: number, times: number): Buffer {
  const canvas = Buffer.alloc(10);
  canvas[0] = 2;
  for (const at of [4, 7]) canvas.writeUIntLE(side - 1, at, 3);
  const place = Buffer.alloc(16);
  for (const at of [6, 9]) place.writeUIntLE(side - 1, at, 3);
  const frame = chunk('ANMF', Buffer.concat([place, chunk('VP8L', content)]));
  const frames = Array<Buffer>(times).fill(frame);
  return riff(chunk('VP8X', canvas), chunk('ANIM', Buffer.alloc(6)), ...frames);
}

it('frames without end whose blocks take no bits do not keep a reader', async () => {
  const content = packed([...lead, [1, 1], [0, 3], [0, 1], ...plain, ...plain]);
  expect(await load('x.webp', moving(content, SIDE, 1000))).toBe(
    'not loadable: it has more pixels than Leasehold unpacks',
  );
});

it('frames of one pixel that have thousands of tables of codes do not keep a reader', async () => {
  const one = (symbol: number) => [[0b101, 3] as const, [symbol, 8] as const];
  // Which of 4,096 groups of tables the pixel is packed by: its green and red say so.
  const which = [...one(255), ...one(15), ...one(0), ...one(0), ...one(0)];
  const groups = Array.from({ length: 4096 * 5 }, () => [[0b0011, 4] as const, [1, 8] as const]);
  const content = packed([
    ...[[0x2f, 8] as const, [0, 14] as const, [0, 14] as const, [0, 4] as const, [0, 1] as const],
    ...[[0, 1] as const, [1, 1] as const, [0, 3] as const, [0, 1] as const, ...which],
    ...groups.flat(),
    [0, 8],
  ]);
  expect(await load('x.webp', moving(content, 1, 1))).toMatchObject({ holds: '1 × 1 pixels' });
  expect(await load('x.webp', moving(content, 1, 5))).toBe(
    'not loadable: it has more pixels than Leasehold unpacks',
  );
});

it('pixels are found out that end before the picture does', async () => {
  for (const name of ['lossless', 'lossy']) {
    const whole = specimen(`images/pillow-12.3.0--${name}.webp`);
    const bytes = whole.readUInt32LE(16);
    const cuts = [2, 4, 8].map((part) => {
      const content = whole.subarray(20, 20 + bytes - (bytes >> 1) + (part & 2));
      return riff(chunk(whole.toString('latin1', 12, 16), content));
    });
    expect(await passedOf('x.webp', cuts)).toEqual([]);
  }
});
