import { partOf, type ByteSource } from './byte-source.ts';
import { Damaged, NotLoadable } from './damage.ts';
import { npyHeaderOf } from './npy-header.ts';
import type { NumberSpan, NumberType } from './number-scan.ts';
import { plural } from './plural.ts';
import { tensorFormat, type Structure } from './reading.ts';

const MAGIC = '\x93NUMPY';
/** A table of ten thousand columns; from 10,000 bytes on numpy itself wants to be told that it may. */
const MAX_HEADER_BYTES = 1024 * 1024;
/** `numpy.save` may be called several times on one open file. */
const MAX_ARRAYS = 100_000;
const MAX_SHOWN_CHARS = 300;

const SCANNED: Readonly<Record<string, NumberType>> = {
  '<f2': 'f16',
  '<f4': 'f32',
  '<f8': 'f64',
  '<c8': 'f32',
  '<c16': 'f64',
};

export const npy = tensorFormat('npy', /\.npy$/i, readArrays);

/** So far reaches what is read of an array before its numbers. */
export const NPY_HEAD_BYTES = 12 + MAX_HEADER_BYTES;

export interface NpyStructure extends Structure {
  readonly elements: number;
}

/** One array, or several in a row. */
function readArrays(source: ByteSource): Structure {
  const spans: NumberSpan[] = [];
  let [arrays, elements, at] = [0, 0, 0];
  for (;;) {
    const array = readArray(partOf(source, at, source.sizeBytes - at));
    const end = at + array.end;
    if (arrays === 0 && end === source.sizeBytes) return array;
    arrays += 1;
    if (arrays > MAX_ARRAYS) throw new NotLoadable('it has more arrays than Leasehold looks at');
    elements += array.elements;
    for (const span of array.spans) {
      spans.push({ ...span, tensor: `array ${String(arrays)}`, at: at + span.at });
    }
    if (end === source.sizeBytes) break;
    if (!isArray(source, end)) throw unfilled(source.sizeBytes - at - array.dataAt);
    at = end;
  }
  return { holds: `${String(arrays)} arrays in a row, ${plural(elements, 'element')}`, spans };
}

/** Its header against its bytes, of which there is none that belongs to nothing. */
export function readNpy(source: ByteSource): NpyStructure {
  const array = readArray(source);
  if (array.end !== source.sizeBytes) throw unfilled(source.sizeBytes - array.dataAt);
  return array;
}

interface ArrayAt extends NpyStructure {
  readonly dataAt: number;
  readonly end: number;
}

/** Of a table with very many columns, the first ones. */
function shown(type: string): string {
  const plain = type.replace(/[<>|='"]/g, '').replace(/\s+/g, ' ');
  return plain.length > MAX_SHOWN_CHARS ? `${plain.slice(0, MAX_SHOWN_CHARS)}…` : plain;
}

const isArray = (source: ByteSource, at: number): boolean =>
  source.sizeBytes - at >= MAGIC.length && textOf(source.read(at, MAGIC.length)) === MAGIC;

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

const unfilled = (bytes: number): Damaged =>
  new Damaged(`its shape takes another number of bytes than the ${String(bytes)} that it has`);

function readArray(source: ByteSource): ArrayAt {
  if (source.sizeBytes < 10) throw new Damaged('it is shorter than any array');
  if (!isArray(source, 0)) throw new Damaged('it does not begin as an array does');
  const lead = source.read(0, Math.min(12, source.sizeBytes));
  const view = new DataView(lead.buffer, lead.byteOffset, lead.length);
  const version = lead[6] ?? 0;
  if (version < 1 || version > 3 || lead[7] !== 0) throw new Damaged('its version is not known');
  const headerAt = version === 1 ? 10 : 12;
  if (source.sizeBytes < headerAt) throw new Damaged('it is shorter than its header');
  const headerBytes = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  const dataAt = headerAt + headerBytes;
  if (dataAt > source.sizeBytes) throw new Damaged('it is shorter than its header');
  if (headerBytes > MAX_HEADER_BYTES) {
    throw new NotLoadable('its header is longer than Leasehold reads');
  }
  const text = textOf(source.read(headerAt, headerBytes));
  const { type, sizes, elementBytes } = npyHeaderOf(text);
  const elements = sizes.reduce((product, each) => product * each, 1);
  const dataBytes = elements * elementBytes;
  const end = dataAt + dataBytes;
  if (!Number.isSafeInteger(dataBytes) || end > source.sizeBytes) {
    throw unfilled(source.sizeBytes - dataAt);
  }
  const scanned = SCANNED[type.replace(/['"]/g, '')];
  return {
    ...{ elements, dataAt, end },
    holds: `${sizes.length === 0 ? 'one value' : `an array of ${sizes.join(' × ')}`}, ${shown(type)}`,
    spans:
      scanned === undefined || dataBytes === 0
        ? []
        : [{ tensor: 'the array', at: dataAt, bytes: dataBytes, type: scanned }],
  };
}
