import type { ByteSource } from '../byte-source.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { NPY_HEAD_BYTES, readNpy } from '../npy.ts';
import { NumberScan, NumbersSum } from '../number-scan.ts';
import type { Format } from '../reading.ts';
import { plural } from '../plural.ts';
import { quoted } from '../quoted.ts';
import { readArchive, type Member } from './archive.ts';
import { MemberPass, type MemberSink } from './member-pass.ts';

const ARRAY = /\.npy$/;

export const npz: Format = {
  name: 'npz',
  ends: /\.npz$/i,
  open: (source) => {
    const archive = readArchive(source);
    const arrays = new Arrays();
    const pass = new MemberPass(archive, (member) =>
      ARRAY.test(member.name) ? arrays.open(member) : null,
    );
    return {
      take: (piece, at) => (archive.unreadable === null ? pass.take(piece, at) : undefined),
      end: () => {
        const because = archive.unreadable ?? arrays.notLoadable;
        if (because !== null) throw new NotLoadable(because);
        return { kind: 'loaded', format: 'npz', holds: arrays.holds, ...arrays.numbers.found() };
      },
    };
  },
};

/** The arrays of one archive, each as far as it has passed by. */
class Arrays {
  readonly numbers = new NumbersSum();
  /** The first reason. It is told only when the rest is known to be whole. */
  notLoadable: string | null = null;
  #count = 0;
  #elements = 0;

  get holds(): string {
    return `${plural(this.#count, 'array')}, ${plural(this.#elements, 'element')}`;
  }

  open(member: Member): MemberSink {
    const headBytes = Math.min(NPY_HEAD_BYTES, member.bytes);
    const head = new Uint8Array(headBytes);
    let scan: NumberScan | null = null;
    const begin = (): void => {
      scan = this.#begin(member, head);
      scan?.take(head, 0);
    };
    if (headBytes === 0) begin();
    return {
      take: (piece, at) => {
        if (at < headBytes) {
          head.set(piece.subarray(0, headBytes - at), at);
          if (at + piece.length < headBytes) return;
          begin();
        }
        scan?.take(piece.subarray(Math.max(0, headBytes - at)), Math.max(at, headBytes));
      },
      end: () => this.numbers.add(scan?.found() ?? null),
    };
  }

  /** Null: it is not loaded, and its numbers are not looked at. */
  #begin({ name, bytes }: Member, head: Uint8Array): NumberScan | null {
    const source: ByteSource = {
      sizeBytes: bytes,
      read: (at, length) => head.slice(at, at + length),
    };
    const array = name.replace(ARRAY, '');
    try {
      const { elements, spans } = readNpy(source);
      this.#count += 1;
      this.#elements += elements;
      return new NumberScan(spans.map((span) => ({ ...span, tensor: array })));
    } catch (cause) {
      const because = `of the array ${quoted(array)}, ${(cause as Error).message}`;
      if (cause instanceof Damaged) throw new Damaged(because);
      if (!(cause instanceof NotLoadable)) throw cause;
      this.notLoadable ??= because;
      return null;
    }
  }
}
