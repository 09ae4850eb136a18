import { expect, it } from 'vitest';
import { Crc32c, maskedCrc32c } from './crc32c.ts';

const text = (letters: string): Uint8Array => new TextEncoder().encode(letters);

// The check value of the algorithm, and those of RFC 3720, appendix B.4.
it.each([
  [text('123456789'), 0xe3069283],
  [new Uint8Array(32), 0x8a9136aa],
  [new Uint8Array(32).fill(0xff), 0x62a8ab43],
  [Uint8Array.from({ length: 32 }, (_, at) => at), 0x46dd794e],
  [new Uint8Array(0), 0],
])('agrees with what is published, in whatever pieces', (bytes, expected) => {
  for (const piece of [1, 3, 8, 32]) {
    const crc = new Crc32c();
    for (let at = 0; at < bytes.length; at += piece) crc.add(bytes.subarray(at, at + piece));
    expect(crc.value).toBe(expected);
  }
});

it('is turned and moved where checksums are among the bytes', () => {
  const crc = 0xe3069283;
  expect(maskedCrc32c(text('123456789'))).toBe((((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0);
});
