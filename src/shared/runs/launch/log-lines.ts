import { plainLogText } from './log-text.ts';

/** One row of a log. */
export interface LogRow {
  /** What a progress bar left of it; escape sequences and all. Hostile. */
  readonly text: string;
  /** So many characters of a very long line are not kept. */
  readonly leftOut: number;
}

/** The row that is still being written. */
interface OpenRow extends LogRow {
  /** What comes next is written over it. */
  readonly isReturned: boolean;
}

/**
 * The newest rows of a log. Text is split as it comes, and what was split stays as it is. The arrays grow in place and each piece
 * gives a new outer object: whoever still holds an older one sees later rows as well, each under its own number.
 */
export interface LogLines {
  /** The number of the first row that is kept; a row keeps its number while older ones go. */
  readonly first: number;
  /** Those that have ended. */
  readonly rows: readonly LogRow[];
  readonly open: OpenRow | null;
  /** The numbers of the rows that tell of an error, among `rows`. */
  readonly errors: readonly number[];
  readonly chars: number;
}

export const NO_LINES: LogLines = { first: 0, rows: [], open: null, errors: [], chars: 0 };

/** A person reads back some screens of it; the whole log is on the box. The oldest rows go. */
export const MAX_ROWS = 10_000;
export const MAX_CHARS = 1024 * 1024;
/** Cut below the bounds, so that a flood does not move all rows with each piece. */
const KEPT = 0.75;
/** Of a line without an end. */
export const MAX_ROW_CHARS = 8000;
/** Where a piece leaves less than one part in so many, its rows are copied: a part of a text keeps all of it in memory. */
const COPIED_BELOW = 4;

/** Begins with a text of its own, so that nothing is shared with another log. */
export function readLog(text: string): LogLines {
  return addText({ ...NO_LINES, rows: [], errors: [] }, text);
}

/** What comes next does not follow what is there: the rows go, and their numbers are not given again. */
export function withoutRows({ first, rows }: LogLines): LogLines {
  return { ...NO_LINES, first: first + rows.length + 1, rows: [], errors: [] };
}

/** Takes `log` over. A log that grows by 20 MB/s brings 5 MB at a time, for which a frame has room (5 ms on two shared cores). */
export function addText(log: LogLines, more: string, maxRows = MAX_ROWS): LogLines {
  if (more === '') return log;
  const from = beginOf(more);
  const text = from === 0 ? more : copyOf(more.slice(from));
  // What a flood brings beyond the bound is not even looked at.
  const before = from === 0 ? log : withoutRows(log);
  const rows = before.rows as LogRow[];
  const errors = before.errors as number[];
  const had = { rows: rows.length, chars: before.chars };
  let { first, open, chars } = before;
  let at = 0;
  let returns = text.indexOf('\r');
  let hint = hintFrom(text, 0);
  for (let end = text.indexOf('\n', at); end !== -1; end = text.indexOf('\n', at)) {
    // Also where its beginning came with the piece before.
    const mayTell = open !== null || (hint !== -1 && hint < end);
    const isSimple = open === null && (returns === -1 || returns > end);
    const row = isSimple ? simpleRow(text, at, end) : endedRow(extended(open, text.slice(at, end)));
    if (mayTell && isErrorText(row.text)) errors.push(first + rows.length);
    rows.push(row);
    chars += row.text.length + 1;
    open = null;
    at = end + 1;
    if (returns !== -1 && returns < at) returns = text.indexOf('\r', at);
    if (hint !== -1 && hint < at) hint = hintFrom(text, at);
  }
  if (at < text.length) open = extended(open, text.slice(at));
  if ((chars - had.chars + (open?.text.length ?? 0)) * COPIED_BELOW < text.length) {
    for (let i = had.rows; i < rows.length; i += 1) {
      const row = rows[i];
      if (row !== undefined) rows[i] = { ...row, text: copyOf(row.text) };
    }
    if (open !== null) open = { ...open, text: copyOf(open.text) };
  }
  const gone = countToDrop(rows, chars, maxRows);
  if (gone === 0) return { first, rows, open, errors, chars };
  for (let i = 0; i < gone; i += 1) chars -= (rows[i]?.text.length ?? 0) + 1;
  first += gone;
  // Not in place: the numbers of an older object count from where its rows began.
  return {
    first,
    rows: rows.slice(gone),
    open,
    errors: errors.filter((number) => number >= first),
    chars,
  };
}

