import {
  NO_LINES,
  rowsOf,
  type LogLines,
  type LogRow,
} from '../../../../shared/runs/launch/log-lines.ts';
import { MAX_PART_BYTES, type LogPart } from '../../../../shared/runs/launch/log-part.ts';

interface Page {
  readonly from: number;
  readonly to: number;
  readonly rows: readonly LogRow[];
}

/** A stretch of a log somewhere in it: pages that follow each other. The one farthest from where a person reads goes. */
export interface LogPages {
  readonly pages: readonly Page[];
  /** Of the file, as the box told last. */
  readonly size: number;
  /** A row keeps its number while pages come before it. */
  readonly lines: LogLines;
}

/** About a megabyte. */
const MAX_PAGES = 4;

export const pagesFrom = (part: LogPart): LogPages => withPages([pageOf(part)], 0, part.size);

export const beginOf = ({ pages }: LogPages): number => pages[0]?.from ?? 0;
export const endOf = ({ pages }: LogPages): number => pages.at(-1)?.to ?? 0;

/** With the part before it; itself where that part is another one. */
export function withEarlier(log: LogPages, part: LogPart): LogPages {
  if (part.to !== beginOf(log) || part.from >= part.to) return log;
  const page = pageOf(part);
  const pages = [page, ...log.pages].slice(0, MAX_PAGES);
  return withPages(pages, log.lines.first - page.rows.length, part.size);
}

/** With the part after it. */
export function withLater(log: LogPages, part: LogPart): LogPages {
  if (part.from !== endOf(log) || part.from >= part.to) return log;
  const all = [...log.pages, pageOf(part)];
  const gone = all.slice(0, -MAX_PAGES).reduce((sum, { rows }) => sum + rows.length, 0);
  return withPages(all.slice(-MAX_PAGES), log.lines.first + gone, part.size);
}

/** The bytes of the part before, and of the one after; null: there is none. */
export function earlierOf(
  log: LogPages,
): (Pick<LogPart, 'from'> & { readonly until: number }) | null {
  const until = beginOf(log);
  return until === 0 ? null : { from: Math.max(0, until - MAX_PART_BYTES), until };
}
export function laterOf(log: LogPages): { readonly from: number; readonly until: number } | null {
  const from = endOf(log);
  return from >= log.size ? null : { from, until: Math.min(log.size, from + MAX_PART_BYTES) };
}

/** The number of the row that begins at this byte, where a page does; null: none. */
export function rowAtPage(log: LogPages, from: number): number | null {
  let number = log.lines.first;
  for (const page of log.pages) {
    if (page.from === from) return number;
    number += page.rows.length;
  }
  return null;
}

const pageOf = ({ from, to, text }: LogPart): Page => ({ from, to, rows: rowsOf(text) });

function withPages(pages: readonly Page[], first: number, size: number): LogPages {
  const rows = pages.flatMap((page) => page.rows);
  return { pages, size, lines: { ...NO_LINES, first, rows } };
}
