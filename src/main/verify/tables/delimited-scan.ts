import type { NumbersFound } from '../../../shared/verify/loaded.ts';
import { plural } from '../plural.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { cellKind } from './number-cell.ts';

/** Of a cell this much is kept while it is read: more than a number has, and most names of columns. */
const KEPT_BYTES = 120;
const MAX_NAMES = 8;
/** Of a row, for who looks at the numbers. */
const MAX_TAKEN = 2000;
/** As of tensors: enough to see where it went wrong. */
const MAX_AFFECTED = 20;

const [NEWLINE, RETURN, QUOTE, HASH, BACKSLASH, BLANK] = [0x0a, 0x0d, 0x22, 0x23, 0x5c, 0x20];

/** Rows are not of one length: any writer of rows may have meant that, and so may damage have made it. */
export class Uneven extends Damaged {}

/** How a writer gives a cell that holds a sign of the table: nothing in the file says which. */
export type Quoting = 'doubled quotes' | 'backslashes' | 'none';

/** Where in a row the next byte stands. */
type Place = 'cell begins' | 'plain' | 'quoted' | 'behind a quote';

/** What looks at the numbers of a table besides. */
export interface CellTaker {
  /** One without a name has its place. `isAll`: there are no more columns than these. */
  header(names: readonly string[], isAll: boolean): void;
  /** Each cell of a row, letter by letter; null: it is no number. */
  row(literals: readonly (string | null)[]): void;
}

export interface Table {
  readonly holds: string;
  readonly numbers: NumbersFound;
  /** It was read without quotes, and a cell of it is written as one with quotes: then a sign of the table is missing. */
  readonly isDoubtful: boolean;
}

/** A table whose cells stand between delimiters, while its bytes pass by: that each row has as many cells as the first one. */
export class DelimitedScan {
  readonly #delimiter: number;
  readonly #hasQuotes: boolean;
  readonly #hasEscapes: boolean;
  #place: Place = 'cell begins';
  #line = 1;
  #quoteLine = 1;
  #last = 0;
  #isEscaped = false;

  readonly #cell = Buffer.alloc(KEPT_BYTES);
  #cellBytes = 0;
  #isQuoted = false;
  #isDoubtful = false;
  #cells = 0;
  /** Whether the row may be a remark. */
  #isHash = false;
  #numberCells = 0;

  #columns: number | null = null;
  #names: string[] = [];
  #header: readonly string[] | null = null;
  #isHashHeader = false;
  #rows = 0;
  /** Whether the row is the last one, without its end. */
  #isLast = false;

  #scanned = 0;
  #nonFinite = 0;
  readonly #affected = new Map<number, number>();

  /** Null: nobody looks. */
  readonly #taker: CellTaker | null;
  readonly #maxNames: number;
  #literals: (string | null)[] = [];

  constructor(delimiter: number, quoting: Quoting, cells: CellTaker | null = null) {
    this.#taker = cells;
    this.#maxNames = cells === null ? MAX_NAMES : MAX_TAKEN;
    this.#delimiter = delimiter;
    this.#hasQuotes = quoting !== 'none';
    this.#hasEscapes = quoting === 'backslashes';
  }

