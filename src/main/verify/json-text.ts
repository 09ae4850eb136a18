import type { ByteSource } from './byte-source.ts';
import { plural } from './plural.ts';
import { Damaged, NotLoadable } from './damage.ts';
import { plainLines } from './plain-json.ts';
import type { Format, Reading } from './reading.ts';
import { MAX_LINE_CHARS, TextLines } from './text-lines.ts';
import { decodeText } from './utf8.ts';

export const json: Format = { name: 'json', ends: /\.json$/i, open: openJson };
export const jsonl: Format = { name: 'jsonl', ends: /\.(?:jsonl|ndjson)$/i, open: openJsonLines };

/** A larger one is data, and no settings or summary that a reader holds in memory. */
export const MAX_JSON_BYTES = 32 * 1024 * 1024;
/** Looked through at a time for the end of a line. */
const FIRST_LINE_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;
const BLANKS = Buffer.from(' \t\r\n');

function openJson(source: ByteSource): Reading {
  if (holdsLines(source)) return openJsonLines();
  const { sizeBytes } = source;
  if (sizeBytes > MAX_JSON_BYTES) {
    return { take: () => undefined, end: () => ({ kind: 'no-reader' }) };
  }
  const whole = new Uint8Array(sizeBytes);
  return {
    take: (piece, at) => whole.set(piece, at),
    end: () => {
      const text = decodeText(whole);
      // As pandas writes the records of an empty table.
      if (text === '\n') throw new NotLoadable('it holds no record');
      const value = parseJson(text, '');
      return { kind: 'loaded', format: 'json', holds: describe(value) };
    },
  };
}

/**
 * Whether what is called JSON has a record in each line, as pandas and datasets write it under that name: its first line is a whole record
 * or list, and there is more behind it.
 */
export function holdsLines(source: ByteSource): boolean {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < Math.min(source.sizeBytes, MAX_LINE_CHARS); at += FIRST_LINE_BYTES) {
    const piece = source.read(at, Math.min(FIRST_LINE_BYTES, source.sizeBytes - at));
    const end = piece.indexOf(LINE_FEED);
    pieces.push(end === -1 ? piece : piece.subarray(0, end));
    if (end === -1) continue;
    const first = Buffer.concat(pieces).toString().trim();
    return /^[[{]/.test(first) && isJson(first) && hasText(source, at + end + 1);
  }
  return false;
}

function hasText(source: ByteSource, from: number): boolean {
  for (let at = from; at < source.sizeBytes; at += FIRST_LINE_BYTES) {
    const piece = source.read(at, Math.min(FIRST_LINE_BYTES, source.sizeBytes - at));
    if (piece.some((byte) => !BLANKS.includes(byte))) return true;
  }
  return false;
}

function isJson(text: string): boolean {
  try {
    parseJson(text, '');
    return true;
  } catch {
    return false;
  }
}

/** Of a line that is longer, the beginning is not held for the rest of it. */
const MOST_HELD_BYTES = 64 * 1024;

function openJsonLines(): Reading {
  let [lines, records] = [0, 0];
  let held: Uint8Array = new Uint8Array(0);
  let others: TextLines | null = null;
  /** From a line on that is not plain, each is read as the text that it is. */
  const readText = (bytes: Uint8Array): void => {
    if (others === null) {
      const before = Math.max(0, lines - 1);
      others = new TextLines((line, no) => {
        if (line.trim() === '') return;
        parseJson(line, ` in line ${String(before + no)}`);
        records += 1;
      });
      // A mark of the order of bytes is one at the beginning of a file alone.
      if (lines > 0) others.take(Uint8Array.of(LINE_FEED));
    }
    others.take(bytes);
  };
  const take = (piece: Uint8Array, isLast: boolean): void => {
    if (others !== null) {
      readText(piece);
      return;
    }
    const bytes = held.length === 0 ? piece : Buffer.concat([held, piece]);
    const plain = plainLines(bytes, 0, isLast);
    lines += plain.lines;
    records += plain.records;
    const rest = bytes.subarray(plain.end);
    const isCut = !isLast && rest.length <= MOST_HELD_BYTES && !rest.includes(LINE_FEED);
    // A piece is read into again once it was taken.
    held = isCut ? Uint8Array.from(rest) : new Uint8Array(0);
    if (!isCut && rest.length > 0) readText(rest);
  };
  return {
    take: (piece) => take(piece, false),
    end: () => {
      take(new Uint8Array(0), true);
      others?.end();
      return { kind: 'loaded', format: 'jsonl', holds: plural(records, 'record') };
    },
  };
}

/**
 * Python writes numbers that are not finite by names that JSON does not have, and reads them again. A string without its end goes on to the end of
 * all: it would be looked for from each quote in it anew.
 */
const NOT_FINITE = /"(?:[^"\\]+|\\[^]?)*"?|-?\b(?:NaN|Infinity)\b/g;

/** @param where To end a clause with. */
export function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // It may still be what Python writes.
  }
  try {
    const finite = text.replace(NOT_FINITE, (found) => (found.startsWith('"') ? found : 'null'));
    return JSON.parse(finite) as unknown;
  } catch {
    // Told below.
  }
  throw new Damaged(`it is no valid JSON${where}`);
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${String(value.length)}`;
  if (typeof value === 'object' && value !== null) {
    return plural(Object.keys(value).length, 'field');
  }
  return 'one value';
}
