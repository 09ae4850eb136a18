import { excerpt } from '../probes/probe-output.ts';

const MAX_LINE_CHARS = 300;

/** So many lines of a log's end that say something, each bounded, the newest last. */
export function lastLinesOf(end: string, count: number): readonly string[] {
  return end
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .map((line) => excerpt(line.trimEnd(), MAX_LINE_CHARS));
}
