import {
  classifyGpuToolFailure,
  isGpuToolFailureDetail,
  type GpuToolFailure,
} from './gpu-tool-failure.ts';
import { MAX_LINE_CHARS } from './line-splitter.ts';
import { nonBlankLines, UnreadableLines } from './probe-output.ts';
import type { QueryCell, QueryRow } from './query.ts';

export interface PmonOutput {
  /** One process at one moment, by the names of the columns; `pid` is missing where nothing runs. */
  readonly rows: readonly QueryRow[];
  /** Column names in printed order, of the last header. */
  readonly fields: readonly string[];
  readonly failures: readonly GpuToolFailure[];
  readonly unreadable: readonly string[];
  readonly unreadableCount: number;
}

/** More rows than a person keeps of a stream of processes; what comes after is counted as unreadable. */
const MAX_ROWS = 200_000;
const NAME = /^[A-Za-z][\w.:%/+-]{0,39}$/;
const UNITS: Readonly<Record<string, number>> = { '%': 100, MB: 2 ** 24 };
const LAST = 'command';
const NAME_CHARS = 15;

interface Layout {
  readonly names: readonly string[];
  readonly units: readonly string[] | null;
}

/** Reads `nvidia-smi pmon`: a header of names and one of units as in dmon, then a row for each process and second. */
export function parsePmon(text: string): PmonOutput {
  const rows: QueryRow[] = [];
  const failures: GpuToolFailure[] = [];
  const unreadable = new UnreadableLines();
  let layout: Layout | null = null;
  const lines = nonBlankLines(text);
  for (const [place, line] of lines.entries()) {
    const failure = line.length > MAX_LINE_CHARS ? null : classifyGpuToolFailure(line);
    if (failure !== null) {
      failures.push(failure);
      continue;
    }
    const header: Layout | null = line.length > MAX_LINE_CHARS ? null : headerOf(line, layout);
    if (header !== null) {
      layout = header;
      continue;
    }
    const row = layout === null || rows.length >= MAX_ROWS ? null : rowOf(line, layout);
    const isLast = place === lines.length - 1 && !text.endsWith('\n');
    if (row !== null && !(isLast && isCutName(line))) rows.push(row);
    else if (!isGpuToolFailureDetail(line)) unreadable.add(line);
  }
  return {
    rows,
    fields: layout?.names ?? [],
    failures,
    unreadable: unreadable.lines,
    unreadableCount: unreadable.count,
  };
}

/** Names are cut at 15 characters and filled with blanks up to there: a shorter one at the end of a text may be cut. */
function isCutName(line: string): boolean {
  return !/\s$/.test(line) && (line.split(/\s+/).at(-1)?.length ?? 0) < NAME_CHARS;
}

/** Null: the line is no header. */
function headerOf(line: string, before: Layout | null): Layout | null {
  const words = line.replace(/^\s*#/, '').trim().split(/\s+/);
  if (words.includes('Idx')) {
    return before?.names.length === words.length ? { names: before.names, units: words } : null;
  }
  const isHeader =
    words.includes('gpu') &&
    words.includes('pid') &&
    words.at(-1) === LAST &&
    words.every((word) => NAME.test(word)) &&
    new Set(words).size === words.length;
  return isHeader ? { names: words, units: null } : null;
}

/** Null: it has another number of cells, or a cell holds what cannot stand there. */
function rowOf(line: string, { names, units }: Layout): QueryRow | null {
  if (line.length > MAX_LINE_CHARS) return null;
  const words = line.trim().split(/\s+/);
  if (words.length < names.length) return null;
  // A program's name may hold blanks, and it is the last column.
  const cells = [...words.slice(0, names.length - 1), words.slice(names.length - 1).join(' ')];
  const row = names.map(
    (name, i) => [name, cellOf(name, cells[i] ?? '', units?.[i] ?? null)] as const,
  );
  if (row.some(([, cell]) => cell === null)) return null;
  const read = Object.fromEntries(row as readonly (readonly [string, QueryCell])[]);
  return read['gpu']?.kind === 'value' ? read : null;
}

/** Null: damage. */
function cellOf(name: string, text: string, unit: string | null): QueryCell | null {
  if (text === '-' || text === 'N/A') return { kind: 'missing', because: text };
  const value: QueryCell = { kind: 'value', text, unit: null };
  switch (name) {
    case 'gpu':
    case 'pid':
      return /^\d{1,10}$/.test(text) ? value : null;
    case 'type':
      return /^(?:C|G|M)(?:\+(?:C|G|M))*$/.test(text) ? value : null;
    case 'Date':
      return /^\d{8}$/.test(text) ? value : null;
    case 'Time':
      return /^\d\d:\d\d:\d\d$/.test(text) ? value : null;
    case LAST:
      return /[\x00-\x1f\x7f-\x9f\ufffd]/.test(text) ? null : value;
    default: {
      const max = unit === null ? undefined : UNITS[unit];
      if (max === undefined) return /^[\x21-\x7e]{1,64}$/.test(text) ? value : null;
      return /^\d{1,9}$/.test(text) && Number(text) <= max ? { ...value, unit } : null;
    }
  }
}
