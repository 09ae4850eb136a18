import type { ByteSource } from '../byte-source.ts';
import { crc32 } from '../crc32.ts';
import { Cursor } from '../cursor.ts';
import { Damaged } from '../damage.ts';
import { plural } from '../plural.ts';
import { fieldsOf } from '../protobuf.ts';
import { need, peek, walkedFormat, Walker, type Walk } from '../walk.ts';

export const wandb = walkedFormat('wandb', /\.wandb$/i, () => walkWandb());

/** Records are cut at the ends of blocks, as in LevelDB’s logs. */
const BLOCK_BYTES = 32 * 1024;
const LEAD_BYTES = 7;
const [FULL, FIRST, MIDDLE, LAST] = [1, 2, 3, 4];

/** Each record of a run by its checksum; how many are whole where the last one is cut off. */
function* walkWandb(onRecord: (start: Buffer) => void = () => undefined): Walk {
  const mark = yield* need(LEAD_BYTES);
  if (mark.toString('latin1', 0, 4) !== ':W&B' || mark.readUInt16LE(4) !== 0xbee1) {
    throw new Damaged('it does not begin as a run of W&B does');
  }
  let records = 0;
  let inBlock = LEAD_BYTES;
  for (let isOpen = false; isOpen || (yield* peek()) !== null;) {
    const left = BLOCK_BYTES - inBlock;
    if (left < LEAD_BYTES) {
      // Too little for a record: filled up.
      if ((yield* need(left)).some((byte) => byte !== 0)) throw damagedAfter(records);
      inBlock = 0;
      continue;
    }
    const lead = yield* need(LEAD_BYTES);
    const bytes = lead.readUInt16LE(4);
    const type = lead[6] ?? 0;
    const begins = type === FULL || type === FIRST;
    if (bytes > left - LEAD_BYTES || begins === isOpen || type < FULL || type > LAST) {
      throw damagedAfter(records);
    }
    const content = yield* need(bytes);
    if (crc32(content, crc32(lead.subarray(6))) !== lead.readUInt32LE(0)) {
      throw damagedAfter(records);
    }
    inBlock += LEAD_BYTES + bytes;
    isOpen = type === FIRST || type === MIDDLE;
    // Where it was cut up, its first part.
    if (begins) onRecord(content);
    if (!isOpen) records += 1;
  }
  return plural(records, 'record');
}

const damagedAfter = (records: number): Damaged =>
  new Damaged(`the record behind ${plural(records, 'whole record')} is broken`);

const EXIT_FIELD = 18;
const PIECE_BYTES = 1024 * 1024;

/** Whether the run said that it was over; the last thing that it writes. Throws where the file is not whole. */
export async function hasEnded(source: ByteSource): Promise<boolean> {
  let isOver = false;
  const walker = new Walker(
    walkWandb((start) => {
      isOver ||= saysExit(start);
    }),
  );
  for (let at = 0; at < source.sizeBytes; at += PIECE_BYTES) {
    await walker.take(source.read(at, Math.min(PIECE_BYTES, source.sizeBytes - at)));
  }
  await walker.end();
  return isOver;
}

/** A record is one message, whose fields say of what kind it is. */
function saysExit(start: Buffer): boolean {
  const cursor = new Cursor(
    { sizeBytes: start.length, read: (at, length) => start.subarray(at, at + length) },
    'a record',
  );
  try {
    for (const { field } of fieldsOf(cursor, start.length)) if (field === EXIT_FIELD) return true;
  } catch (cause) {
    // The first part of one that was cut up ends somewhere.
    if (!(cause instanceof Damaged)) throw cause;
  }
  return false;
}
