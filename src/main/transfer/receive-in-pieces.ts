import { constants } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { PART_ENDING } from '../../shared/transfer/local-name.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { PieceWriter } from './piece-writer.ts';
import type { PullCarrier } from './pull-carrier.ts';
import { receiveResultBytes, type BytesInto } from './result-bytes.ts';

/** Each costs three round trips besides its bytes, of which OpenSSH has 2 MiB on their way in one. A cut repeats one of each stream at most. */
const MOST_BYTES = 16 * 1024 * 1024;
const LEAST_BYTES = 4 * 1024 * 1024;
const COPIED_BYTES = 1024 * 1024;
/** A pull that went over as many as there ever are, and was killed, has left no more. */
export const MOST_STREAMS = 8;

/**
 * The same as `receiveResultBytes` over several streams at a time, where the carrier has several. Each brings one piece into a file of its
 * own, and the pieces are put at the end of the part in their order: its length still says how far it is.
 */
export async function receiveInPieces(
  carrier: PullCarrier,
  scripts: OnboxScripts,
  asked: BytesInto,
): Promise<boolean> {
  const { from, most, into } = asked;
  const { streams } = carrier;
  const pieceBytes = Math.min(MOST_BYTES, Math.max(LEAST_BYTES, Math.ceil(most / streams)));
  if (streams === 1 || most <= pieceBytes) return receiveResultBytes(carrier, scripts, asked);
  const part = await open(into, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    const writer = new PieceWriter(part, from, from + most);
    const pieces = Math.ceil(most / pieceBytes);
    const placed: Promise<boolean>[] = [Promise.resolve(true)];
    let next = 0;
    const stream = async (no: number): Promise<boolean> => {
      const file = pieceOf(into, no);
      for (let at = next; at < pieces; at = next) {
        next += 1;
        const offset = at * pieceBytes;
        const bytes = Math.min(pieceBytes, most - offset);
        const before = placed[at] ?? Promise.resolve(false);
        const came = receivePiece(carrier, scripts, {
          ...{ ...asked, into: file, from: from + offset, most: bytes },
          place: async (piece) => (await before) && (await append(piece, bytes, writer)),
        });
        placed.push(came);
        if (!(await came)) return false;
      }
      return true;
    };
    const ends = await Promise.allSettled(
      Array.from({ length: Math.min(streams, pieces) }, (_, no) => stream(no)),
    );
    await writer.end();
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return ends.every((end) => end.status === 'fulfilled' && end.value);
  } finally {
    await part.close();
  }
}

/** What an app that was killed has left of streams: nobody knows how far each of them was. */
export async function dropPieces(part: string): Promise<void> {
  for (let no = 0; no < MOST_STREAMS; no += 1) await rm(pieceOf(part, no), { force: true });
}

const pieceOf = (part: string, no: number): string => `${part}-${String(no)}${PART_ENDING}`;

interface Piece extends BytesInto {
  readonly place: (piece: FileHandle) => Promise<boolean>;
}

/** One piece, in its place; false: it did not come whole, or one before it did not. */
async function receivePiece(
  carrier: PullCarrier,
  scripts: OnboxScripts,
  { place, ...asked }: Piece,
): Promise<boolean> {
  let counted = 0;
  let isPlaced = false;
  const onBytes = (bytes: number): void => {
    counted += bytes;
    asked.onBytes(bytes);
  };
  try {
    await rm(asked.into, { force: true });
    if (!(await receiveResultBytes(carrier, scripts, { ...asked, onBytes }))) return false;
    const piece = await open(asked.into, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      isPlaced = await place(piece);
    } finally {
      await piece.close();
    }
    return isPlaced;
  } finally {
    if (!isPlaced) asked.onBytes(-counted);
    await rm(asked.into, { force: true });
  }
}

/** False, and nothing of it: it is shorter than what was asked for. */
async function append(piece: FileHandle, bytes: number, writer: PieceWriter): Promise<boolean> {
  if ((await piece.stat()).size !== bytes) return false;
  for (let at = 0; at < bytes;) {
    const held = Buffer.allocUnsafe(Math.min(COPIED_BYTES, bytes - at));
    const { bytesRead } = await piece.read(held, 0, held.length, at);
    if (bytesRead === 0) return false;
    await writer.take(held.subarray(0, bytesRead));
    at += bytesRead;
  }
  return true;
}
