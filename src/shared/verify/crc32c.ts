/** Eight bytes a step take a third of the time of one: a table for each place that a byte can be at before the end of a step. */
const STEP = 8;
const TABLES = makeTables();

function makeTables(): Uint32Array {
  const tables = new Uint32Array(STEP * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
    tables[byte] = crc;
  }
  for (let at = 256; at < tables.length; at += 1) {
    const before = tables[at - 256] ?? 0;
    tables[at] = (before >>> 8) ^ (tables[before & 0xff] ?? 0);
  }
  return tables;
}

/** CRC-32C (Castagnoli) of bytes that come in pieces, as TFRecord files and LevelDB’s tables have it. */
export class Crc32c {
  #crc = 0xffffffff;

  add(bytes: Uint8Array): this {
    let crc = this.#crc;
    const steps = bytes.length - (bytes.length % STEP);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at < steps; at += STEP) {
      const first = crc ^ view.getUint32(at, true);
      const second = view.getUint32(at + 4, true);
      crc =
        (TABLES[0x700 | (first & 0xff)] ?? 0) ^
        (TABLES[0x600 | ((first >>> 8) & 0xff)] ?? 0) ^
        (TABLES[0x500 | ((first >>> 16) & 0xff)] ?? 0) ^
        (TABLES[0x400 | (first >>> 24)] ?? 0) ^
        (TABLES[0x300 | (second & 0xff)] ?? 0) ^
        (TABLES[0x200 | ((second >>> 8) & 0xff)] ?? 0) ^
        (TABLES[0x100 | ((second >>> 16) & 0xff)] ?? 0) ^
        (TABLES[second >>> 24] ?? 0);
    }
    for (let at = steps; at < bytes.length; at += 1) {
      crc = (TABLES[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
    }
    this.#crc = crc;
    return this;
  }

  get value(): number {
    return (this.#crc ^ 0xffffffff) >>> 0;
  }

  /** A checksum of bytes that hold checksums would tell little: it is turned and moved. */
  get masked(): number {
    const crc = this.value;
    return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
  }
}

export const maskedCrc32c = (bytes: Uint8Array): number => new Crc32c().add(bytes).masked;
