import type { ByteSource } from '../byte-source.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import type { Format, Reading } from '../reading.ts';
import { StrictUtf8 } from '../utf8.ts';
import {
  DelimitedScan,
  Uneven,
  type CellTaker,
  type Quoting,
  type Table,
} from './delimited-scan.ts';

export const csv: Format = {
  name: 'csv',
  ends: /\.csv$/i,
  open: (source) => openTable('csv', source),
};

export const tsv: Format = {
  name: 'tsv',
  ends: /\.tsv$/i,
  open: (source) => openTable('tsv', source),
};

const [TAB, COMMA, SEMICOLON, BAR, BLANK] = [0x09, 0x2c, 0x3b, 0x7c, 0x20];
/** What names of columns take at most. */
const HEADER_BYTES = 64 * 1024;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

type TableName = 'csv' | 'tsv';

function openTable(format: TableName, source: ByteSource): Reading {
  const ways = openWays(format, source, () => null);
  return {
    take: (piece, at) => ways.take(piece, at),
    end: () => {
      const { holds, numbers } = ways.end().table;
      return { kind: 'loaded', format, holds, numbers };
    },
  };
}

/** A table whose numbers are looked at: what `cells` made saw those of the way that held. */
export function openCells<T extends CellTaker>(
  format: TableName,
  source: ByteSource,
  cells: () => T,
): { readonly take: (piece: Uint8Array, at: number) => void; readonly end: () => T } {
  const ways = openWays(format, source, cells);
  return { take: (piece, at) => ways.take(piece, at), end: () => ways.end().cells };
}

const DOUBTFUL =
  'it has doubled quotes, as in a table with quotes, and its rows are of one length without them only';

/** How it may have been written, the likeliest first. */
function waysOf(format: TableName, source: ByteSource): readonly (readonly [number, Quoting])[] {
  const row = firstRowOf(source);
  const signs = format === 'csv' ? [COMMA, SEMICOLON, TAB, BAR] : [TAB];
  const sign = signs.find((each) => row.includes(each));
  const delimiter = sign ?? signs[0] ?? COMMA;
  return [
    [delimiter, 'doubled quotes'],
    // As R writes a table where it is told nothing else.
    ...(sign === undefined && row.includes(BLANK) ? [[BLANK, 'doubled quotes'] as const] : []),
    [delimiter, format === 'csv' ? 'backslashes' : 'none'],
  ];
}

interface TableWays<T> {
  readonly take: (piece: Uint8Array, at: number) => void;
  readonly end: () => { readonly table: Table; readonly cells: T };
}

function openWays<T extends CellTaker | null>(
  format: TableName,
  source: ByteSource,
  cells: () => T,
): TableWays<T> {
  const head = source.read(0, Math.min(3, source.sizeBytes));
  if (isUtf16(head)) throw new NotLoadable('it is UTF-16, and Leasehold reads tables in UTF-8');
  const skipped = BYTE_ORDER_MARK.equals(head) ? BYTE_ORDER_MARK.length : 0;
  const utf8 = new StrictUtf8();
  let isUtf8 = true;
  const decode = (piece: Uint8Array): void => {
    try {
      if (isUtf8) utf8.decode(piece, true);
    } catch {
      isUtf8 = false;
    }
  };
  const ways = new Ways(
    waysOf(format, source).map(([delimiter, quoting]) => {
      const taker = cells();
      return { scan: new DelimitedScan(delimiter, quoting, taker), taker };
    }),
  );
  return {
    take: (piece, at) => {
      decode(piece);
      const bytes = at < skipped ? piece.subarray(skipped - at) : piece;
      ways.go(({ scan }) => scan.take(bytes));
    },
    end: () => {
      // A last letter that is cut off.
      if (isUtf8) utf8.decode(new Uint8Array(0));
      const found = ways.go(({ scan, taker }) => ({ table: scan.end(), cells: taker }));
      if (found.table.isDoubtful) throw new NotLoadable(DOUBTFUL);
      // Its rows are whole; which letters the others stand for is said nowhere.
      if (!isUtf8) throw new NotLoadable('it is not UTF-8, and may be of an older encoding');
      return found;
    },
  };
}

const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

function firstRowOf(source: ByteSource): Uint8Array {
  const head = source.read(0, Math.min(HEADER_BYTES, source.sizeBytes));
  const end = head.findIndex((byte) => byte === 0x0a || byte === 0x0d);
  return head.subarray(0, end === -1 ? head.length : end);
}

/** Ways to read the same table, of which one has to hold. */
class Ways<W> {
  readonly #likeliest: W | undefined;
  #left: readonly W[];
  #fault: Error | null = null;

  constructor(ways: readonly W[]) {
    this.#likeliest = ways[0];
    this.#left = ways;
  }

  /** Throws what the likeliest way found where none is left. */
  go<T>(step: (way: W) => T): T {
    const held: { readonly way: W; readonly found: T }[] = [];
    for (const way of this.#left) {
      try {
        held.push({ way, found: step(way) });
      } catch (cause) {
        if (!(cause instanceof Damaged)) throw cause;
        if (way === this.#likeliest) this.#fault = cause;
      }
    }
    this.#left = held.map(({ way }) => way);
    const [first] = held;
    if (first !== undefined) return first.found;
    const fault = this.#fault ?? new Error('There was no way to read a table.');
    throw fault instanceof Uneven ? new NotLoadable(fault.message) : fault;
  }
}
