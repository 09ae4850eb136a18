/** The scalars of one event of a TensorBoard file. */
export interface ScalarEvent {
  readonly step: number;
  readonly wallMs: number | null;
  readonly values: readonly { readonly tag: string; readonly value: number }[];
}

const MAX_VALUES = 200;
const MAX_TAG_CHARS = 200;
/** tensorflow/core/framework/types.proto: those of which TensorBoard's own tools write scalars. */
const [FLOAT, DOUBLE, INT32, INT64] = [1, 2, 3, 9];

/** A field of a protobuf message, as the wire has it. */
interface Field {
  readonly number: number;
  /** 0: a whole number, 1: eight bytes, 2: bytes with a length, 5: four bytes. */
  readonly wire: number;
  readonly bytes: Uint8Array;
  readonly value: bigint;
}

/**
 * Of tensorflow/core/util/event.proto: wall_time (1), step (2), summary (5); of its summary each value (1) with tag (1), simple_value (2)
 * or tensor (8) of one element. Null: no message, or one without a scalar. The bytes are the box's.
 */
export function readScalarEvent(bytes: Uint8Array): ScalarEvent | null {
  let step = 0;
  let wallMs: number | null = null;
  const values: { readonly tag: string; readonly value: number }[] = [];
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1 && field.wire === 1) wallMs = doubleOf(field.bytes) * 1000;
    else if (field.number === 2 && field.wire === 0) step = Number(BigInt.asIntN(64, field.value));
    else if (field.number === 5 && field.wire === 2) {
      for (const part of fieldsOf(field.bytes)) {
        if (part.number !== 1 || part.wire !== 2 || values.length >= MAX_VALUES) continue;
        const value = readValue(part.bytes);
        if (value !== null) values.push(value);
      }
    }
  }
  const isTime = wallMs !== null && wallMs > 0 && wallMs < 1e14;
  return values.length === 0 ? null : { step, wallMs: isTime ? wallMs : null, values };
}

function readValue(bytes: Uint8Array): ScalarEvent['values'][number] | null {
  let tag = '';
  let value: number | null = null;
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1 && field.wire === 2) tag = textOf(field.bytes);
    else if (field.number === 2 && field.wire === 5) value = floatOf(field.bytes);
    else if (field.number === 8 && field.wire === 2) value = readTensor(field.bytes);
  }
  return tag === '' || value === null ? null : { tag, value };
}

/** The one element of a tensor; null: it has several, or is of another kind. */
function readTensor(bytes: Uint8Array): number | null {
  let kind = 0;
  let content: Uint8Array | null = null;
  const said: number[] = [];
  for (const { number, wire, bytes: part, value } of fieldsOf(bytes)) {
    if (said.length > 1) return null;
    if (number === 1 && wire === 0) kind = Number(value);
    else if (number === 4 && wire === 2) content = part;
    else if (number === 5 && wire === 5) said.push(floatOf(part));
    else if (number === 5 && wire === 2 && part.length === 4) said.push(floatOf(part));
    else if (number === 6 && wire === 1) said.push(doubleOf(part));
    else if (number === 6 && wire === 2 && part.length === 8) said.push(doubleOf(part));
    else if ((number === 7 || number === 10) && wire === 0) said.push(wholeOf(value));
    else if ((number === 7 || number === 10) && wire === 2) {
      const whole = varint(part, 0);
      if (whole?.end === part.length) said.push(wholeOf(whole.value));
    }
  }
  if (content !== null && content.length > 0) return elementOf(kind, content);
  return said.length === 1 ? (said[0] ?? null) : null;
}

function elementOf(kind: number, bytes: Uint8Array): number | null {
  const view = viewOf(bytes);
  if (kind === FLOAT && bytes.length === 4) return view.getFloat32(0, true);
  if (kind === DOUBLE && bytes.length === 8) return view.getFloat64(0, true);
  if (kind === INT32 && bytes.length === 4) return view.getInt32(0, true);
  if (kind === INT64 && bytes.length === 8) return Number(view.getBigInt64(0, true));
  return null;
}

/** Each field once, in order; ends at the first byte that is none. */
function* fieldsOf(bytes: Uint8Array): Generator<Field, void> {
  let at = 0;
  while (at < bytes.length) {
    const key = varint(bytes, at);
    if (key === null) return;
    const [number, wire] = [Number(key.value >> 3n), Number(key.value & 7n)];
    at = key.end;
    const first = wire === 0 || wire === 2 ? varint(bytes, at) : null;
    if ((wire === 0 || wire === 2) && first === null) return;
    const value = first?.value ?? 0n;
    if (first !== null) at = first.end;
    const length = wire === 1 ? 8 : wire === 5 ? 4 : wire === 2 ? Number(value) : 0;
    if (![0, 1, 2, 5].includes(wire) || length > bytes.length - at) return;
    yield { number, wire, value, bytes: bytes.subarray(at, at + length) };
    at += length;
  }
}

function varint(
  bytes: Uint8Array,
  from: number,
): { readonly value: bigint; readonly end: number } | null {
  let value = 0n;
  for (let at = from; at < bytes.length && at < from + 10; at += 1) {
    const byte = bytes[at] ?? 0;
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - from));
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return null;
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
const floatOf = (bytes: Uint8Array): number => viewOf(bytes).getFloat32(0, true);
const doubleOf = (bytes: Uint8Array): number => viewOf(bytes).getFloat64(0, true);
const wholeOf = (value: bigint): number => Number(BigInt.asIntN(64, value));

/**
 * UTF-8 of a tag, by hand, since what is shared knows no decoder: two figures with names of other letters than English ones are two
 * figures. What is no character, and what controls a screen, is a question mark.
 */
function textOf(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0, chars = 0; at < bytes.length && chars < MAX_TAG_CHARS; chars += 1) {
    const { code, length } = characterAt(bytes, at);
    const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
    text += isControl ? '?' : String.fromCodePoint(code);
    at += length;
  }
  return text;
}

/** The least code that may be written in so many bytes: an overlong one is none. */
const LEAST_CODE = [0, 0, 0x80, 0x800, 0x10000];

/** Code 0: this byte begins no character. */
function characterAt(
  bytes: Uint8Array,
  at: number,
): { readonly code: number; readonly length: number } {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return { code: first, length: 1 };
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  let code = first & (0x7f >> length);
  for (let next = at + 1; next < at + length; next += 1) {
    const byte = bytes[next] ?? 0;
    if ((byte & 0xc0) !== 0x80) return { code: 0, length: 1 };
    code = (code << 6) | (byte & 0x3f);
  }
  const isCharacter =
    first >= 0xc0 &&
    first < 0xf8 &&
    code >= (LEAST_CODE[length] ?? 0) &&
    code <= 0x10ffff &&
    (code < 0xd800 || code > 0xdfff);
  return isCharacter ? { code, length } : { code: 0, length: 1 };
}
