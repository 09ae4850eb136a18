import { createInflateRaw } from 'node:zlib';
import { crc32 } from '../crc32.ts';
import { Damaged } from '../damage.ts';
import { plural } from '../plural.ts';
import { Unpacking } from '../unpacking.ts';
import { need, peek, scan, wait, type Walk } from '../walk.ts';
import { packedFormats } from './packed-formats.ts';

export const [gzip, tarGzip] = packedFormats(
  { alone: 'gz', tar: 'tar.gz' },
  { alone: /\.gz$/i, tar: /\.(?:tar\.gz|tgz)$/i },
  walkMembers,
);

const DEFLATE = 8;
const FLAGS = { headerCrc: 2, extra: 4, name: 8, remark: 16, unknown: 0xe0 };

/** Several may stand one behind the other, and unpack to one content. */
export function* walkMembers(take: (piece: Uint8Array) => void): Walk<void> {
  do yield* walkMember(take);
  while ((yield* peek()) === 0x1f);
  // A tape is filled up with zeros.
  while ((yield* peek()) !== null) yield* scan(zeros);
}

function zeros(piece: Uint8Array): number {
  if (piece.some((byte) => byte !== 0)) throw new Damaged('there are bytes behind its end');
  return piece.length;
}

function* walkMember(take: (piece: Uint8Array) => void): Walk<void> {
  yield* walkHeader();
  let [crc, bytes] = [0, 0];
  const unpacking = new Unpacking(createInflateRaw(), (piece) => {
    crc = crc32(piece, crc);
    bytes += piece.length;
    take(piece);
  });
  yield* scan(
    (piece) => unpacking.take(piece),
    // As what a program that was killed, or still writes, had flushed by then.
    () => `its end was never written; what is there unpacks to ${plural(bytes, 'byte')}`,
  );
  yield* wait(() => unpacking.end());
  const foot = yield* need(8);
  if (foot.readUInt32LE(0) !== crc) {
    throw new Damaged('what it unpacks to has another checksum than it should have');
  }
  if (foot.readUInt32LE(4) !== bytes % 2 ** 32) {
    throw new Damaged('what it unpacks to is of another length than it says');
  }
}

function* walkHeader(): Walk<void> {
  const lead = yield* need(10);
  const [, , method, flags = 0] = lead;
  const isGzip = lead.readUInt16BE(0) === 0x1f8b && method === DEFLATE;
  if (!isGzip || (flags & FLAGS.unknown) !== 0) {
    throw new Damaged('it does not begin as what gzip writes does');
  }
  let crc = crc32(lead);
  function* counted(bytes: number): Walk<Buffer> {
    const part = yield* need(bytes);
    crc = crc32(part, crc);
    return part;
  }
  if ((flags & FLAGS.extra) !== 0) yield* counted((yield* counted(2)).readUInt16LE(0));
  for (const flag of [FLAGS.name, FLAGS.remark]) {
    // Up to a zero.
    if ((flags & flag) !== 0) while ((yield* counted(1))[0] !== 0);
  }
  const told = crc & 0xffff;
  if ((flags & FLAGS.headerCrc) !== 0 && (yield* need(2)).readUInt16LE(0) !== told) {
    throw new Damaged('its header has another checksum than it should have');
  }
}
