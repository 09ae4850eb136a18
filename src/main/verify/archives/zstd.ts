import { NotLoadable } from '../damage.ts';
import {
  BLOCK_HEAD_BYTES,
  CHECKSUM_BYTES,
  Frame,
  frameHeadBytes,
  isSkipped,
  MARK_BYTES,
  readFrameHead,
} from '../packed/zstd.ts';
import { need, pass, peek, type Walk } from '../walk.ts';
import { packedFormats } from './packed-formats.ts';

export const [zstd, tarZstd] = packedFormats(
  { alone: 'zst', tar: 'tar.zst' },
  { alone: /\.zst$/i, tar: /\.(?:tar\.zst|tzst)$/i },
  walkFrames,
);

/** What the program itself unpacks without being told that it may take more memory. */
const MAX_REACH_BYTES = 128 * 1024 * 1024;

/** Several may stand one behind the other, and unpack to one content. */
function* walkFrames(take: (piece: Uint8Array) => void): Walk<void> {
  do {
    const mark = (yield* need(MARK_BYTES)).readUInt32LE(0);
    if (isSkipped(mark)) yield* pass((yield* need(4)).readUInt32LE(0));
    else yield* walkFrame(take);
  } while ((yield* peek()) !== null);
}

function* walkFrame(take: (piece: Uint8Array) => void): Walk<void> {
  const flags = (yield* need(1))[0] ?? 0;
  const head = readFrameHead(flags, yield* need(frameHeadBytes(flags)));
  // A frame in one piece says how long it is, and refers to all of it.
  if (head.reach > MAX_REACH_BYTES) {
    throw new NotLoadable('unpacking it takes more memory than Leasehold gives it');
  }
  const frame = new Frame(head, take);
  while (!frame.isLast) {
    const bytes = frame.beginBlock(yield* need(BLOCK_HEAD_BYTES));
    frame.addBlock(yield* need(bytes));
  }
  frame.end(head.hasChecksum ? yield* need(CHECKSUM_BYTES) : null);
}
