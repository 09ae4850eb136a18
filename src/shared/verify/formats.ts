import type { ByteSource } from './byte-source.ts';
import { Damaged, type FormatName, type Loaded, type Structure } from './loaded.ts';
import { NumberScan } from './number-scan.ts';
import { readNpy } from './npy.ts';
import { readSafetensors } from './safetensors.ts';
import { TextLines } from './text-lines.ts';
import { StrictUtf8 } from './utf8.ts';

/** A larger one is data, and no settings or summary that a reader holds in memory. */
const MAX_JSON_BYTES = 32 * 1024 * 1024;

/** What a file is read as while it passes by once, from its beginning to its end. It throws `Damaged` where it is not that. */
export interface Reading {
  take(piece: Uint8Array, at: number): void;
  end(): Loaded;
}

type Open = (source: ByteSource) => Reading;

/** By the end of the name: what a file is called is what it will be loaded as. */
const FORMATS: readonly {
  readonly name: FormatName;
  readonly ends: RegExp;
  readonly open: Open;
}[] = [
  { name: 'safetensors', ends: /\.safetensors$/i, open: tensors('safetensors', readSafetensors) },
  { name: 'npy', ends: /\.npy$/i, open: tensors('npy', readNpy) },
  { name: 'json', ends: /\.json$/i, open: json },
  { name: 'jsonl', ends: /\.(?:jsonl|ndjson)$/i, open: jsonLines },
];

/** Null: there is no reader for what the name says. Throws `Damaged` as a reading does. */
export function openReading(name: string, source: ByteSource): Reading | null {
  return FORMATS.find(({ ends }) => ends.test(name))?.open(source) ?? null;
}

export function formatOf(name: string): FormatName | null {
  return FORMATS.find(({ ends }) => ends.test(name))?.name ?? null;
}

function tensors(format: FormatName, read: (source: ByteSource) => Structure): Open {
  return (source) => {
    const { holds, spans } = read(source);
    const scan = new NumberScan(spans);
    return {
      take: (piece, at) => scan.take(piece, at),
      end: () => {
        const numbers = scan.found();
        return { kind: 'loaded', format, holds, ...(numbers === null ? {} : { numbers }) };
      },
    };
  };
}

function json({ sizeBytes }: ByteSource): Reading {
  if (sizeBytes > MAX_JSON_BYTES) {
    return { take: () => undefined, end: () => ({ kind: 'no-reader' }) };
  }
  const whole = new Uint8Array(sizeBytes);
  return {
    take: (piece, at) => whole.set(piece, at),
    end: () => {
      const value = parse(new StrictUtf8().decode(whole), '');
      return { kind: 'loaded', format: 'json', holds: describe(value) };
    },
  };
}

function jsonLines(): Reading {
  let records = 0;
  const lines = new TextLines((line, no) => {
    if (line.trim() === '') return;
    parse(line, ` in line ${String(no)}`);
    records += 1;
  });
  return {
    take: (piece) => lines.take(piece),
    end: () => {
      lines.end();
      return { kind: 'loaded', format: 'jsonl', holds: `${String(records)} records` };
    },
  };
}

/** Python writes numbers that are not finite by names that JSON does not have, and reads them again. */
const NOT_FINITE = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

function parse(text: string, where: string): unknown {
  for (const each of [
    () => text,
    () => text.replace(NOT_FINITE, (found) => (found.startsWith('"') ? found : 'null')),
  ]) {
    try {
      return JSON.parse(each()) as unknown;
    } catch {
      continue;
    }
  }
  throw new Damaged(`it is no valid JSON${where}`);
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${String(value.length)}`;
  if (typeof value === 'object' && value !== null) {
    return `${String(Object.keys(value).length)} fields`;
  }
  return 'one value';
}
