import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import type { ManifestRecord } from '../../shared/manifest/record.ts';
import { OWNER_ONLY_FILE } from '../storage/folder.ts';

// For a worker, which has nothing else to do: the disk is asked without waiting, and never for more than a piece.

const PIECE_BYTES = 256 * 1024;
/** A path may have so many bytes, and a name of a file that is no record may have no end. */
const MOST_RECORD_CHARS = 16 * 1024;

/** Each part of a file that ends in this, as text of one character a byte. What is behind the last one is none. */
export function* partsIn(file: string, end: '\0' | '\n'): Generator<string, void> {
  const fd = openSync(file, 'r');
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    let rest = '';
    for (let count = readSync(fd, piece); count > 0; count = readSync(fd, piece)) {
      const parts = (rest + piece.toString('latin1', 0, count)).split(end);
      rest = parts.pop() ?? '';
      yield* parts;
      if (rest.length > MOST_RECORD_CHARS) throw new Error('a record is too long');
    }
  } finally {
    closeSync(fd);
  }
}

export function* recordsIn(file: string): Generator<ManifestRecord, void> {
  let path: string | null = null;
  for (const part of partsIn(file, '\0')) {
    if (path === null) path = part;
    else {
      yield `${path}\0${part}\0`;
      path = null;
    }
  }
}

/** Writes a file as a whole or not at all: it has its name once it is ended. */
export class RecordFile {
  readonly #file: string;
  readonly #temporary: string;
  readonly #fd: number;
  readonly #hash = createHash('sha256');
  #waiting: string[] = [];
  #chars = 0;

  constructor(file: string) {
    this.#file = file;
    this.#temporary = `${file}.new`;
    this.#fd = openSync(this.#temporary, 'w', OWNER_ONLY_FILE);
  }

  add(record: string): void {
    this.#waiting.push(record);
    this.#chars += record.length;
    if (this.#chars >= PIECE_BYTES) this.#write();
  }

  /** The SHA-256 of all of it. */
  end(): string {
    try {
      this.#write();
      fsyncSync(this.#fd);
    } finally {
      closeSync(this.#fd);
    }
    renameSync(this.#temporary, this.#file);
    return this.#hash.digest('hex');
  }

  drop(): void {
    closeSync(this.#fd);
    rmSync(this.#temporary, { force: true });
  }

  #write(): void {
    const bytes = Buffer.from(this.#waiting.join(''), 'latin1');
    [this.#waiting, this.#chars] = [[], 0];
    this.#hash.update(bytes);
    for (let done = 0; done < bytes.length;) done += writeSync(this.#fd, bytes, done);
  }
}

/** All of them, and the SHA-256 of what was written. */
export function writeRecords(file: string, records: Iterable<string>): string {
  const into = new RecordFile(file);
  try {
    for (const record of records) into.add(record);
  } catch (cause) {
    into.drop();
    throw cause;
  }
  return into.end();
}