/** The rows of a part of a log, all of them: whoever asks for the part has bounded it. */
export function rowsOf(text: string): readonly LogRow[] {
  const { rows, open } = addText({ ...NO_LINES, rows: [], errors: [] }, text, Infinity);
  return open === null ? rows : [...rows, open];
}

function simpleRow(text: string, at: number, end: number): LogRow {
  const to = Math.min(end, at + MAX_ROW_CHARS);
  return { text: text.slice(at, to), leftOut: end - to };
}

function endedRow(open: OpenRow | null): LogRow {
  return { text: open?.text ?? '', leftOut: open?.leftOut ?? 0 };
}

/** Where the part of a text begins that may be kept: behind a line end, where there is one. */
function beginOf(text: string): number {
  if (text.length <= MAX_CHARS) return 0;
  const from = text.length - MAX_CHARS * KEPT;
  return text.indexOf('\n', from) + 1 || from;
}

/** The open row with more text: a carriage return begins it again, and at its end it waits for what comes. */
function extended(open: OpenRow | null, piece: string): OpenRow | null {
  let end = piece.length;
  while (end > 0 && piece.charCodeAt(end - 1) === 13) end -= 1;
  const isReturned = end < piece.length;
  if (end === 0) {
    return open === null ? null : { ...open, isReturned: open.isReturned || isReturned };
  }
  const begin = piece.lastIndexOf('\r', end - 1) + 1;
  const kept = begin > 0 || open === null || open.isReturned ? null : open;
  const room = MAX_ROW_CHARS - (kept?.text.length ?? 0);
  const added = piece.slice(begin, Math.min(end, begin + room));
  return {
    text: (kept?.text ?? '') + added,
    leftOut: (kept?.leftOut ?? 0) + (end - begin - added.length),
    isReturned,
  };
}

/** How many of the oldest have to go: none, or so many that there is room for a while. */
function countToDrop(rows: readonly LogRow[], chars: number, maxRows: number): number {
  const isOver = chars > MAX_CHARS;
  let gone = rows.length > maxRows ? Math.ceil(rows.length - maxRows * KEPT) : 0;
  let left = chars;
  for (let i = 0; i < gone; i += 1) left -= (rows[i]?.text.length ?? 0) + 1;
  while (isOver && left > MAX_CHARS * KEPT && gone < rows.length) {
    left -= (rows[gone]?.text.length ?? 0) + 1;
    gone += 1;
  }
  return gone;
}

/** A text that keeps no other one in memory: V8 writes two joined texts into a new place once a part of them is asked for. */
function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}

/** How many rows there are, with the one that is being written. */
export function countRows({ rows, open }: LogLines): number {
  return rows.length + (open === null ? 0 : 1);
}

/** The row of this number; null: it is gone, or not there yet. */
export function rowOf(log: LogLines, number: number): LogRow | null {
  const index = number - log.first;
  return index === log.rows.length ? log.open : (log.rows[index] ?? null);
}

/** Where an error is told: as Python, C++, CUDA, shells and loggers begin or name one; no metric of that name. */
const ERROR =
  /Traceback \(most recent call last\)|(?:Error|Exception)(?::(?!\s?[-+.\d]|\s?(?:nan|inf)\b)|$)|(?:^|[:\]] )(?:fatal )?error: |\bCUDA (?:error|out of memory)\b|\b(?:CRITICAL|FATAL|ERROR)\b|\bOutOfMemory|\bNCCL (?:error|failure)|[Ss]egmentation fault|\bcore dumped\b|\bBus error\b|\bterminate called\b|\bNo space left on device\b|: command not found\b|^Killed\b/;
