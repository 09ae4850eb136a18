/** CRC-32 as zip uses it; `zlib.crc32` came only with Node 20.15. */
export function crc32(bytes: Uint8Array): number {
  return checksum(bytes, ZIP_TABLE);
}

/** CRC-32C (Castagnoli), rotated and offset as TFRecord stores it, so that a CRC over CRCs stays meaningful. */
export function maskedCrc32c(bytes: Uint8Array): number {
  const crc = checksum(bytes, CASTAGNOLI_TABLE);
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

const ZIP_TABLE = makeTable(0xedb88320);
const CASTAGNOLI_TABLE = makeTable(0x82f63b78);

function makeTable(reversedPolynomial: number): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) {
      value = value & 1 ? (value >>> 1) ^ reversedPolynomial : value >>> 1;
    }
    return value;
  });
}

function checksum(bytes: Uint8Array, table: Uint32Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}
