import type { FileHandle } from 'node:fs/promises';

/** A write costs main as much for a packet of 32 KiB as for this. */
const HELD_BYTES = 1024 * 1024;
/** What is flushed on the way is not waited for at the end, and a power cut takes no more than this. */
const FLUSHED_BYTES = 64 * 1024 * 1024;

/** Writes pieces as they come, in larger ones. */
export class PieceWriter {
  readonly #file: FileHandle;
  readonly #limit: number;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #written: number;
  #flushed: number;
  #flushing: Promise<void> = Promise.resolve();

  /** SECURITY: nothing is written from `limit` on, so that a box which sends more than was asked for fills no disk. */
  constructor(file: FileHandle, from: number, limit: number) {
    this.#file = file;
    this.#limit = limit;
    this.#written = from;
    this.#flushed = from;
  }

  /** How far it is, with what is still held. */
  get at(): number {
    return this.#written + this.#heldBytes;
  }

  /** How much of it is taken. */
  async take(piece: Buffer): Promise<number> {
    const wanted = piece.subarray(0, this.#limit - this.at);
    if (wanted.length === 0) return 0;
    this.#held.push(wanted);
    this.#heldBytes += wanted.length;
    if (this.#heldBytes >= HELD_BYTES) await this.#write();
    return wanted.length;
  }

  /** Everything is written; what is not flushed yet is for the caller to flush. */
  async end(): Promise<void> {
    await this.#write();
    await this.#flushing;
  }

  async #write(): Promise<void> {
    const bytes = this.#held.length === 1 ? this.#held[0] : Buffer.concat(this.#held);
    if (bytes === undefined || bytes.length === 0) return;
    [this.#held, this.#heldBytes] = [[], 0];
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.#file.write(
        bytes,
        done,
        bytes.length - done,
        this.#written,
      );
      done += bytesWritten;
      this.#written += bytesWritten;
    }
    if (this.#written - this.#flushed < FLUSHED_BYTES) return;
    this.#flushed = this.#written;
    await this.#flushing;
    this.#flushing = this.#file.datasync();
    // Whoever waits for it next hears of it.
    this.#flushing.catch(() => undefined);
  }
}
