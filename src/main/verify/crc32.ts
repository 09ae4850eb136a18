import * as zlib from 'node:zlib';

/** The oldest runtime has none of its own. */
const native = zlib.crc32 as typeof zlib.crc32 | undefined;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** CRC-32 as zip, gzip and PNG have it, of bytes that may come in pieces: `before` is that of those before them. */
export function crc32(bytes: Uint8Array, before = 0): number {
  return native === undefined ? crcByTable(bytes, before) : native(bytes, before);
}

export function crcByTable(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0);
  return ~crc >>> 0;
}
