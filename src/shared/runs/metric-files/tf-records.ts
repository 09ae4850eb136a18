import { Crc32c, maskedCrc32c } from '../../verify/crc32c.ts';

/** Of one record. An event of scalars has some hundred bytes; of images and histograms the checksum alone is looked at. */
const MAX_KEPT_BYTES = 256 * 1024;
/** More is no length, whatever its checksum. */
const MAX_RECORD_BYTES = 2 ** 40;
const HEAD_BYTES = 12;
const FOOT_BYTES = 4;

/** A record that has begun. */
interface Begun {
  readonly bytes: number;
  readonly crc: Crc32c;
  /** What came of it; null: it is too long to be kept. */
  readonly kept: Uint8Array | null;
  came: number;
}

/**
 * The records of a TFRecord file as its bytes come: a length with its checksum, the content, and its checksum. A record that is cut off
 * at the end is not there yet; one whose checksum is wrong ends the reading, since nobody knows where the next one begins.
 */
export class TfRecordReader {
  readonly #take: (record: Uint8Array) => void;
  /** The head or the foot of a record, which may come in pieces. */
  readonly #frame = new Uint8Array(HEAD_BYTES);
  #framed = 0;
  #begun: Begun | null = null;
  /** Where the record that is not whole begins. */
  #at = 0;
  #records = 0;
  #damagedAt: number | null = null;

  /** @param take Each record that is not too long to be kept. */
  constructor(take: (record: Uint8Array) => void) {
    this.#take = take;
  }

  /** Where a checksum was wrong; null: everywhere right so far. */
  get damagedAt(): number | null {
    return this.#damagedAt;
  }

  /** Whole ones, also those that are too long to be kept. */
  get records(): number {
    return this.#records;
  }

  /** Where a record begins that has not come whole; null: the last one is whole. */
  get tornAt(): number | null {
    return this.#framed > 0 || this.#begun !== null ? this.#at : null;
  }

  take(piece: Uint8Array): void {
    let rest = piece;
    while (rest.length > 0 && this.#damagedAt === null) rest = rest.subarray(this.#step(rest));
  }

  /** How many of these bytes it has used. */
  #step(bytes: Uint8Array): number {
    const begun = this.#begun;
    if (begun !== null && begun.came < begun.bytes) return addTo(begun, bytes);
    const frameBytes = begun === null ? HEAD_BYTES : FOOT_BYTES;
    const part = bytes.subarray(0, frameBytes - this.#framed);
    this.#frame.set(part, this.#framed);
    this.#framed += part.length;
    if (this.#framed === frameBytes) {
      this.#framed = 0;
      if (begun === null) this.#begin();
      else this.#finish(begun);
    }
    return part.length;
  }

  #begin(): void {
    const view = new DataView(this.#frame.buffer);
    const bytes = Number(view.getBigUint64(0, true));
    const isLength = view.getUint32(8, true) === maskedCrc32c(this.#frame.subarray(0, 8));
    if (!isLength || bytes > MAX_RECORD_BYTES) {
      this.#damagedAt = this.#at;
      return;
    }
    const kept = bytes > MAX_KEPT_BYTES ? null : new Uint8Array(bytes);
    this.#begun = { bytes, crc: new Crc32c(), kept, came: 0 };
  }

  #finish({ bytes, crc, kept }: Begun): void {
    if (new DataView(this.#frame.buffer).getUint32(0, true) !== crc.masked) {
      this.#damagedAt = this.#at;
      return;
    }
    this.#begun = null;
    this.#at += HEAD_BYTES + bytes + FOOT_BYTES;
    this.#records += 1;
    if (kept !== null) this.#take(kept);
  }
}

/** Where the first record begins in bytes from the middle of a file: where a length stands that its checksum is right of. Null: nowhere. */
export function firstRecordIn(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + HEAD_BYTES <= bytes.length; at += 1) {
    const isLength = Number(view.getBigUint64(at, true)) <= MAX_RECORD_BYTES;
    const told = view.getUint32(at + 8, true);
    if (isLength && told === maskedCrc32c(bytes.subarray(at, at + 8))) return at;
  }
  return null;
}

function addTo(begun: Begun, bytes: Uint8Array): number {
  const part = bytes.subarray(0, begun.bytes - begun.came);
  begun.crc.add(part);
  begun.kept?.set(part, begun.came);
  begun.came += part.length;
  return part.length;
}
