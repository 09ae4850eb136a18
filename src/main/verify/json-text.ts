import type { ByteSource } from './byte-source.ts';
import { plural } from './plural.ts';
import { Damaged } from './damage.ts';
import type { Format, Reading } from './reading.ts';
import { TextLines } from './text-lines.ts';
import { decodeText } from './utf8.ts';

export const json: Format = { name: 'json', ends: /\.json$/i, open: openJson };
export const jsonl: Format = { name: 'jsonl', ends: /\.(?:jsonl|ndjson)$/i, open: openJsonLines };

/** A larger one is data, and no settings or summary that a reader holds in memory. */
export const MAX_JSON_BYTES = 32 * 1024 * 1024;

function openJson({ sizeBytes }: ByteSource): Reading {
  if (sizeBytes > MAX_JSON_BYTES) {
    return { take: () => undefined, end: () => ({ kind: 'no-reader' }) };
  }
  const whole = new Uint8Array(sizeBytes);
  return {
    take: (piece, at) => whole.set(piece, at),
    end: () => {
      const value = parseJson(decodeText(whole), '');
      return { kind: 'loaded', format: 'json', holds: describe(value) };
    },
  };
}

function openJsonLines(): Reading {
  let records = 0;
  const lines = new TextLines((line, no) => {
    if (line.trim() === '') return;
    parseJson(line, ` in line ${String(no)}`);
    records += 1;
  });
  return {
    take: (piece) => lines.take(piece),
    end: () => {
      lines.end();
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
