import type { FormatName } from '../../../shared/verify/loaded.ts';
import type { ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { NotLoadable } from '../damage.ts';
import { NumberScan } from '../number-scan.ts';
import { plural } from '../plural.ts';
import type { Format, Reading } from '../reading.ts';
import { isOfTorch } from '../torch/beginning.ts';
import { TORCH_VOCABULARY } from '../torch/vocabulary.ts';
import { leavesOf, spansOf } from './leaves.ts';
import { walkPickle } from './opcodes.ts';
import { Refusals } from './refusals.ts';
import { isGroup, isKind, type Value } from './values.ts';

/** In a single file; somebody who writes one for each record may write very many. */
const MAX_PICKLES = 100_000;
/** joblib and pandas compress under the same name: gzip, zlib, bzip2, xz, lzma, zstd, lz4. */
const COMPRESSED =
  /^(?:\x1f\x8b|\x78[\x01\x5e\x9c\xda]|BZh|\xfd7zXZ|\x5d\0\0|\x28\xb5\x2f\xfd|\x04\x22\x4d\x18)/;

export const pickle: Format = {
  name: 'pickle',
  ends: /\.(?:pkl|pickle)$/i,
  begins: (head) => !COMPRESSED.test(String.fromCharCode(...head)) && !isOfTorch(head),
  open: (source) => openPickles(source, 'pickle'),
};

/** Pickles in a row, to the end of the file. */
export function openPickles(source: ByteSource, format: FormatName): Reading {
  const cursor = new Cursor(source, 'it');
  const refusals = new Refusals();
  const values: Value[] = [];
  do {
    if (values.length === MAX_PICKLES) {
      throw new NotLoadable('it holds more pickles than Leasehold looks at');
    }
    values.push(walkPickle(cursor, { vocabulary: TORCH_VOCABULARY, refusals }));
  } while (cursor.left > 0);
  const leaves = values.flatMap((value) => [...leavesOf(value)]);
  const scan = new NumberScan(spansOf(leaves));
  return {
    take: (piece, at) => scan.take(piece, at),
    end: () => {
      if (refusals.because !== null) throw new NotLoadable(refusals.because);
      const found = scan.found();
      const numbers = found === null ? {} : { numbers: found };
      return { kind: 'loaded', format, holds: describe(values, leaves.length), ...numbers };
    },
  };
}

function describe(values: readonly Value[], arrays: number): string {
  const [value] = values;
  if (values.length === 1 && isKind(value, 'array')) return 'one array';
  const held = arrays === 0 ? '' : `, ${plural(arrays, 'array')}`;
  if (values.length > 1) return `${String(values.length)} values in a row${held}`;
  if (!isGroup(value)) return `one value${held}`;
  const { kind, items } = value;
  const of =
    kind === 'dict' ? plural(items.length / 2, 'field') : `a ${kind} of ${String(items.length)}`;
  return of + held;
}
