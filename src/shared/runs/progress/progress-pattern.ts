import type { MetricValue } from './metric-line.ts';
import type { Count } from './run-progress.ts';

/** The patterns stand in the run's "about", of which a look reads so much and no more. */
export const MAX_PROGRESS = { patterns: 5, chars: 120 } as const;

/** How a line of a log tells progress, as the person wrote it down: text with named places, such as `step {step}/{total} loss={loss}`. */
export interface ProgressPattern {
  /** What `{*}` separates. Within a chunk a part follows the one before at once. */
  readonly chunks: readonly (readonly PatternPart[])[];
  /** The epoch stands before the steps: they are its own. */
  readonly isOfEpoch: boolean;
  /** It tells how far the run is, and not only figures. */
  readonly counts: boolean;
}

type PatternPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'figure'; readonly name: string };

/** What a line says by such a pattern. */
export interface PatternRead {
  readonly step: number | null;
  readonly total: number | null;
  readonly epoch: number | null;
  readonly epochs: number | null;
  readonly values: readonly MetricValue[];
}

type ReadPattern =
  | { readonly ok: true; readonly pattern: ProgressPattern }
  | { readonly ok: false; readonly error: string };

const NAME = /^[a-z_][a-z0-9_]{0,31}$/;
const EXPECTED = '{step}, {total}, {epoch}, {epochs}, {*} or a name of a–z, digits and _';

export function readProgressPattern(said: string): ReadPattern {
  const no = (error: string): ReadPattern => ({ ok: false, error });
  if (said.trim() === '') return no('Give it a value, or remove the line.');
  if (said.length > MAX_PROGRESS.chars) {
    return no(`Use at most ${String(MAX_PROGRESS.chars)} characters.`);
  }
  if (/[\0-\u0008\u000a-\u001f]/.test(said)) return no('Write it on one line.');
  const text = oneBlank(said.trim());
  const chunks: PatternPart[][] = [[]];
  const names: string[] = [];
  let before: string | null = null;
  for (let at = 0; at < text.length;) {
    if (text[at] === '}') return no(`A “}” without its “{”. Expected ${EXPECTED}.`);
    if (text[at] !== '{') {
      const end = nextBrace(text, at);
      chunks.at(-1)?.push({ kind: 'text', text: text.slice(at, end) });
      before = null;
      at = end;
      continue;
    }
    const close = text.indexOf('}', at);
    const place = close === -1 ? text.slice(at) : text.slice(at, close + 1);
    const name = place.slice(1, -1);
    if (close === -1 || (name !== '*' && !NAME.test(name))) {
      return no(`“${place}” is no placeholder. Expected ${EXPECTED}.`);
    }
    if (before !== null) {
      return no(`Put text between ${before} and ${place}: nobody knows where one ends.`);
    }
    if (name === '*') chunks.push([]);
    else if (names.includes(name)) return no(`${place} stands there twice: name each once.`);
    else {
      names.push(name);
      chunks.at(-1)?.push({ kind: 'figure', name });
    }
    before = place;
    at = close + 1;
  }
  if (names.length === 0) {
    return no('It reads nothing. Put {step}, or a name such as {loss}, in place of a figure.');
  }
  if (names.includes('total') && !names.includes('step')) {
    return no('{total} is how many steps there are: write {step} too, or {epochs} for epochs.');
  }
  if (names.includes('epochs') && !names.includes('epoch')) {
    return no('{epochs} is how many epochs there are: write {epoch} too.');
  }
  const isOfEpoch = names.includes('epoch') && names.indexOf('epoch') < names.indexOf('step');
  return {
    ok: true,
    pattern: {
      chunks: chunks.filter((chunk) => chunk.length > 0),
      isOfEpoch,
      counts: names.includes('step') || names.includes('epoch'),
    },
  };
}

export function progressError(pattern: string): string | null {
  const read = readProgressPattern(pattern);
  return read.ok ? null : read.error;
}

/** What stands in an "about" and is no pattern reads nothing. */
export function progressPatterns(said: readonly string[]): readonly ProgressPattern[] {
  return said.slice(0, MAX_PROGRESS.patterns).flatMap((each) => {
    const read = readProgressPattern(each);
    return read.ok ? [read.pattern] : [];
  });
}

/** By the first of them that fits anywhere in the line. Null: none does. */
export function readByPatterns(
  line: string,
  patterns: readonly ProgressPattern[],
): { readonly at: number; readonly read: PatternRead } | null {
  if (patterns.length === 0) return null;
  const text = oneBlank(line);
  for (const [at, pattern] of patterns.entries()) {
    const read = readByPattern(text, pattern);
    if (read !== null) return { at, read };
  }
  return null;
}