/** Without one of these no row tells of an error: found in a whole piece at once, which is far quicker than row by row. grep reads it too. */
export const ERROR_HINT =
  'Traceback|E(rror|xception|RROR)|error:|CUDA|CRITICAL|FATAL|OutOfMemory|NCCL|fault|dumped|Bus|terminate|No space|not found|Killed';
const HINT = new RegExp(ERROR_HINT, 'g');

function hintFrom(text: string, at: number): number {
  HINT.lastIndex = at;
  return HINT.exec(text)?.index ?? -1;
}

/** Where a line says it, it does so at its beginning. */
const MAX_TOLD_CHARS = 400;

/** Whether a line tells of an error. A look at each line by itself: what ended a run, the triage tells from the whole end. */
export function isErrorText(text: string): boolean {
  return ERROR.test(plainLogText(text.slice(0, MAX_TOLD_CHARS)).trimEnd());
}

/** The first whole line of a text that tells of an error, as it can be shown; null: none does. */
export function firstErrorIn(text: string): string | null {
  for (let hint = hintFrom(text, 0); hint !== -1;) {
    // No further back than its own line: a log of nothing but lines that may tell of an error would be gone through for each of them.
    const lineBegin = text.lastIndexOf('\n', hint) + 1;
    const begin = lineBegin + text.slice(lineBegin, hint).lastIndexOf('\r') + 1;
    const lineEnd = text.indexOf('\n', hint);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const line = text.slice(begin, Math.min(end, begin + MAX_TOLD_CHARS));
    if (isErrorText(line)) return plainLogText(line).trim();
    hint = hintFrom(text, end);
  }
  return null;
}

/** The first row that tells of an error; null: none of those that are kept does. */
export function firstError(log: LogLines): number | null {
  const found = log.errors[0];
  if (found !== undefined) return found;
  const isOpenOne = log.open !== null && isErrorText(log.open.text);
  return isOpenOne ? log.first + log.rows.length : null;
}

/** The rows that have a text, in order. */
export interface FoundRows {
  readonly query: string;
  readonly numbers: readonly number[];
  /** In which state of the log they were looked for. */
  readonly in: LogLines;
  /** The rows before this one have ended, and need no second look. */
  readonly upTo: number;
}

/** Looks for the text, in whatever case; rows that were looked through for it before are not looked through again. */
export function findRows(log: LogLines, query: string, before: FoundRows | null): FoundRows {
  if (before?.in === log && before.query === query) return before;
  const wanted = query.toLowerCase();
  const known = before?.query === query ? before : null;
  const upTo = Math.max(log.first, known?.upTo ?? log.first);
  const numbers = (known?.numbers ?? []).filter((each) => each >= log.first && each < upTo);
  const ended = log.first + log.rows.length;
  const all = ended + (log.open === null ? 0 : 1);
  for (let number = upTo; number < all && wanted !== ''; number += 1) {
    const row = rowOf(log, number);
    if (row !== null && plainLogText(row.text).toLowerCase().includes(wanted)) numbers.push(number);
  }
  return { query, numbers, in: log, upTo: Math.max(upTo, ended) };
}

/** The one after `current`, or before it, round the end; null: there is none. */
export function nextFound(
  { numbers }: FoundRows,
  current: number | null,
  step: 'next' | 'previous',
): number | null {
  if (step === 'next') {
    const next = current === null ? undefined : numbers.find((each) => each > current);
    return next ?? numbers[0] ?? null;
  }
  const before = current === null ? [] : numbers.filter((each) => each < current);
  return before.at(-1) ?? numbers.at(-1) ?? null;
}
