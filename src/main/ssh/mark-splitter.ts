/** What may stand between a mark and the end of its line, and how that may be cut by the end of a piece. */
interface MarkedLine {
  readonly whole: RegExp;
  readonly cut: RegExp;
}

/** A command's first line. */
export const START_LINE: MarkedLine = { whole: /^(\r?)\n/, cut: /^\r?$/ };
/** Its last one, with the exit code. */
export const END_LINE: MarkedLine = { whole: /^ (\d{1,3})\r?\n/, cut: /^(?: (?:\d{1,3}\r?)?)?$/ };
const LONGEST_LINE = ' 255\r\n'.length;

export interface SplitPiece {
  /** What is certainly no part of the marked line, and comes before it. */
  readonly before: Buffer;
  /** What stands with the mark in its line, and what follows that; null: not there yet. */
  readonly found: { readonly value: string; readonly rest: Buffer } | null;
}

/**
 * Cuts a stream of bytes where a mark ends a line. Only what may be the beginning of that line is held back, and each byte is
 * looked at once or twice, however small the pieces are.
 */
export class MarkSplitter {
  readonly #mark: Buffer;
  readonly #line: MarkedLine;
  #held = Buffer.alloc(0);

  constructor(mark: string, line: MarkedLine) {
    this.#mark = Buffer.from(mark);
    this.#line = line;
  }

  push(piece: Buffer): SplitPiece {
    const bytes = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
    const mark = this.#mark;
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
      const after = at + mark.length;
      const line = bytes.toString('latin1', after, after + LONGEST_LINE);
      const whole = this.#line.whole.exec(line);
      if (whole !== null) {
        this.#held = Buffer.alloc(0);
        const rest = bytes.subarray(after + whole[0].length);
        return { before: bytes.subarray(0, at), found: { value: whole[1] ?? '', rest } };
      }
      if (this.#line.cut.test(line)) return this.#holdFrom(bytes, at);
    }
    return this.#holdFrom(bytes, bytes.length - beginningAtEnd(bytes, mark));
  }

  /** What was held back and was no mark after all, once nothing comes any more. */
  end(): Buffer {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    return held;
  }

  #holdFrom(bytes: Buffer, at: number): SplitPiece {
    this.#held = Buffer.from(bytes.subarray(at));
    return { before: bytes.subarray(0, at), found: null };
  }
}

/** How many bytes at the end of these are the first ones of the mark. */
function beginningAtEnd(bytes: Buffer, mark: Buffer): number {
  for (let length = Math.min(mark.length - 1, bytes.length); length > 0; length -= 1) {
    if (bytes.compare(mark, 0, length, bytes.length - length) === 0) return length;
  }
  return 0;
}