  take(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte === 0) throw new Damaged(`there are zero bytes in line ${String(this.#line)}`);
      if (this.#isEscaped) this.#letter(byte);
      else if (byte === QUOTE && this.#hasQuotes) this.#quote();
      else if (this.#place === 'quoted') this.#letter(byte);
      else if (byte === this.#delimiter) this.#endCell();
      else if (byte === NEWLINE || byte === RETURN) this.#endRow();
      else this.#letter(byte);
      if (byte === RETURN || (byte === NEWLINE && this.#last !== RETURN)) this.#line += 1;
      this.#last = byte;
    }
  }

  end(): Table {
    if (this.#place === 'quoted') {
      throw new Damaged(`the quote that begins in line ${String(this.#quoteLine)} has no end`);
    }
    const isOpen = this.#last !== NEWLINE && this.#last !== RETURN;
    this.#isLast = isOpen;
    this.#endRow();
    if (this.#columns === null) {
      // As Python's csv writes what has none, and as what was never written looks.
      throw new NotLoadable('it holds no row, not even names of columns');
    }
    return {
      isDoubtful: this.#isDoubtful,
      holds: `${plural(this.#rows, 'row')}, ${plural(this.#columns, 'column')}${this.#named()}${isOpen ? '; its last line has no end' : ''}`,
      numbers: {
        scanned: this.#scanned,
        nonFinite: this.#nonFinite,
        affected: [...this.#affected].map(([at, count]) => ({ tensor: this.#nameOf(at), count })),
        // A column of zeros is a usual one.
        allZero: [],
      },
    };
  }

  #quote(): void {
    switch (this.#place) {
      case 'cell begins':
        this.#place = 'quoted';
        this.#isQuoted = true;
        this.#quoteLine = this.#line;
        return;
      case 'quoted':
        this.#place = 'behind a quote';
        return;
      case 'behind a quote':
        this.#place = 'quoted';
        this.#keep(QUOTE);
        return;
      case 'plain':
        this.#keep(QUOTE);
    }
  }

  /** What is no sign of the table. */
  #letter(byte: number): void {
    if (this.#place === 'behind a quote') {
      throw new Damaged(`a cell in line ${String(this.#line)} goes on behind its closing quote`);
    }
    if (this.#place === 'cell begins') {
      this.#place = 'plain';
      this.#isHash ||= this.#cells === 0 && byte === HASH;
    }
    if (!this.#hasQuotes && byte === QUOTE && this.#last === QUOTE && this.#cellBytes > 1) {
      // Who writes no quotes doubles none.
      this.#isDoubtful ||= this.#cell[0] === QUOTE;
    }
    this.#isEscaped = this.#hasEscapes && byte === BACKSLASH && !this.#isEscaped;
    this.#keep(byte);
  }

  #keep(byte: number): void {
    if (this.#cellBytes < KEPT_BYTES) this.#cell[this.#cellBytes] = byte;
    this.#cellBytes += 1;
  }

  #endCell(): void {
    // Several blanks stand between two cells as one does.
    if (this.#delimiter === BLANK && this.#cellBytes === 0 && !this.#isQuoted) return;
    const cell = this.#cell.subarray(0, this.#cellBytes);
    const kind = this.#isQuoted || this.#cellBytes > KEPT_BYTES ? 'other' : cellKind(cell);
    if (kind !== 'other') {
      this.#numberCells += 1;
      this.#scanned += 1;
    }
    if (kind === 'not finite') {
      this.#nonFinite += 1;
      const known = this.#affected.get(this.#cells);
      if (known !== undefined || this.#affected.size < MAX_AFFECTED) {
        this.#affected.set(this.#cells, (known ?? 0) + 1);
      }
    }
    if (this.#taker !== null && this.#cells < MAX_TAKEN) {
      this.#literals.push(kind === 'other' ? null : textOf(cell));
    }
    // Only what may be the header.
    if (this.#rows === 0 && this.#names.length < this.#maxNames) this.#names.push(textOf(cell));
    this.#cells += 1;
    this.#cellBytes = 0;
    this.#isQuoted = false;
    this.#place = 'cell begins';
  }

  #endRow(): void {
    // Readers of tables pass over a blank line.
    if (this.#place === 'cell begins' && this.#cells === 0) return;
    this.#endCell();
    this.#judgeRow();
    this.#cells = 0;
    this.#numberCells = 0;
    this.#isHash = false;
    this.#names = [];
    this.#literals = [];
  }

  #judgeRow(): void {
    const isHeaderOff = this.#isHashHeader && this.#rows === 0;
    if (this.#columns === null || (isHeaderOff && this.#cells !== this.#columns)) {
      this.#beginTable();
      return;
    }
    if (this.#rows === 0 && this.#header !== null && this.#cells === this.#columns + 1) {
      this.#nameRows(this.#header);
    }
    if (this.#cells === this.#columns) {
      this.#rows += 1;
      this.#taker?.row(this.#literals);
    } else if (!this.#isHash) this.#refuse(this.#columns);
  }

  /** R gives each row a name, and the column of these names none. */
  #nameRows(header: readonly string[]): void {
    this.#columns = this.#cells;
    this.#header = ['', ...header];
    this.#tellNames(this.#columns);
  }

  #refuse(columns: number): never {
    const what = `the row that ends in line ${String(this.#line)} has ${plural(this.#cells, 'column')}, and those before ${String(columns)}`;
    const isCutOff = this.#isLast && this.#cells < columns;
    throw isCutOff ? new Damaged(what) : new Uneven(what);
  }

  /** The first row; or the one behind a remark that was none of the table's. */
  #beginTable(): void {
    this.#columns = this.#cells;
    this.#isHashHeader = this.#isHash;
    const hasNames = this.#numberCells < this.#cells;
    this.#header = hasNames ? this.#names : null;
    this.#rows = hasNames ? 0 : 1;
    this.#tellHeader();
    if (!hasNames) return;
    this.#scanned = 0;
    this.#nonFinite = 0;
    this.#affected.clear();
  }

  #tellHeader(): void {
    this.#tellNames(this.#columns ?? 0);
    if (this.#header === null) this.#taker?.row(this.#literals);
  }

  #tellNames(columns: number): void {
    const count = Math.min(columns, MAX_TAKEN);
    const names = Array.from({ length: count }, (_, at) => this.#nameOf(at));
    this.#taker?.header(names, count === columns);
  }

  #named(): string {
    if (this.#header === null) return ' without names';
    const shown = this.#header.slice(0, MAX_NAMES);
    const more = (this.#columns ?? 0) > shown.length ? ', …' : '';
    return `: ${shown.map((_, at) => this.#nameOf(at)).join(', ')}${more}`;
  }

  #nameOf(column: number): string {
    const name = this.#header?.[column] ?? '';
    return name === '' ? `column ${String(column + 1)}` : name;
  }
}

/** The first letters, of which the last may be cut off. */
const textOf = (cell: Uint8Array): string =>
  new TextDecoder().decode(cell, { stream: true }).trim();
