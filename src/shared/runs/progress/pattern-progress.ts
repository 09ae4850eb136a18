import { countsOf, progressPatterns, readByPatterns } from './progress-pattern.ts';
import { progressOf, readProgress, type RunProgress } from './run-progress.ts';

/** How far a run is by one line of its log. `said`: how its request says that the log tells it; none: as known trainers do. */
export function progressIn(line: string, said: readonly string[]): RunProgress | null {
  const patterns = progressPatterns(said);
  const own = readByPatterns(line, patterns);
  if (own !== null) {
    const { epochs, steps } = countsOf(own.read);
    // Steps of one epoch, of however many, are not the run.
    if (epochs === null && steps !== null && own.read.epoch !== null) return null;
    if (epochs !== null || steps !== null) return progressOf(epochs, steps, null);
  }
  // Where one of the person's own counts, what other lines count is something else.
  return patterns.some(({ counts: isCount }) => isCount) ? null : readProgress(line);
}
