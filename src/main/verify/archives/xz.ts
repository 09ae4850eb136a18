import { createHash } from 'node:crypto';
import { crc32 } from '../crc32.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { Crc64 } from '../packed/crc64.ts';
import { Lzma2 } from '../packed/lzma2.ts';
import { Window } from '../packed/window.ts';
import { need, peek, type Walk } from '../walk.ts';
import { packedFormats } from './packed-formats.ts';

export const [xz, tarXz] = packedFormats(
  { alone: 'xz', tar: 'tar.xz' },
  { alone: /\.xz$/i, tar: /\.(?:tar\.xz|txz)$/i },
  walkStreams,
);

const MARK = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]);
const END_MARK = 'YZ';
const LZMA2 = 0x21;
/** As much as the program itself takes at its strongest setting is half of it. */
const MAX_REACH_BYTES = 128 * 1024 * 1024;
const MAX_VLI_BYTES = 9;

type Take = (piece: Uint8Array) => void;
interface Check {
  readonly take: Take;
  readonly bytes: () => Buffer;
}
/** What was unpacked is compared with, by its number. */
const CHECKS: Readonly<Record<number, () => Check>> = {
  0: () => ({ take: () => undefined, bytes: () => Buffer.alloc(0) }),
  1: () => {
    let crc = 0;
    const take: Take = (piece) => (crc = crc32(piece, crc));
    return { take, bytes: () => fourBytes(crc) };
  },
  4: () => {
    const crc = new Crc64();
    return { take: (piece) => crc.take(piece), bytes: () => crc.bytes() };
  },
  10: () => {
    const hash = createHash('sha256');
    return { take: (piece) => hash.update(piece), bytes: () => hash.digest() };
  },
};

interface Block {
  readonly packed: number;
  readonly unpacked: number;
}

/** Several may stand one behind the other, and unpack to one content; zeros may stand between and behind them. */
function* walkStreams(take: Take): Walk<void> {
  do {
    yield* walkStream(take);
    while ((yield* peek()) === 0) {
      if ((yield* need(4)).readUInt32LE(0) !== 0) throw new Damaged('it is cut off');
    }
  } while ((yield* peek()) !== null);
}

function* walkStream(take: Take): Walk<void> {
  const mark = yield* need(MARK.length);
  if (!mark.equals(MARK)) throw new Damaged('it does not begin as what xz writes does');
  const flags = yield* need(2);
  expectSum(flags, yield* need(4));
  const check = CHECKS[flags[1] ?? 0];
  if (flags[0] !== 0 || check === undefined) {
    throw new NotLoadable('it has a checksum of a kind that Leasehold does not know');
  }
  // Of each block two numbers, which the index repeats: hashed, so that a million blocks take no memory.
  const [seen, told] = [createHash('sha256'), createHash('sha256')];
  let blocks = 0;
  for (;;) {
    const size = (yield* need(1))[0] ?? 0;
    if (size === 0) break;
    const block = yield* walkBlock(size, check(), take);
    seen.update(`${String(block.packed)} ${String(block.unpacked)}\n`);
    blocks += 1;
  }
  const indexBytes = yield* walkIndex(blocks, (block) => {
    told.update(`${String(block.packed)} ${String(block.unpacked)}\n`);
  });
  if (seen.digest('hex') !== told.digest('hex')) {
    throw new Damaged('its blocks are not those that its index tells');
  }
  const sum = yield* need(4);
  const foot = yield* need(6);
  expectSum(foot, sum);
  const isSame = foot.subarray(4).equals(flags) && (foot.readUInt32LE(0) + 1) * 4 === indexBytes;
  if (!isSame || (yield* need(2)).toString('latin1') !== END_MARK) {
    throw new Damaged('its end is not that of its beginning');
  }
}

