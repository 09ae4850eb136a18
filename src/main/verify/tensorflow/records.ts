import { createInflate } from 'node:zlib';
import { readScalarEvent } from '../../../shared/runs/metric-files/event-scalars.ts';
import { TfRecordReader } from '../../../shared/runs/metric-files/tf-records.ts';
import { maskedCrc32c } from '../../../shared/verify/crc32c.ts';
import type { Loaded, NumbersFound } from '../../../shared/verify/loaded.ts';
import { walkMembers } from '../archives/gzip.ts';
import { bounded, type Unpack } from '../archives/packed-formats.ts';
import type { ByteSource } from '../byte-source.ts';
import { Damaged } from '../damage.ts';
import { plural } from '../plural.ts';
import type { Format, Reading } from '../reading.ts';
import { Unpacking } from '../unpacking.ts';
import { pass, wait, Walker, type Walk } from '../walk.ts';

/** Of a record: its length, and the checksum of that. */
const [LENGTH_BYTES, LEAD_BYTES] = [8, 12];

/** `train.tfrecord`, and parts as `train.tfrecord-00000-of-00010`. */
export const tfrecord: Format = {
  name: 'tfrecord',
  ends: /\.tfrecords?(?:-\d{1,6}-of-\d{1,6})?$/i,
  open: openRecords,
};

/** `events.out.tfevents.1700000000.host.123.0.v2`. */
export const tfevents: Format = { name: 'tfevents', ends: /\.tfevents(?:\.|$)/i, open: openEvents };

function openRecords(source: ByteSource): Reading {
  const reader = new TfRecordReader(() => undefined);
  const told = (): Loaded => {
    endRecords(reader);
    return { kind: 'loaded', format: 'tfrecord', holds: plural(reader.records, 'record') };
  };
  const unpack = unpackOf(source);
  if (unpack === null) return { take: (piece) => takeRecords(reader, piece), end: told };
  const walker = new Walker(walkPacked(bounded(unpack, source), reader));
  return {
    take: (piece) => walker.take(piece),
    end: async () => {
      await walker.end();
      return told();
    },
  };
}

function openEvents(): Reading {
  const scalars = new ScalarCount();
  const reader = new TfRecordReader((record) => {
    for (const { tag, value } of readScalarEvent(record)?.values ?? []) scalars.add(tag, value);
  });
  return {
    take: (piece) => takeRecords(reader, piece),
    end: () => {
      endRecords(reader);
      // A writer begins with a record of the file's version.
      if (reader.records === 0) throw new Damaged('not even its first record is there');
      const numbers = scalars.found();
      const holds = `${plural(reader.records, 'event')}, ${plural(numbers.scanned, 'scalar')}`;
      return { kind: 'loaded', format: 'tfevents', holds, numbers };
    },
  };
}

function takeRecords(reader: TfRecordReader, piece: Uint8Array): void {
  reader.take(piece);
  const { damagedAt } = reader;
  if (damagedAt === null) return;
  const behind = plural(reader.records, 'whole record');
  throw new Damaged(`a checksum is wrong behind ${behind}, at byte ${String(damagedAt)}`);
}

/** What a writer that was killed leaves. */
function endRecords(reader: TfRecordReader): void {
  if (reader.tornAt === null) return;
  const behind = plural(reader.records, 'whole record');
  throw new Damaged(
    `it is cut off: behind ${behind}, at byte ${String(reader.tornAt)}, begins one that has no end`,
  );
}

/** As TensorFlow writes it when it is asked to: gzip or zlib around all records. Null: neither. */
function unpackOf(source: ByteSource): Unpack | null {
  const head = Buffer.from(source.read(0, Math.min(LEAD_BYTES, source.sizeBytes)));
  const [first = 0, second = 0] = head;
  const isZlib = first === 0x78 && ((first << 8) | second) % 31 === 0;
  if (!isZlib && !(first === 0x1f && second === 0x8b)) return null;
  // A first record may be as long as that.
  const length = head.subarray(0, LENGTH_BYTES);
  const isRecord =
    head.length === LEAD_BYTES && maskedCrc32c(length) === head.readUInt32LE(LENGTH_BYTES);
  if (isRecord) return null;
  return isZlib ? (take) => walkZlib(take, source) : walkMembers;
}

function* walkPacked(unpack: Unpack, reader: TfRecordReader): Walk {
  yield* unpack((piece) => takeRecords(reader, piece));
  return '';
}

/** Nothing stands behind it that would say where it ends, so that all of the file is for it. */
function* walkZlib(take: (piece: Uint8Array) => void, { sizeBytes }: ByteSource): Walk<void> {
  const unpacking = new Unpacking(createInflate(), take);
  yield* pass(sizeBytes, async (piece) => {
    const used = await unpacking.take(piece);
    if (used !== null) throw new Damaged('there are bytes behind its end');
  });
  yield* wait(() => unpacking.end());
}

/** Enough to see which curve went wrong. */
const MAX_NAMED = 20;

/** The scalars of a file of events: a curve that is NaN is the first sign of a run that broke. */
class ScalarCount {
  #scanned = 0;
  #nonFinite = 0;
  readonly #affected = new Map<string, number>();

  add(tag: string, value: number): void {
    this.#scanned += 1;
    if (Number.isFinite(value)) return;
    this.#nonFinite += 1;
    const count = this.#affected.get(tag);
    if (count === undefined && this.#affected.size >= MAX_NAMED) return;
    this.#affected.set(tag, (count ?? 0) + 1);
  }

  found(): NumbersFound {
    return {
      scanned: this.#scanned,
      nonFinite: this.#nonFinite,
      affected: [...this.#affected].map(([tensor, count]) => ({ tensor, count })),
      allZero: [],
    };
  }
}
