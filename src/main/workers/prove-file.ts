import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ByteSource } from '../../shared/verify/byte-source.ts';
import { formatOf, openReading, type Reading } from '../../shared/verify/formats.ts';
import { Damaged, NotLoadable, type Loaded } from '../../shared/verify/loaded.ts';
import type { Jobs } from './jobs.ts';

const PIECE_BYTES = 1024 * 1024;
/** Often enough for a bar that moves. */
const PROGRESS_EVERY_BYTES = 16 * PIECE_BYTES;

/** Reads a file once, for its hash and for what it holds. */
export async function proveFile(
  { path, name }: Jobs['prove-file']['input'],
  tell: (doneBytes: number) => void,
): Promise<Jobs['prove-file']['output']> {
  const hash = createHash('sha256');
  const file = await open(path);
  try {
    const before = await file.stat({ bigint: true });
    const source = sourceOf(file.fd, Number(before.size));
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const check = name === null ? null : new Check(name, source);
    let sizeBytes = 0;
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, sizeBytes);
      if (bytesRead === 0) break;
      const read = piece.subarray(0, bytesRead);
      hash.update(read);
      check?.take(read, sizeBytes);
      sizeBytes += bytesRead;
      if (sizeBytes % PROGRESS_EVERY_BYTES === 0) tell(sizeBytes);
    }
    const after = await file.stat({ bigint: true });
    if (before.mtimeNs !== after.mtimeNs || BigInt(sizeBytes) !== before.size) {
      // A device has no size, and is hashed for what comes out of it; it is never brought home.
      if (before.isFile()) throw new Error('It was written to while it was read.');
    }
    return { sha256: hash.digest('hex'), sizeBytes, loaded: check?.end() ?? null };
  } finally {
    await file.close();
  }
}

function sourceOf(fd: number, sizeBytes: number): ByteSource {
  return {
    sizeBytes,
    read: (at, length) => {
      const bytes = Buffer.allocUnsafeSlow(length);
      for (let filled = 0; filled < length;) {
        const count = readSync(fd, bytes, filled, length - filled, at + filled);
        if (count === 0) throw new Damaged('it was cut off while it was read');
        filled += count;
      }
      return bytes;
    },
  };
}

/** One reading, until it finds damage: the file is hashed to its end all the same. */
class Check {
  readonly #name: string;
  #reading: Reading | null = null;
  #found: Loaded | null = null;

  constructor(name: string, source: ByteSource) {
    this.#name = name;
    this.#try(() => {
      this.#reading = openReading(name, source);
      if (this.#reading === null) this.#found = { kind: 'no-reader' };
    });
  }

  take(piece: Uint8Array, at: number): void {
    if (this.#found === null) this.#try(() => this.#reading?.take(piece, at));
  }

  end(): Loaded {
    if (this.#found === null) this.#try(() => (this.#found = this.#reading?.end() ?? null));
    return this.#found ?? { kind: 'no-reader' };
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (cause) {
      const format = formatOf(this.#name);
      const kind =
        cause instanceof Damaged ? 'damaged' : cause instanceof NotLoadable ? 'not-loadable' : null;
      if (kind === null || format === null) throw cause;
      this.#found = { kind, format, because: (cause as Error).message };
    }
  }
}
