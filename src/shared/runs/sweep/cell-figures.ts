import { LogMetricsReader } from '../progress/log-metrics.ts';
import type { SeriesChange } from '../progress/metric-series.ts';

/** The last value of each figure that the end of a cell's log has, or else a file of its results. */
export type CellFigures = Readonly<Record<string, number>>;

/** At a time: as many as a screen shows, and some. */
export const MAX_CELLS_READ = 100;
/** Enough for the last report of a trainer, also behind a bar that rewrites its line. */
export const TAIL_BYTES = 16 * 1024;

/** What resources/onbox/cell-tails.sh printed, by the index of the cell. `progress`: as the request says. Null: not whole. */
export function readCellTails(
  stdout: string,
  mark: string,
  redact: (text: string) => string,
  progress: readonly string[] = [],
): ReadonlyMap<number, CellFigures> | null {
  const parts = stdout.split(`\n${mark} `).slice(1);
  if (parts.at(-1)?.trimEnd() !== 'whole') return null;
  const found = new Map<number, CellFigures>();
  for (const part of parts.slice(0, -1)) {
    const [, index, size] = /^cell (\d{1,7}) (\d{1,15})\n/.exec(part) ?? [];
    if (index === undefined) return null;
    const text = part.slice(part.indexOf('\n') + 1);
    // What begins in the middle of a line may end a number.
    const isCut = Number(size) > TAIL_BYTES;
    found.set(
      Number(index),
      figuresOf(isCut ? text.slice(text.search(/[\r\n]/) + 1) : text, redact, progress),
    );
  }
  return found;
}

function figuresOf(
  text: string,
  redact: (text: string) => string,
  progress: readonly string[],
): CellFigures {
  const reader = new LogMetricsReader(redact, progress);
  reader.take(text, null);
  reader.end(null);
  return newestOf(reader.takeChange()?.changes ?? []);
}

/** The last value of each. */
export function newestOf(series: readonly SeriesChange[]): CellFigures {
  return Object.fromEntries(
    series.flatMap(({ name, values }) => {
      const last = values.at(-1);
      return last === undefined || name === '__proto__' ? [] : [[name, last]];
    }),
  );
}

/** What a person most likely compares cells by; the first of them that there is. */
const LIKELY = [/^(?:val|eval|valid|test)[_/ ].*loss/i, /^loss$/i, /loss/i, /acc/i];

export function likelyFigure(names: readonly string[]): string | null {
  for (const likely of LIKELY) {
    const found = names.find((name) => likely.test(name));
    if (found !== undefined) return found;
  }
  return names[0] ?? null;
}
