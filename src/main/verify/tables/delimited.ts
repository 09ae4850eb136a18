import type { FormatName } from '../../../shared/verify/loaded.ts';
import type { ByteSource } from '../byte-source.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import type { Format, Reading } from '../reading.ts';
import { StrictUtf8 } from '../utf8.ts';
import { DelimitedScan, type CellTaker, type Quoting, type Table } from './delimited-scan.ts';

export const csv: Format = {
  name: 'csv',
  ends: /\.csv$/i,
  open: (source) => openTable('csv', source, delimiterOf(source), 'backslashes'),
};

export const tsv: Format = {
  name: 'tsv',
  ends: /\.tsv$/i,
  open: (source) => openTable('tsv', source, TAB, 'none'),
};

const [TAB, COMMA, SEMICOLON, BAR] = [0x09, 0x2c, 0x3b, 0x7c];
/** What names of columns take at most. */
const HEADER_BYTES = 64 * 1024;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function openTable(
  format: FormatName,
  source: ByteSource,
  delimiter: number,
  otherwise: Quoting,
): Reading {
  const ways = openWays(source, delimiter, otherwise, () => null);
  return {
    take: (piece, at) => ways.take(piece, at),
    end: () => ({ kind: 'loaded', format, ...ways.end().table }),
  };
}

/** A table whose numbers are looked at: what `cells` made saw those of the way that held. */
export function openCells<T extends CellTaker>(
  format: 'csv' | 'tsv',
  source: ByteSource,
  cells: () => T,
): { readonly take: (piece: Uint8Array, at: number) => void; readonly end: () => T } {
  const ways =
    format === 'csv'
      ? openWays(source, delimiterOf(source), 'backslashes', cells)
      : openWays(source, TAB, 'none', cells);
  return { take: (piece, at) => ways.take(piece, at), end: () => ways.end().cells };
}

interface TableWays<T> {
  readonly take: (piece: Uint8Array, at: number) => void;
  readonly end: () => { readonly table: Table; readonly cells: T };
}

function openWays<T extends CellTaker | null>(
  source: ByteSource,
  delimiter: number,
  otherwise: Quoting,
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
    (['doubled quotes', otherwise] as const).map((quoting) => {
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
      // Its rows are whole; which letters the others stand for is said nowhere.
      if (!isUtf8) throw new NotLoadable('it is not UTF-8, and may be of an older encoding');
      return found;
    },
  };
}

const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

/** The one of them that stands in the first row; a comma where it says nothing. */
function delimiterOf(source: ByteSource): number {
  const head = source.read(0, Math.min(HEADER_BYTES, source.sizeBytes));
  const end = head.findIndex((byte) => byte === 0x0a || byte === 0x0d);
  const row = head.subarray(0, end === -1 ? head.length : end);
  return [COMMA, SEMICOLON, TAB, BAR].find((sign) => row.includes(sign)) ?? COMMA;
}

/** Ways to read the same table, of which one has to hold. */
class Ways<W> {
  #left: readonly W[];

  constructor(ways: readonly W[]) {
    this.#left = ways;
  }

  /** Throws what the first way found where none is left. */
  go<T>(step: (way: W) => T): T {
    const held: { readonly way: W; readonly found: T }[] = [];
    const faults: Error[] = [];
    for (const way of this.#left) {
      try {
        held.push({ way, found: step(way) });
      } catch (cause) {
        if (!(cause instanceof Damaged)) throw cause;
        faults.push(cause);
      }
    }
    this.#left = held.map(({ way }) => way);
    const [first] = held;
    if (first === undefined) throw faults[0] ?? new Error('There was no way to read a table.');
    return first.found;
  }
}
