import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Damaged } from '../damage.ts';
import { cutsOf, flipsOf } from '../load.fixture.ts';
import { unpackZstd as unpack } from './zstd.ts';

const SAMPLES = new URL('./samples/', import.meta.url);
const sample = (level: string): Buffer =>
  readFileSync(new URL(`zstandard-0.25.0--level-${level}.zst`, SAMPLES));
const MOST = 300_000;
// As the script that wrote them printed.
const [TEXT, ALL] = [
  '28b81475d6853216d1270641161d3f9876abd62b95ffff68336c4c2470ad59e1',
  '4a3a91cd10f41301bc9ff1bac317ee9bc12d98721aff64e9337fff52ff81ac82',
];
/** All that it unpacks to. */
function unpackZstd(packed: Uint8Array, most: number): Buffer {
  const pieces: Buffer[] = [];
  unpack(packed, most, (piece) => pieces.push(Buffer.from(piece)));
  return Buffer.concat(pieces);
}
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

it.each([
  ['-5', 20_000, TEXT],
  ['3', MOST, ALL],
  ['19', MOST, ALL],
])('what was packed at level %s is unpacked as it was', (level, length, sum) => {
  const unpacked = unpackZstd(sample(level), length);
  expect([unpacked.length, sha256(unpacked)]).toEqual([length, sum]);
});

it('each sample is looked at', () => {
  expect(readdirSync(SAMPLES).filter((name) => name.endsWith('.zst'))).toHaveLength(3);
});

it('frames stand one behind the other, also those that are passed over', () => {
  const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
  const both = Buffer.concat([sample('-5'), skipped, sample('-5')]);
  const unpacked = unpackZstd(both, 40_000);
  expect(sha256(unpacked.subarray(20_000))).toBe(TEXT);
});

it('no more is unpacked than was said', () => {
  expect(() => unpackZstd(sample('3'), MOST - 1)).toThrow(Damaged);
});

it('is found out wherever it is cut off', () => {
  const [none, ...cuts] = [...cutsOf(sample('19'))].filter((_, no) => no < 40 || no % 50 === 0);
  expect(unpackZstd(none ?? sample('19'), MOST)).toHaveLength(0);
  for (const cut of cuts) expect(() => unpackZstd(cut, MOST)).toThrow(Damaged);
});

it('a bit flipped is damage or other letters, and never another failure', () => {
  const whole = sample('19');
  const found = { damaged: 0, other: 0, same: 0 };
  // Behind the window and the length, the table of the first letters and what follows.
  for (const broken of flipsOf(whole, 9, 49)) {
    try {
      found[sha256(unpackZstd(broken, MOST)) === ALL ? 'same' : 'other'] += 1;
    } catch (cause) {
      expect(cause).toBeInstanceOf(Damaged);
      found.damaged += 1;
    }
  }
  // Letters have no checksum of their own; one bit of a table stands for what the others say as well.
  expect(found).toEqual({ damaged: 202, other: 117, same: 1 });
});
