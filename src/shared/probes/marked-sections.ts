import { MAX_LINE_CHARS } from './line-splitter.ts';
import { filledLines, UnreadableLines } from './probe-output.ts';

/**
 * The output of an on-box script whose parts stand between "<mark> begin <name>" and "<mark> end <name> <code>". The mark
 * is new each time, so whatever else a box prints (a banner, another program) cannot pretend to be one.
 */
export interface MarkedSections {
  /** Null: not there, or cut off before its end. `maxLines`: the first ones, for what is read in one turn: a box may print lines without end. */
  readonly text: (name: string, maxLines?: number) => string | null;
  /** The exit code of what filled the section; null: not told. */
  readonly code: (name: string) => number | null;
  /** What stands behind "<mark> <word> " on lines that are neither begin nor end. */
  readonly notes: (word: string) => readonly string[];
  /** The first lines outside of all sections. */
  readonly outside: readonly string[];
}

export function readMarkedSections(stdout: string, mark: string): MarkedSections {
  const texts = new Map<string, string>();
  const codes = new Map<string, number>();
  const notes = new Map<string, string[]>();
  const outside = new UnreadableLines();
  let open: { readonly name: string; readonly parts: string[] } | null = null;
  const takeMark = (said: string): void => {
    const [word = '', name = '', code = ''] = said.trim().split(' ');
    if (word === 'begin') open = { name, parts: [] };
    else if (word === 'end') {
      if (open?.name === name) texts.set(name, open.parts.join('\n'));
      if (/^\d{1,3}$/.test(code)) codes.set(name, Number(code));
      open = null;
    } else if (notes.get(word)?.push(name) === undefined) notes.set(word, [name]);
  };
  const takeLines = (lines: string): void => {
    if (open !== null) open.parts.push(cutLines(lines));
    else for (const line of filledLines(lines)) if (line.trim() !== '') outside.add(line);
  };
  for (let from = 0; from <= stdout.length;) {
    const at = markedLineAt(stdout, mark, from);
    const until = at < 0 ? stdout.length : at - 1;
    if (until >= from) takeLines(stdout.slice(from, until));
    if (at < 0) break;
    const end = stdout.indexOf('\n', at);
    const to = end < 0 ? stdout.length : end;
    takeMark(stdout.slice(at + mark.length + 1, to));
    from = to + 1;
  }
  return {
    text: (name, maxLines = Infinity) => firstLines(texts.get(name) ?? null, maxLines),
    code: (name) => codes.get(name) ?? null,
    notes: (word) => notes.get(word) ?? [],
    outside: outside.lines,
  };
}

/** Where the next line begins, from that place on, that has the mark in front; -1: none does. What has none costs next to nothing. */
export function markedLineAt(stdout: string, mark: string, from: number): number {
  let at = stdout.indexOf(`${mark} `, from);
  while (at > 0 && stdout[at - 1] !== '\n') at = stdout.indexOf(`${mark} `, at + 1);
  return at;
}

function firstLines(text: string | null, count: number): string | null {
  // A line takes a character at least.
  if (text === null || text.length < count) return text;
  let end = -1;
  for (let lines = 0; lines < count; lines += 1) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) return text;
  }
  return text.slice(0, end);
}

/** Each line as long as a line may be; nearly always the text as it is. */
function cutLines(text: string): string {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    if (to - from > MAX_LINE_CHARS) {
      return text
        .split('\n')
        .map((line) => line.slice(0, MAX_LINE_CHARS))
        .join('\n');
    }
    from = to + 1;
  }
  return text;
}
