import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { imageKindOf, readImageHead } from './image-head.ts';

const from64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

const PNG = from64(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8DAAMEoFABL0wX7vfhMJgAAAABJRU5ErkJggg==',
);
const GIF = from64('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7');
const WEBP = from64('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA');
const WEBP_LOSSLESS = from64('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==');

/** A JPEG's head: a comment of this length, a table, and the frame of 640 × 480. */
function jpeg(comment: number): Uint8Array {
  const segment = (marker: number, content: readonly number[]): number[] => [
    ...[0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 0xff],
    ...content,
  ];
  return Uint8Array.from([
    ...[0xff, 0xd8],
    ...segment(0xfe, new Array<number>(comment).fill(0x20)),
    ...segment(0xc4, [0, 1, 2]),
    0xff,
    ...segment(0xc2, [8, 480 >> 8, 480 & 0xff, 640 >> 8, 640 & 0xff, 3, 0, 0, 0]),
  ]);
}

describe('the head of a picture', () => {
  it.each([
    ['PNG', PNG, 'image/png', 3, 2],
    ['GIF', GIF, 'image/gif', 1, 1],
    ['WebP', WEBP, 'image/webp', 1, 1],
    ['lossless WebP', WEBP_LOSSLESS, 'image/webp', 1, 1],
    ['JPEG behind a long comment', jpeg(60_000), 'image/jpeg', 640, 480],
  ])('of a %s tells its kind and its size', (_name, bytes, mime, width, height) => {
    expect(readImageHead(bytes)).toEqual({ mime, width, height });
  });

  it('is none of what only looks like one, an SVG and a page least of all', () => {
    const text = (words: string): Uint8Array => new TextEncoder().encode(words);
    expect(imageKindOf(text('<svg xmlns="http://www.w3.org/2000/svg"></svg>'))).toBeNull();
    expect(imageKindOf(text('<html><script>alert(1)</script>'))).toBeNull();
    expect(imageKindOf(text('RIFF1234WAVE'))).toBeNull();
    expect(imageKindOf(new Uint8Array())).toBeNull();
  });

  it('that is cut off anywhere tells nothing, and never throws', () => {
    for (const whole of [PNG, GIF, WEBP, WEBP_LOSSLESS, jpeg(100)]) {
      for (let length = 0; length < whole.length; length += 1) {
        expect(() => readImageHead(whole.subarray(0, length))).not.toThrow();
      }
    }
    expect(readImageHead(jpeg(100).subarray(0, 100))).toBeNull();
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom(PNG, GIF, WEBP, jpeg(0)),
        (tail, whole) => {
          readImageHead(Uint8Array.from([...whole.subarray(0, 16), ...tail]));
        },
      ),
    );
  });
});
