import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, read, readSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FormatName, Loaded } from '../../shared/verify/loaded.ts';
import type { ByteSource } from '../verify/byte-source.ts';
import { Damaged, NotLoadable } from '../verify/damage.ts';
import { readingOf } from '../verify/formats.ts';
import type { Reading } from '../verify/reading.ts';
import type { Jobs } from './jobs.ts';

// No file handles: one that is just being closed while its worker is ended stays open in the process, or takes that along. Of plain
// files Node itself closes what an ended worker leaves.
const readFrom = promisify(read);

const PIECE_BYTES = 1024 * 1024;
/** Often enough for a bar that moves. */
const PROGRESS_EVERY_BYTES = 16 * PIECE_BYTES;

/** ssh writes without telling anybody. As little as this is not waited for at the end. */
const LOOK_EVERY_MS = 20;

/** What is looked for in the same bytes besides. */
export type Beside = (source: ByteSource) => Pick<Reading, 'take'>;

/** Reads a file once, for its hash and for what it holds. */
export async function proveFile(
  { path, name }: Jobs['prove-file']['input'],
  tell: (doneBytes: number) => void,
  beside?: Beside,
): Promise<Jobs['prove-file']['output']> {
  const hash = createHash('sha256');
  const file = openSync(path, 'r');
  try {
    const before = fstatSync(file, { bigint: true });
    const source = sourceOf(file, Number(before.size));
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const check = name === null ? null : Check.begin(name, source);
    const other = beside?.(source);
    let sizeBytes = 0;
    for (;;) {
      const { bytesRead } = await readFrom(file, piece, 0, PIECE_BYTES, sizeBytes);
      if (bytesRead === 0) break;
      const read = piece.subarray(0, bytesRead);
      hash.update(read);
      await check?.take(read, sizeBytes);
      await other?.take(read, sizeBytes);
      sizeBytes += bytesRead;
      if (sizeBytes % PROGRESS_EVERY_BYTES === 0) tell(sizeBytes);
    }
    const after = fstatSync(file, { bigint: true });
    if (before.mtimeNs !== after.mtimeNs || BigInt(sizeBytes) !== before.size) {
      // A device has no size, and is hashed for what comes out of it; it is never brought home.
      if (before.isFile()) throw new Error('It was written to while it was read.');
    }
    return {
      ...{ sha256: hash.digest('hex'), sizeBytes, loaded: (await check?.end()) ?? null },
      writtenNs: String(before.mtimeNs),
    };
  } finally {
    closeSync(file);
  }
}

/**
 * The same of one that is still growing, hashed as its bytes come. What it holds is looked at once all are there: the directory of many a
 * format stands at its end.
 */
export async function proveGrowing(
  { path, name, bytes }: Jobs['prove-growing']['input'],
  tell: (doneBytes: number) => void,
  signal?: AbortSignal,
): Promise<Jobs['prove-growing']['output']> {
  const hash = createHash('sha256');
  const file = openSync(path, 'r');
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (let at = 0; at < bytes;) {
      if (signal?.aborted === true) throw new Error('It was stopped.');
      const { bytesRead } = await readFrom(file, piece, 0, Math.min(PIECE_BYTES, bytes - at), at);
      if (bytesRead === 0) await setTimeout(LOOK_EVERY_MS);
      else hash.update(piece.subarray(0, bytesRead));
      at += bytesRead;
      if (bytesRead > 0 && at % PROGRESS_EVERY_BYTES === 0) tell(at);
    }
    const before = fstatSync(file, { bigint: true });
    const check = Check.begin(name, sourceOf(file, bytes));
    for (let at = 0; check.isReading && at < bytes;) {
      const { bytesRead } = await readFrom(file, piece, 0, PIECE_BYTES, at);
      if (bytesRead === 0) break;
      await check.take(piece.subarray(0, bytesRead), at);
      at += bytesRead;
    }
    const loaded = await check.end();
    const after = fstatSync(file, { bigint: true });
    if (before.mtimeNs !== after.mtimeNs || after.size !== BigInt(bytes)) {
      throw new Error('It was written to while it was read.');
    }
    const writtenNs = String(before.mtimeNs);
    return { sha256: hash.digest('hex'), sizeBytes: bytes, loaded, writtenNs };
  } finally {
    closeSync(file);
  }
}

export type ProvenBytes = Pick<Jobs['prove-file']['output'], 'sha256' | 'loaded'>;

/**
 * The same of a small file whose bytes are in memory. Without a promise where its reader needs none: of ten thousands of files those
 * would take as long as the reading.
 */
export function proveBytes(bytes: Buffer, name: string): ProvenBytes | Promise<ProvenBytes> {
  const check = Check.begin(name, {
    sizeBytes: bytes.length,
    read: (at, length) => {
      if (at + length > bytes.length) throw new Damaged('it was cut off while it was read');
      return bytes.subarray(at, at + length);
    },
  });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const taking = bytes.length > 0 ? check.take(bytes, 0) : undefined;
  const ended = taking === undefined ? check.end() : taking.then(() => check.end());
  return ended instanceof Promise
    ? ended.then((loaded) => ({ sha256, loaded }))
    : { sha256, loaded: ended };
}

/** An open file, read where a check asks. */
export function sourceOf(fd: number, sizeBytes: number): ByteSource {
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

/** One reading, until it finds damage: the file is hashed to its end all the same. Nothing of it waits where its reader does not. */
class Check {
  readonly #format: FormatName | null;
  #reading: Reading | null = null;
  #found: Loaded | null = null;

  private constructor(format: FormatName | null) {
    this.#format = format;
  }

  static begin(name: string, source: ByteSource): Check {
    const found = readingOf(name, source);
    const check = new Check(found?.format ?? null);
    try {
      check.#reading = found?.open() ?? null;
    } catch (cause) {
      check.#fault(cause);
    }
    return check;
  }

  /** False: nothing that is still to come would change what it says. */
  get isReading(): boolean {
    return this.#reading !== null && this.#found === null;
  }

  take(piece: Uint8Array, at: number): Promise<void> | undefined {
    if (this.#found !== null) return undefined;
    try {
      const taking = this.#reading?.take(piece, at);
      return taking instanceof Promise
        ? taking.catch((cause: unknown) => void this.#fault(cause))
        : undefined;
    } catch (cause) {
      this.#fault(cause);
      return undefined;
    }
  }

  end(): Loaded | Promise<Loaded> {
    if (this.#found !== null) return this.#found;
    try {
      const ended = this.#reading?.end() ?? NO_READER;
      return ended instanceof Promise ? ended.catch((cause: unknown) => this.#fault(cause)) : ended;
    } catch (cause) {
      return this.#fault(cause);
    }
  }

  #fault(cause: unknown): Loaded {
    const kind =
      cause instanceof Damaged ? 'damaged' : cause instanceof NotLoadable ? 'not-loadable' : null;
    if (kind === null || this.#format === null) throw cause;
    const found: Loaded = { kind, format: this.#format, because: (cause as Error).message };
    this.#found = found;
    return found;
  }
}

const NO_READER: Loaded = { kind: 'no-reader' };
