import { readSync } from 'node:fs';
import { Damaged } from '../verify/damage.ts';
import type { ByteSource } from '../verify/byte-source.ts';

const WINDOW_BYTES = 1024 * 1024;

/**
 * A file that is read from its beginning on, of which many small parts are asked for: the disk is asked for them together. What `read` answers
 * is gone with the next one.
 */
export function windowOver(fd: number, sizeBytes: number): ByteSource {
  let held: Buffer = Buffer.alloc(0);
  let heldAt = 0;
  return {
    sizeBytes,
    read: (at, length) => {
      if (at + length > sizeBytes) throw new Damaged('it was cut off while it was read');
      if (at < heldAt || at + length > heldAt + held.length) {
        held = readWhole(fd, at, Math.min(sizeBytes - at, Math.max(length, WINDOW_BYTES)), held);
        heldAt = at;
      }
      return held.subarray(at - heldAt, at - heldAt + length);
    },
  };
}

/** `into`: is used again where it is of that length. */
function readWhole(fd: number, at: number, length: number, into: Buffer): Buffer {
  const bytes = into.length === length ? into : Buffer.allocUnsafeSlow(length);
  for (let filled = 0; filled < length;) {
    const count = readSync(fd, bytes, filled, length - filled, at + filled);
    if (count === 0) throw new Damaged('it was cut off while it was read');
    filled += count;
  }
  return bytes;
}
