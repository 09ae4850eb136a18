import type { ByteSource } from './byte-source.ts';
import { Damaged } from './damage.ts';
import { readHeaderJson, type HeaderObject, type HeaderValue } from './header-json.ts';
import type { NumberSpan, NumberType } from './number-scan.ts';
import { plural } from './plural.ts';
import { quoted } from './quoted.ts';
import { tensorFormat, type Structure } from './reading.ts';

/** The library's own limit. */
const MAX_HEADER_BYTES = 100_000_000;

/** Bits of one number. */
const BITS: Readonly<Record<string, number>> = {
  F4: 4,
  F6_E2M3: 6,
  F6_E3M2: 6,
  BOOL: 8,
  U8: 8,
  I8: 8,
  F8_E5M2: 8,
  F8_E4M3: 8,
  F8_E8M0: 8,
  F8_E4M3FNUZ: 8,
  F8_E5M2FNUZ: 8,
  I16: 16,
  U16: 16,
  F16: 16,
  BF16: 16,
  I32: 32,
  U32: 32,
  F32: 32,
  C64: 64,
  F64: 64,
  I64: 64,
  U64: 64,
};

const SCANNED: Readonly<Record<string, NumberType>> = {
  F16: 'f16',
  BF16: 'bf16',
  F32: 'f32',
  F64: 'f64',
  C64: 'f32',
  F8_E4M3: 'f8_e4m3',
  F8_E5M2: 'f8_e5m2',
};

export interface Tensor {
  readonly name: string;
  readonly type: string;
  readonly begin: number;
  readonly end: number;
  readonly numbers: number;
}

export const safetensors = tensorFormat('safetensors', /\.safetensors$/i, readSafetensors);

interface Tensors {
  readonly dataAt: number;
  /** In the order in which they lie, from there on. */
  readonly tensors: readonly Tensor[];
}

/** Its header against its bytes: each tensor as long as its shape says, no hole, no overlap, and the whole file covered. */
export function readTensors(source: ByteSource): Tensors {
  if (source.sizeBytes < 8) throw new Damaged('it is shorter than the length of its header');
  const lead = source.read(0, 8);
  const view = new DataView(lead.buffer, lead.byteOffset, 8);
  const headerBytes = Number(view.getBigUint64(0, true));
  if (headerBytes > MAX_HEADER_BYTES) throw new Damaged('its header is longer than any may be');
  if (headerBytes > source.sizeBytes - 8) {
    throw new Damaged(
      `its header takes ${String(headerBytes)} bytes, and the file has ${String(source.sizeBytes - 8)} behind its first 8`,
    );
  }
  const header = source.read(8, headerBytes);
  if (header[0] !== OPENING_BRACE) throw new Damaged('its header does not begin with “{”');
  const tensors: Tensor[] = [];
  for (const [name, value] of readHeaderJson(header)) {
    if (name === '__metadata__') checkMetadata(value);
    else tensors.push(tensorOf(name, value));
  }
  tensors.sort((a, b) => a.begin - b.begin || a.end - b.end);
  const dataAt = 8 + headerBytes;
  checkCover(tensors, source.sizeBytes - dataAt);
  return { dataAt, tensors };
}

function readSafetensors(source: ByteSource): Structure {
  const { dataAt, tensors } = readTensors(source);
  const count = tensors.reduce((sum, { numbers }) => sum + numbers, 0);
  return {
    holds: `${plural(tensors.length, 'tensor')}, ${plural(count, 'number')}`,
    spans: tensors.flatMap(({ name, type, begin, end }): NumberSpan[] => {
      const scanned = SCANNED[type];
      if (scanned === undefined || begin === end) return [];
      return [{ tensor: name, at: dataAt + begin, bytes: end - begin, type: scanned }];
    }),
  };
}

const OPENING_BRACE = 0x7b;

function checkMetadata(value: HeaderValue): void {
  const isText = isObject(value) && [...value.values()].every((each) => typeof each === 'string');
  if (!isText) throw new Damaged('its metadata are not texts with names');
}

function tensorOf(name: string, value: HeaderValue): Tensor {
  const of = `the tensor ${quoted(name)}`;
  if (!isObject(value)) throw new Damaged(`${of} is not described`);
  const type = value.get('dtype');
  const shape = value.get('shape');
  const offsets = value.get('data_offsets');
  if (value.size !== 3 || typeof type !== 'string' || !isNumbers(shape) || !isNumbers(offsets)) {
    throw new Damaged(`${of} is not described by dtype, shape and data_offsets`);
  }
  const bits = BITS[type];
  if (bits === undefined) throw new Damaged(`${of} has an unknown dtype`);
  const [begin, end] = offsets;
  if (begin === undefined || end === undefined || offsets.length !== 2 || begin > end) {
    throw new Damaged(`${of} does not begin before it ends`);
  }
  const numbers = shape.reduce((product, size) => product * size, 1);
  // A product beyond the exact numbers is longer than any file.
  if (!Number.isSafeInteger(numbers * bits) || numbers * bits !== (end - begin) * 8) {
    throw new Damaged(`${of} takes ${String(end - begin)} bytes, which its shape does not fill`);
  }
  return { name, type, begin, end, numbers };
}

const isObject = (value: HeaderValue): value is HeaderObject => value instanceof Map;

const isNumbers = (value: HeaderValue | undefined): value is readonly number[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'number');

function checkCover(tensors: readonly Tensor[], dataBytes: number): void {
  let covered = 0;
  for (const { name, begin, end } of tensors) {
    if (begin !== covered) {
      const what = begin > covered ? 'bytes before it belong to nothing' : 'it overlaps another';
      throw new Damaged(`of the tensor ${quoted(name)}, ${what}`);
    }
    covered = end;
  }
  if (covered !== dataBytes) {
    throw new Damaged(
      `its tensors take ${String(covered)} bytes, and the file has ${String(dataBytes)} for them`,
    );
  }
}
