import { Damaged } from '../damage.ts';

export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly bitsPerPixel: number;
  readonly isInterlaced: boolean;
}

/** Each row is written with one of five filters before it. */
const LAST_FILTER = 4;
/** Where each of the seven passes begins and how far its pixels stand apart: across, down. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

interface Rows {
  readonly count: number;
  /** With its filter. */
  readonly bytes: number;
}

/** What the pixels of a PNG unpack to, while it does: as many rows as its header says, each with a filter that there is. */
export class Scanlines {
  readonly #passes: readonly Rows[];
  #pass = 0;
  #row = 0;
  #inRow = 0;

  constructor(header: PngHeader) {
    this.#passes = passesOf(header);
  }

  take(piece: Uint8Array): void {
    for (let at = 0; at < piece.length;) {
      const rows = this.#passes[this.#pass];
      if (rows === undefined) throw new Damaged('it has more pixels than its size says');
      if (this.#inRow === 0 && (piece[at] ?? 0) > LAST_FILTER) {
        throw new Damaged(`row ${String(this.#row + 1)} of its pixels has no known filter`);
      }
      const taken = Math.min(rows.bytes - this.#inRow, piece.length - at);
      at += taken;
      this.#inRow += taken;
      if (this.#inRow === rows.bytes) this.#endRow(rows);
    }
  }

  end(): void {
    if (this.#pass < this.#passes.length) {
      throw new Damaged('it has fewer pixels than its size says');
    }
  }

  #endRow({ count }: Rows): void {
    this.#inRow = 0;
    this.#row += 1;
    if (this.#row < count) return;
    this.#row = 0;
    this.#pass += 1;
  }
}

function passesOf({ width, height, bitsPerPixel, isInterlaced }: PngHeader): readonly Rows[] {
  const rowsOf = (across: number, down: number): Rows => ({
    count: down,
    bytes: 1 + Math.ceil((across * bitsPerPixel) / 8),
  });
  if (!isInterlaced) return [rowsOf(width, height)];
  return ADAM7.map(([x, y, stepX, stepY]) => ({
    across: Math.ceil(Math.max(0, width - x) / stepX),
    down: Math.ceil(Math.max(0, height - y) / stepY),
  }))
    .filter(({ across, down }) => across > 0 && down > 0)
    .map(({ across, down }) => rowsOf(across, down));
}
