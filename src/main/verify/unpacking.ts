import type { Inflate, InflateRaw } from 'node:zlib';
import { notUnpacked } from './damage.ts';

/** One stream of zlib, given bytes as they pass by; it holds one piece of what it unpacks, however much that becomes. */
export class Unpacking {
  readonly #stream: Inflate | InflateRaw;
  readonly #closed: Promise<void>;
  #given = 0;
  #failure: Error | null = null;

  /** @param take Gets what is unpacked, and may throw; the bytes are used again after it returns. */
  constructor(stream: Inflate | InflateRaw, take: (piece: Uint8Array) => void) {
    this.#stream = stream;
    stream.on('data', (piece: Buffer) => {
      try {
        if (this.#failure === null) take(piece);
      } catch (cause) {
        // Thrown here it would reach nobody.
        this.#failure = cause as Error;
        stream.destroy();
      }
    });
    this.#closed = new Promise((resolve) => {
      stream.on('error', (cause) => {
        this.#failure ??= cause;
      });
      stream.on('close', resolve);
    });
  }

  /** How many of these bytes were still of the stream where it has ended within them, and null where it goes on. */
  async take(part: Uint8Array): Promise<number | null> {
    const before = this.#given;
    this.#given += part.length;
    const written = new Promise<void>((resolve) => {
      this.#stream.write(part, () => resolve());
    });
    // One that was ended from within answers nothing more.
    await Promise.race([written, this.#closed]);
    this.#check();
    const taken = this.#stream.bytesWritten;
    return taken < this.#given ? taken - before : null;
  }

  /** All that was unpacked has been told once it returns; a stream that is not whole is damage. */
  async end(): Promise<void> {
    this.#stream.end();
    await this.#closed;
    this.#check();
  }

  #check(): void {
    if (this.#failure === null) return;
    if (!isOfZlib(this.#failure)) throw this.#failure;
    throw notUnpacked();
  }
}

const isOfZlib = (cause: Error): boolean => 'code' in cause && String(cause.code).startsWith('Z_');
