import { markedLineAt } from '../../probes/marked-sections.ts';

export interface MarkedPart {
  /** What stands behind the word. */
  readonly rest: string;
  /** What follows its line. */
  readonly text: string;
}

/** More than any script prints; what a box makes up behind them is none. */
const MAX_PARTS = 1000;

/** By their words. Each begins on a line of its own, and the line break before it is not part of what was before. */
export function readMarkedParts(stdout: string, mark: string): ReadonlyMap<string, MarkedPart> {
  const found = new Map<string, MarkedPart>();
  for (const part of stdout.split(`\n${mark} `, MAX_PARTS).slice(1)) {
    const lineEnd = part.indexOf('\n');
    const head = lineEnd < 0 ? part : part.slice(0, lineEnd);
    const space = head.indexOf(' ');
    const [word, rest] =
      space < 0 ? [head, ''] : [head.slice(0, space), head.slice(space + 1).trim()];
    found.set(word, { rest, text: lineEnd < 0 ? '' : part.slice(lineEnd + 1) });
  }
  return found;
}

/** What stands behind the mark in each line that begins with it. A line without it costs nothing: a box may print half a million of them. */
export function* linesBehindMark(stdout: string, mark: string): Generator<string, undefined> {
  for (let at = markedLineAt(stdout, mark, 0); at >= 0;) {
    const end = stdout.indexOf('\n', at);
    const to = end < 0 ? stdout.length : end;
    yield stdout.slice(at + mark.length + 1, to);
    at = markedLineAt(stdout, mark, to);
  }
}