function* walkBlock(size: number, check: Check, take: Take): Walk<Block> {
  const headBytes = (size + 1) * 4;
  const head = Buffer.concat([Buffer.from([size]), yield* need(headBytes - 5)]);
  expectSum(head, yield* need(4));
  const said = readBlockHead(head);
  let packed = 0;
  let unpacked = 0;
  function* counted(bytes: number): Walk<Buffer> {
    packed += bytes;
    return yield* need(bytes);
  }
  const window = new Window(said.reach, (piece) => {
    check.take(piece);
    unpacked += piece.length;
    take(piece);
  });
  const chunks = new Lzma2(window);
  for (;;) {
    const control = (yield* counted(1))[0] ?? 0;
    if (control === 0) break;
    const chunkHead = yield* counted(Lzma2.headBytes(control));
    chunks.take(control, chunkHead, yield* counted(Lzma2.packedBytes(control, chunkHead)));
    window.handOn();
  }
  if ((said.packed ?? packed) !== packed || (said.unpacked ?? unpacked) !== unpacked) {
    throw new Damaged('a part of it is of another length than it says');
  }
  yield* padding(packed);
  const sum = check.bytes();
  if (!(yield* need(sum.length)).equals(sum)) {
    throw new Damaged('what it unpacks to has another checksum than it should have');
  }
  return { packed: headBytes + packed + sum.length, unpacked };
}

interface BlockHead {
  readonly packed: number | null;
  readonly unpacked: number | null;
  /** How far back it refers. */
  readonly reach: number;
}

/** Its checksum holds, so what is odd in it was written so. */
function readBlockHead(head: Buffer): BlockHead {
  const flags = head[1] ?? 0;
  let at = 2;
  const number = (): number => {
    const read = new Vli();
    while (read.take(head[at++] ?? 0x80));
    return read.value;
  };
  const packed = (flags & 0x40) === 0 ? null : number();
  const unpacked = (flags & 0x80) === 0 ? null : number();
  const isPlain = (flags & 3) === 0 && number() === LZMA2 && number() === 1;
  const size = head[at] ?? 0xff;
  at += 1;
  if (!isPlain || (flags & 0x3c) !== 0 || head.subarray(at).some((byte) => byte !== 0)) {
    throw new NotLoadable('it is packed in a way that Leasehold does not know');
  }
  const reach = (2 | (size & 1)) * 2 ** ((size >> 1) + 11);
  if (size > 40 || reach > MAX_REACH_BYTES) {
    throw new NotLoadable('unpacking it takes more memory than Leasehold gives it');
  }
  return { packed, unpacked, reach };
}

/** Behind the zero that it begins with. Of how many bytes it is. */
function* walkIndex(blocks: number, take: (block: Block) => void): Walk<number> {
  const lead = Buffer.alloc(1);
  let [crc, bytes] = [crc32(lead), lead.length];
  function* number(): Walk<number> {
    const read = new Vli();
    let part: Buffer;
    do {
      part = yield* need(1);
      crc = crc32(part, crc);
      bytes += 1;
    } while (read.take(part[0] ?? 0));
    return read.value;
  }
  if ((yield* number()) !== blocks) {
    throw new Damaged('its blocks are not those that its index tells');
  }
  for (let no = 0; no < blocks; no += 1) {
    take({ packed: yield* number(), unpacked: yield* number() });
  }
  const zeros = yield* padding(bytes);
  if (!(yield* need(4)).equals(fourBytes(crc32(zeros, crc)))) throw brokenHead();
  return bytes + zeros.length + 4;
}

/** Zeros up to a multiple of four bytes. */
function* padding(bytes: number): Walk<Buffer> {
  const zeros = yield* need((4 - (bytes % 4)) % 4);
  if (zeros.some((byte) => byte !== 0)) throw new Damaged('there are bytes between its parts');
  return zeros;
}

/** A number of as many bytes as it takes, seven bits in each. */
class Vli {
  #bytes = 0;
  value = 0;

  /** Whether it goes on. */
  take(byte: number): boolean {
    this.value += (byte & 0x7f) * 2 ** (7 * this.#bytes);
    this.#bytes += 1;
    const isWhole = byte < 0x80;
    if ((isWhole && byte === 0 && this.#bytes > 1) || (!isWhole && this.#bytes === MAX_VLI_BYTES)) {
      throw new Damaged('it tells no number where one must be');
    }
    return !isWhole;
  }
}

function expectSum(bytes: Uint8Array, sum: Buffer): void {
  if (!sum.equals(fourBytes(crc32(bytes)))) throw brokenHead();
}

const brokenHead = (): Damaged =>
  new Damaged('a header in it has another checksum than it should have');

function fourBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