/**
 * Each chunk where it fits first, from left to right, and never looked for again: linear in the line, because what one place of it
 * costs is bounded by the pattern.
 */
function readByPattern(text: string, { chunks }: ProgressPattern): PatternRead | null {
  const found = new Map<string, number>();
  let at = 0;
  for (const chunk of chunks) {
    const end = fitFrom(text, at, chunk, found);
    if (end === null) return null;
    at = end;
  }
  return readOf(found);
}

/** The end of the first place where the chunk fits. */
function fitFrom(
  text: string,
  from: number,
  chunk: readonly PatternPart[],
  found: Map<string, number>,
): number | null {
  const [first] = chunk;
  for (let at = from; at < text.length; at += 1) {
    if (first?.kind === 'text') {
      at = text.indexOf(first.text, at);
      if (at === -1) return null;
    } else if (!beginsFigure(text, at)) continue;
    const end = fitAt(text, at, chunk, found);
    if (end !== null) return end;
  }
  return null;
}

/** One of ours, sticky and bounded; a figure with commas only where the pattern has none behind it. */
const FIGURE =
  /[-+]?(?:(?:\d{1,18}(?:\.\d{1,20})?|\.\d{1,20})(?:[eE][-+]?\d{1,3})?|[nN]a[nN]|[iI]nf(?:inity)?)/y;
const GROUPED = /[-+]?\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,20})?(?![\d,])/y;

function fitAt(
  text: string,
  from: number,
  chunk: readonly PatternPart[],
  found: Map<string, number>,
): number | null {
  let at = from;
  for (const [index, part] of chunk.entries()) {
    if (part.kind === 'text') {
      if (!text.startsWith(part.text, at)) return null;
      at += part.text.length;
      continue;
    }
    // Figures that stand below one another are filled up with blanks.
    if (text[at] === ' ') at += 1;
    const next = chunk[index + 1];
    const hasComma = next?.kind === 'text' && next.text.startsWith(',');
    const said = (hasComma ? null : matchAt(GROUPED, text, at)) ?? matchAt(FIGURE, text, at);
    if (said === null) return null;
    const value = numberOf(said);
    if (!isFine(part.name, value)) return null;
    at += said.length;
    // "1.2k" and "0.5.1" are no figures that are known.
    if (next === undefined && /^(?:\w|[.,]\d)/.test(text.slice(at, at + 2))) return null;
    found.set(part.name, value);
  }
  return at;
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

const BEGINS: ReadonlySet<string> = new Set('-+.0123456789nNiI');
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isWord = (code: number): boolean =>
  isDigit(code) || code === 95 || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

/** Not in the middle of a word, of a version, or behind the comma of a greater figure. Asked of every place: no regular expression. */
function beginsFigure(text: string, at: number): boolean {
  if (!BEGINS.has(text.charAt(at))) return false;
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  if (isWord(before) || before === 46) return false;
  return before !== 44 || at === 1 || !isDigit(text.charCodeAt(at - 2));
}

function numberOf(said: string): number {
  if (/n$/i.test(said)) return NaN;
  if (/inf/i.test(said)) return said.startsWith('-') ? -Infinity : Infinity;
  return Number(said.replaceAll(',', ''));
}

const isCount = (name: string): boolean => ['step', 'total', 'epochs'].includes(name);

/** A count is a whole number; an epoch may be a part of one. */
function isFine(name: string, value: number): boolean {
  if (isCount(name)) return Number.isSafeInteger(value) && value >= (name === 'step' ? 0 : 1);
  return name !== 'epoch' || (Number.isFinite(value) && value >= 0);
}

function readOf(found: ReadonlyMap<string, number>): PatternRead {
  const { step = null, total = null, epoch = null, epochs = null } = Object.fromEntries(found);
  const values = [...found]
    .filter(([name]) => !isCount(name) && name !== 'epoch')
    .map(([name, value]) => ({ name, value }));
  return { step, total, epoch, epochs, values };
}

/** What such a line counts up to an end. */
export function countsOf({ step, total, epoch, epochs }: PatternRead): {
  readonly epochs: Count | null;
  readonly steps: Count | null;
} {
  const upTo = (done: number | null, end: number | null): Count | null =>
    done !== null && end !== null && done <= end ? { done, total: end } : null;
  return { epochs: upTo(epoch, epochs), steps: upTo(step, total) };
}

function nextBrace(text: string, from: number): number {
  const ends = ['{', '}'].map((brace) => text.indexOf(brace, from)).filter((at) => at !== -1);
  return Math.min(text.length, ...ends);
}

/** Trainers fill up with blanks, and a person writes one. */
const oneBlank = (text: string): string => text.replace(/\t[ \t]*| [ \t]+/g, ' ');
