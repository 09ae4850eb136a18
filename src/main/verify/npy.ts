import type { ByteSource } from './byte-source.ts';
import { Damaged, NotLoadable } from './damage.ts';
import type { NumberType } from './number-scan.ts';
import { tensorFormat, type Structure } from './reading.ts';

const MAGIC = '\x93NUMPY';
/** Two sizes of numpy's own: what is longer it reads only when it is told to trust the file. */
const MAX_HEADER_BYTES = 10_000;
/** As numpy writes it. */
const HEADER =
  /^\{\s*'descr':\s*(.+),\s*'fortran_order':\s*(?:True|False),\s*'shape':\s*\(((?:\s*\d{1,18}\s*,)*\s*(?:\d{1,18})?\s*)\)\s*,?\s*\}\s*$/;
/** Of a table, each column is named before it. */
const TYPE = /'([<>|=])([a-zA-Z])(\d{0,6})(?:\[[^\]']{1,20}\])?'/;
const COLUMN = new RegExp(`^\\('[^']{0,200}', ${TYPE.source}\\)(?:, )?`);
const SIMPLE = new RegExp(`^${TYPE.source}$`);

const SCANNED: Readonly<Record<string, NumberType>> = {
  '<f2': 'f16',
  '<f4': 'f32',
  '<f8': 'f64',
  '<c8': 'f32',
  '<c16': 'f64',
};

export const npy = tensorFormat('npy', /\.npy$/i, readNpy);

/** So far reaches what is read of an array before its numbers. */
export const NPY_HEAD_BYTES = 12 + MAX_HEADER_BYTES;

export interface NpyStructure extends Structure {
  readonly elements: number;
}

/** Its header against its bytes. */
export function readNpy(source: ByteSource): NpyStructure {
  if (source.sizeBytes < 10) throw new Damaged('it is shorter than any array');
  const lead = source.read(0, Math.min(12, source.sizeBytes));
  const text = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
  if (text(lead.subarray(0, 6)) !== MAGIC) throw new Damaged('it does not begin as an array does');
  const view = new DataView(lead.buffer, lead.byteOffset, lead.length);
  const version = lead[6] ?? 0;
  if (version < 1 || version > 3 || lead[7] !== 0) throw new Damaged('its version is not known');
  const headerAt = version === 1 ? 10 : 12;
  if (source.sizeBytes < headerAt) throw new Damaged('it is shorter than its header');
  const headerBytes = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (headerBytes > MAX_HEADER_BYTES) throw new Damaged('its header is longer than numpy reads');
  const dataAt = headerAt + headerBytes;
  if (dataAt > source.sizeBytes) throw new Damaged('it is shorter than its header');
  const [, type = '', shape = ''] = HEADER.exec(text(source.read(headerAt, headerBytes))) ?? [];
  if (type === '') throw new Damaged('its header does not describe an array');
  const sizes = shape.split(',').flatMap((each) => (each.trim() === '' ? [] : [Number(each)]));
  const bytes = bytesOf(type);
  const numbers = sizes.reduce((product, each) => product * each, 1);
  const dataBytes = source.sizeBytes - dataAt;
  if (!Number.isSafeInteger(numbers * bytes) || numbers * bytes !== dataBytes) {
    throw new Damaged(
      `its shape takes another number of bytes than the ${String(dataBytes)} that it has`,
    );
  }
  const scanned = SCANNED[type.replaceAll("'", '')];
  return {
    elements: numbers,
    holds: `${sizes.length === 0 ? 'one value' : `an array of ${sizes.join(' × ')}`}, ${type.replace(/[<>|=']/g, '')}`,
    spans:
      scanned === undefined || dataBytes === 0
        ? []
        : [{ tensor: 'the array', at: dataAt, bytes: dataBytes, type: scanned }],
  };
}

/** Of one element. */
function bytesOf(type: string): number {
  const simple = SIMPLE.exec(type);
  if (simple !== null) return elementBytes(simple);
  if (!type.startsWith('[') || !type.endsWith(']')) return elementBytes(null);
  let sum = 0;
  for (let rest = type.slice(1, -1); rest !== '';) {
    const column = COLUMN.exec(rest);
    sum += elementBytes(column);
    rest = rest.slice(column?.[0].length);
  }
  return sum;
}

function elementBytes(found: RegExpExecArray | null): number {
  const [, , letter = '', size = ''] = found ?? [];
  if (letter === '')
    throw new NotLoadable('its elements are of a type that Leasehold does not read');
  if (letter === 'O') throw new NotLoadable(PICKLED);
  return Number(size) * (letter === 'U' ? 4 : 1);
}

const PICKLED = 'it holds Python objects, which only running what it says could load';
