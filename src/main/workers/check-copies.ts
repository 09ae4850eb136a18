import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { lookHereNow, type FoldersAsked, type FoundHere } from '../transfer/look-here.ts';
import type { Jobs } from './jobs.ts';
import { proveFile } from './prove-file.ts';

/** Below this a file is read in one go, for which each question through fs/promises would cost more than its bytes. */
const SMALL_BYTES = 1024 * 1024;
/** A message takes main as long as some hundred files take to be read. */
const TELL_EVERY_BYTES = 4 * SMALL_BYTES;

/**
 * Reads copies on this computer again, byte by byte; answers a clause for each that is not what was proven. The disk is asked without waiting:
 * a worker has nothing else to do.
 */
export async function checkCopies(
  { to, files }: Jobs['check-copies']['input'],
  tell: (doneBytes: number) => void,
): Promise<Jobs['check-copies']['output']> {
  const asked: FoldersAsked = new Map();
  const piece = Buffer.allocUnsafe(SMALL_BYTES + 1);
  const because: (string | null)[] = [];
  let [doneBytes, toldBytes] = [0, 0];
  const told = (bytes: number): void => {
    if (bytes - toldBytes < TELL_EVERY_BYTES) return;
    toldBytes = bytes;
    tell(bytes);
  };
  for (const { path, sha256 } of files) {
    const here = lookHereNow(to, path, asked);
    if (here.kind !== 'file') {
      because.push(whyNoCopy(here));
      continue;
    }
    const place = join(to, ...path.split('/'));
    try {
      const read =
        here.stat.size <= SMALL_BYTES
          ? readNow(place, piece)
          : await proveFile({ path: place, name: null }, (bytes) => told(doneBytes + bytes));
      doneBytes += read.sizeBytes;
      told(doneBytes);
      because.push(read.sha256 === sha256 ? null : 'its copy here has other bytes now');
    } catch {
      because.push('its copy here cannot be read');
    }
  }
  return { because, bytes: doneBytes };
}

function readNow(
  place: string,
  piece: Buffer,
): { readonly sha256: string; readonly sizeBytes: number } {
  // SECURITY: nothing that has come to be a link since is followed.
  const fd = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const before = fstatSync(fd, { bigint: true });
    let sizeBytes = 0;
    for (;;) {
      const count = readSync(fd, piece, sizeBytes, piece.length - sizeBytes, sizeBytes);
      if (count === 0) break;
      sizeBytes += count;
    }
    const after = fstatSync(fd, { bigint: true });
    if (before.mtimeNs !== after.mtimeNs || before.size !== BigInt(sizeBytes)) {
      throw new Error('It was written to while it was read.');
    }
    const bytes = piece.subarray(0, sizeBytes);
    return { sha256: createHash('sha256').update(bytes).digest('hex'), sizeBytes };
  } finally {
    closeSync(fd);
  }
}

/** SECURITY: behind a link there may be the same bytes on the box itself, which are no copy. */
function whyNoCopy(here: Exclude<FoundHere, { readonly kind: 'file' }>): string {
  switch (here.kind) {
    case 'gone':
      return 'its copy here is gone';
    case 'not-a-file':
      return 'its copy here is no longer a regular file';
    case 'linked':
      return `its copy here is only reached over a link, ${here.folder}`;
    case 'denied':
      return `its copy here cannot be looked at (${here.errno})`;
  }
}
