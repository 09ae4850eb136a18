import { crc32 } from '../crc32.ts';
import { Damaged } from '../damage.ts';
import { plural } from '../plural.ts';
import { need, peek, walkedFormat, type Walk } from '../walk.ts';

export const wandb = walkedFormat('wandb', /\.wandb$/i, walkWandb);

/** Records are cut at the ends of blocks, as in LevelDB’s logs. */
const BLOCK_BYTES = 32 * 1024;
const LEAD_BYTES = 7;
const [FULL, FIRST, MIDDLE, LAST] = [1, 2, 3, 4];

/** Each record of a run by its checksum; how many are whole where the last one is cut off. */
function* walkWandb(): Walk {
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
    if (!isOpen) records += 1;
  }
  return plural(records, 'record');
}

const damagedAfter = (records: number): Damaged =>
  new Damaged(`the record behind ${plural(records, 'whole record')} is broken`);
