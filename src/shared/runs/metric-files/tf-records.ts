/** Of one record. An event of scalars has some hundred bytes; images and histograms are passed over. */
const MAX_KEPT_BYTES = 256 * 1024;
/** More is no length, whatever its checksum. */
const MAX_RECORD_BYTES = 2 ** 40;
const HEAD_BYTES = 12;
const FOOT_BYTES = 4;

/** CRC-32C (Castagnoli), as TFRecord files have it. */
const TABLE = Uint32Array.from({ length: 256 }, (_, at) => {
  let crc = at;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc >>> 0;
});

/** A checksum of bytes that hold checksums would tell little: they are turned and moved. */
export function maskedCrc(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  crc = (crc ^ 0xffffffff) >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/**
 * The records of a TFRecord file as its bytes come: a length with its checksum, the content, and its checksum. A record that is cut off
 * at the end is not there yet; one whose checksum is wrong ends the reading, since nobody knows where the next one begins.
 */
export class TfRecordReader {
  readonly #take: (record: Uint8Array) => void;
  /** What came of the record that is not whole. */
  #rest = new Uint8Array(0);
  /** Bytes of a record that is too long to be kept. */
  #toSkip = 0;
  #at = 0;
  #damagedAt: number | null = null;

  constructor(take: (record: Uint8Array) => void) {
    this.#take = take;
  }

  /** Where a checksum was wrong; null: everywhere right so far. */
  get damagedAt(): number | null {
    return this.#damagedAt;
  }

  take(piece: Uint8Array): void {
    if (this.#damagedAt !== null) return;
    const skipped = Math.min(this.#toSkip, piece.length);
    this.#toSkip -= skipped;
    this.#at += skipped;
    const fresh = piece.subarray(skipped);
    const bytes = this.#rest.length === 0 ? fresh : joined(this.#rest, fresh);
    let at = 0;
    for (;;) {
      const used = this.#record(bytes.subarray(at));
      if (used === 0) break;
      at += used;
      this.#at += used;
    }
    // A copy: what came may be a part of a buffer that is used again.
    this.#rest = this.#damagedAt === null ? bytes.slice(at) : new Uint8Array(0);
  }

  /** How many bytes the first record of these takes; 0: it is not whole. */
  #record(bytes: Uint8Array): number {
    if (bytes.length < HEAD_BYTES) return 0;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const length = Number(view.getBigUint64(0, true));
    const isLength = view.getUint32(8, true) === maskedCrc(bytes.subarray(0, 8));
    if (!isLength || length > MAX_RECORD_BYTES) return this.#damaged();
    const whole = HEAD_BYTES + length + FOOT_BYTES;
    if (length > MAX_KEPT_BYTES) {
      this.#toSkip = Math.max(0, whole - bytes.length);
      return Math.min(whole, bytes.length);
    }
    if (bytes.length < whole) return 0;
    const content = bytes.subarray(HEAD_BYTES, HEAD_BYTES + length);
    if (view.getUint32(HEAD_BYTES + length, true) !== maskedCrc(content)) return this.#damaged();
    this.#take(content);
    return whole;
  }

  #damaged(): 0 {
    this.#damagedAt = this.#at;
    return 0;
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
