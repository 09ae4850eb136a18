import { createInflateRaw, type InflateRaw } from 'node:zlib';
import { crc32 } from '../crc32.ts';
import { Damaged } from '../damage.ts';
import { fileWords } from './central-directory.ts';
import type { Archive, Member } from './archive.ts';

const UNPACKED_PIECE_BYTES = 64 * 1024;

/** What looks at one file of an archive while it is unpacked. The bytes are used again after it returns. */
export interface MemberSink {
  take(piece: Uint8Array, at: number): void;
  end(): void;
}

/** The content of every file of an archive against its checksum and size, unpacked a piece at a time while the archive passes by. */
export class MemberPass {
  readonly #members: readonly Member[];
  readonly #sinkOf: (member: Member) => MemberSink | null;
  readonly #hasChecksum: (member: Member) => boolean;
  #index = 0;
  #open: { readonly unpacked: Unpacked; readonly inflater: Inflater | null } | null = null;

  constructor(
    { members }: Archive,
    sinkOf: (member: Member) => MemberSink | null,
    hasChecksum = (_member: Member): boolean => true,
  ) {
    this.#members = members;
    this.#sinkOf = sinkOf;
    this.#hasChecksum = hasChecksum;
  }

  async take(piece: Uint8Array, at: number): Promise<void> {
    for (;;) {
      const member = this.#members[this.#index];
      if (member === undefined || member.dataAt >= at + piece.length) return;
      this.#open ??= this.#begin(member);
      const { unpacked, inflater } = this.#open;
      const end = member.dataAt + member.packedBytes;
      const part = piece.subarray(Math.max(0, member.dataAt - at), Math.max(0, end - at));
      if (inflater === null) unpacked.take(part);
      else await inflater.take(part);
      if (end > at + piece.length) return;
      await inflater?.end();
      unpacked.end();
      this.#open = null;
      this.#index += 1;
    }
  }

  #begin(member: Member): { readonly unpacked: Unpacked; readonly inflater: Inflater | null } {
    const unpacked = new Unpacked(member, this.#sinkOf(member), this.#hasChecksum(member));
    return { unpacked, inflater: member.method === 0 ? null : new Inflater(member, unpacked) };
  }
}

class Unpacked {
  readonly #member: Member;
  readonly #sink: MemberSink | null;
  readonly #hasChecksum: boolean;
  #crc = 0;
  #bytes = 0;

  constructor(member: Member, sink: MemberSink | null, hasChecksum: boolean) {
    this.#member = member;
    this.#sink = sink;
    this.#hasChecksum = hasChecksum;
  }

  take(piece: Uint8Array): void {
    if (piece.length === 0) return;
    const at = this.#bytes;
    this.#bytes += piece.length;
    if (this.#bytes > this.#member.bytes) {
      throw new Damaged(`${fileWords(this.#member)} unpacks to more than it claims`);
    }
    this.#crc = crc32(piece, this.#crc);
    this.#sink?.take(piece, at);
  }

  end(): void {
    if (this.#bytes !== this.#member.bytes) {
      throw new Damaged(`${fileWords(this.#member)} unpacks to less than it claims`);
    }
    if (this.#hasChecksum && this.#crc !== this.#member.crc) {
      throw new Damaged(`${fileWords(this.#member)} has another checksum than it should have`);
    }
    this.#sink?.end();
  }
}

/** Holds one piece of what it unpacks, however much that becomes. */
class Inflater {
  readonly #member: Member;
  readonly #stream: InflateRaw;
  #failure: Error | null = null;
  readonly #closed: Promise<void>;

  constructor(member: Member, unpacked: Unpacked) {
    this.#member = member;
    this.#stream = createInflateRaw({ chunkSize: UNPACKED_PIECE_BYTES });
    this.#stream.on('data', (piece: Buffer) => {
      try {
        unpacked.take(piece);
      } catch (cause) {
        // Thrown here it would reach nobody.
        this.#failure ??= cause as Error;
        this.#stream.destroy();
      }
    });
    this.#closed = new Promise((resolve) => {
      this.#stream.on('error', (cause) => {
        this.#failure ??= cause;
      });
      this.#stream.on('close', resolve);
    });
  }

  async take(part: Uint8Array): Promise<void> {
    if (this.#failure === null && part.length > 0) {
      const written = new Promise<void>((resolve) => {
        this.#stream.write(part, () => resolve());
      });
      // A stream that was ended from within answers nothing more.
      await Promise.race([written, this.#closed]);
    }
    this.#check();
  }

  async end(): Promise<void> {
    this.#stream.end();
    await this.#closed;
    this.#check();
    // Behind the end of what is compressed, anything could stand.
    if (this.#stream.bytesWritten !== this.#member.packedBytes) {
      throw new Damaged(`${fileWords(this.#member)} has bytes behind its end`);
    }
  }

  #check(): void {
    if (this.#failure === null) return;
    if (!isOfZlib(this.#failure)) throw this.#failure;
    throw new Damaged(`${fileWords(this.#member)} cannot be unpacked`);
  }
}

const isOfZlib = (cause: Error): boolean => 'code' in cause && String(cause.code).startsWith('Z_');
