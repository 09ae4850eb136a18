import { MAX_LINE_CHARS } from './line-splitter.ts';
import { UnreadableLines } from './probe-output.ts';

/**
 * The output of an on-box script whose parts stand between "<mark> begin <name>" and "<mark> end <name> <code>". The mark
 * is new each time, so whatever else a box prints (a banner, another program) cannot pretend to be one.
 */
export interface MarkedSections {
  /** Null: not there, or cut off before its end. */
  readonly text: (name: string) => string | null;
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
  let open: { readonly name: string; readonly lines: string[] } | null = null;
  for (const line of stdout.split('\n')) {
    if (line.startsWith(`${mark} `)) {
      const [word = '', name = '', code = ''] = line
        .slice(mark.length + 1)
        .trim()
        .split(' ');
      if (word === 'begin') open = { name, lines: [] };
      else if (word === 'end') {
        if (open?.name === name) texts.set(name, open.lines.join('\n'));
        if (/^\d{1,3}$/.test(code)) codes.set(name, Number(code));
        open = null;
      } else if (notes.get(word)?.push(name) === undefined) notes.set(word, [name]);
    } else if (open !== null) open.lines.push(line.slice(0, MAX_LINE_CHARS));
    else if (line.trim() !== '') outside.add(line);
  }
  return {
    text: (name) => texts.get(name) ?? null,
    code: (name) => codes.get(name) ?? null,
    notes: (word) => notes.get(word) ?? [],
    outside: outside.lines,
  };
}
