/** What is nested deeper is no record that anybody logs: each level has a bit of one number. */
const MAX_DEPTH = 30;

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_RECORD = 0x7b;
const CLOSE_RECORD = 0x7d;

const bytesOf = (text: string): readonly number[] => [...Buffer.from(text, 'latin1')];
const WORDS: Readonly<Record<number, readonly number[]>> = {
  0x74: bytesOf('true'),
  0x66: bytesOf('false'),
  0x6e: bytesOf('null'),
};
/** Behind a backslash; `u` needs four digits besides. */
const ESCAPED: ReadonlySet<number> = new Set(bytesOf('"\\/bfnrt'));
const LETTER_U = 0x75;

const NONE = -1;

/**
 * Where a line ends that is nothing but blanks, or one JSON text in ASCII alone, without making anything of it: of ten thousands of short
 * records, what `JSON.parse` makes costs more than all else. Negative: it is not known to be one, which says nothing against it.
 * What is answered is the end, times two, and one more where the line is blank: a pair for each line would be most of its cost.
 */
function readLine(bytes: Uint8Array, from: number, isLast: boolean): number {
  let at = skipBlanks(bytes, from);
  if (isEnd(bytes, at, isLast)) return endOf(bytes, at) * 2 + 1;
  let depth = 0;
  /** A bit for each level: whether it is a record. */
  let kinds = 0;
  for (;;) {
    // A value stands here.
    const first = bytes[at];
    if (first === OPEN_RECORD || first === OPEN_LIST) {
      if (depth === MAX_DEPTH) return NONE;
      depth += 1;
      kinds = kinds * 2 + (first === OPEN_RECORD ? 1 : 0);
      at = skipBlanks(bytes, at + 1);
      const isEmpty = bytes[at] === (first === OPEN_RECORD ? CLOSE_RECORD : CLOSE_LIST);
      if (!isEmpty) {
        if (first === OPEN_RECORD) {
          at = behindKey(bytes, at);
          if (at < 0) return NONE;
        }
        continue;
      }
      depth -= 1;
      kinds = (kinds - (kinds % 2)) / 2;
      at += 1;
    } else {
      at = behindScalar(bytes, at);
      if (at < 0) return NONE;
    }
    // A value has ended here, and perhaps what it stands in.
    for (;;) {
      at = skipBlanks(bytes, at);
      if (depth === 0) return isEnd(bytes, at, isLast) ? endOf(bytes, at) * 2 : NONE;
      const isRecord = kinds % 2 === 1;
      const next = bytes[at];
      at += 1;
      if (next === COMMA) {
        at = skipBlanks(bytes, at);
        if (isRecord) at = behindKey(bytes, at);
        if (at < 0) return NONE;
        break;
      }
      if (next !== (isRecord ? CLOSE_RECORD : CLOSE_LIST)) return NONE;
      depth -= 1;
      kinds = (kinds - (isRecord ? 1 : 0)) / 2;
    }
  }
}

/** Lines that are plain, from here on, as far as they are that. */
export function plainLines(
  bytes: Uint8Array,
  from: number,
  isLast: boolean,
): { readonly end: number; readonly lines: number; readonly records: number } {
  let [end, lines, records] = [from, 0, 0];
  while (end < bytes.length) {
    const read = readLine(bytes, end, isLast);
    if (read < 0) break;
    lines += 1;
    if (read % 2 === 0) records += 1;
    end = (read - (read % 2)) / 2;
  }
  return { end, lines, records };
}

const isEnd = (bytes: Uint8Array, at: number, isLast: boolean): boolean =>
  at < bytes.length ? bytes[at] === LINE_FEED : isLast;

const endOf = (bytes: Uint8Array, at: number): number => (at < bytes.length ? at + 1 : at);

function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return at;
    at += 1;
  }
}

/** Behind the colon and what blanks follow it. */
function behindKey(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== QUOTE) return NONE;
  let at = behindString(bytes, from);
  if (at < 0) return NONE;
  at = skipBlanks(bytes, at);
  return bytes[at] === COLON ? skipBlanks(bytes, at + 1) : NONE;
}

function behindScalar(bytes: Uint8Array, from: number): number {
  const first = bytes[from];
  if (first === QUOTE) return behindString(bytes, from);
  if (first === MINUS || isDigit(first)) return behindNumber(bytes, from);
  const word = first === undefined ? undefined : WORDS[first];
  if (word === undefined) return NONE;
  for (let at = 1; at < word.length; at += 1) if (bytes[from + at] !== word[at]) return NONE;
  return from + word.length;
}

function behindString(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; ;) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === undefined || byte < 0x20 || byte > 0x7e) return NONE;
    at += 1;
    if (byte !== BACKSLASH) continue;
    const escaped = bytes[at] ?? 0;
    at += 1;
    if (escaped === LETTER_U) {
      for (const end = at + 4; at < end; at += 1) if (!isHexDigit(bytes[at])) return NONE;
    } else if (!ESCAPED.has(escaped)) return NONE;
  }
}

function behindNumber(bytes: Uint8Array, from: number): number {
  let at = bytes[from] === MINUS ? from + 1 : from;
  const digits = at;
  at = behindDigits(bytes, at);
  if (at === digits || (bytes[digits] === ZERO && at > digits + 1)) return NONE;
  if (bytes[at] === POINT) {
    const end = behindDigits(bytes, at + 1);
    if (end === at + 1) return NONE;
    at = end;
  }
  const letter = bytes[at];
  if (letter !== 0x65 && letter !== 0x45) return at;
  const sign = bytes[at + 1];
  const begin = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
  const end = behindDigits(bytes, begin);
  return end === begin ? NONE : end;
}

function behindDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isDigit(bytes[at])) at += 1;
  return at;
}

const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= ZERO && byte <= 0x39;

const isHexDigit = (byte: number | undefined): boolean =>
  isDigit(byte) ||
  (byte !== undefined && ((byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)));
