import { plainLogText } from '../launch/log-text.ts';
import { FigureTable } from './figure-table.ts';
import { isTraining, readMetricLine } from './metric-line.ts';
import {
  countsOf,
  progressPatterns,
  readByPatterns,
  type PatternRead,
  type ProgressPattern,
} from './progress-pattern.ts';
import { RunCounter } from './run-counter.ts';
import type { RunMetricsDelta, RunPosition } from './run-metrics.ts';
import { readCounts } from './run-progress.ts';
import { SeriesSet } from './series-set.ts';

/** Of a line; figures stand at its end, where it is longer. */
const MAX_LINE_CHARS = 2000;
/** Without one of these a line has neither a count nor a figure: found far quicker than what it says. */
const MAY_TELL = /\d|[nN]a[nN]|[iI]nf|_loss/;

/**
 * Reads a log as it comes, line by line: what it counts, and the figures of a training. A bar that rewrites its line is many lines
 * here. Linear in what comes, and bounded in what it keeps.
 */
export class LogMetricsReader {
  readonly #counter = new RunCounter();
  readonly #table = new FigureTable();
  readonly #series: SeriesSet;
  readonly #patterns: readonly ProgressPattern[];
  /** The person's own patterns have counted: what other lines count is something else. */
  #countsByPattern = false;
  #half = '';
  #toldPosition: RunPosition | null = null;
  #toldLeftOut = 0;

  /** `progress`: how the person said that this log tells it; tried before what is known of trainers. */
  constructor(redact: (text: string) => string, progress: readonly string[] = []) {
    this.#series = new SeriesSet(redact);
    this.#patterns = progressPatterns(progress);
  }

  /** `atMs` null: the text was in the log before it was followed. */
  take(text: string, atMs: number | null): void {
    const all = this.#half + text;
    let at = 0;
    for (let i = 0; i <= all.length; i += 1) {
      const code = i < all.length ? all.charCodeAt(i) : -1;
      if (code !== 10 && code !== 13) continue;
      if (i > at) this.#line(all.slice(Math.max(at, i - MAX_LINE_CHARS), i), atMs);
      at = i + 1;
    }
    this.#half = all.slice(Math.max(at, all.length - MAX_LINE_CHARS));
  }

  /** The last line has no end yet, and gets none any more. */
  end(atMs: number | null): void {
    if (this.#half !== '') this.#line(this.#half, atMs);
    this.#half = '';
  }

  /** Whether it has a figure that can be drawn. */
  get hasSeries(): boolean {
    return this.#series.size > 0;
  }

  /** Further figures that are not kept. */
  get leftOut(): number {
    return this.#series.leftOut;
  }

  /** All figures are news again. */
  retell(): void {
    this.#series.retell();
    this.#toldLeftOut = 0;
  }

  /** What is new since the last time; null: nothing. */
  takeChange(): RunMetricsDelta | null {
    const changes = this.#series.takeChanges();
    const { position } = this.#counter;
    const { leftOut } = this.#series;
    const delta: RunMetricsDelta = {
      ...(changes.length > 0 && { changes }),
      ...(position !== this.#toldPosition && { position }),
      ...(leftOut !== this.#toldLeftOut && { leftOut }),
    };
    this.#toldPosition = position;
    this.#toldLeftOut = leftOut;
    return Object.keys(delta).length === 0 ? null : delta;
  }

  #line(raw: string, atMs: number | null): void {
    if (!MAY_TELL.test(raw)) return;
    const line = plainLogText(raw);
    const own = readByPatterns(line, this.#patterns);
    if (own !== null) {
      this.#byPattern(own.read, own.at, atMs);
      return;
    }
    const row = this.#table.read(line);
    const told = readCounts(line);
    const counts = this.#countsByPattern ? { ...told, steps: null, times: null } : told;
    const figures = row === null ? readMetricLine(line) : null;
    const values = row?.values ?? figures?.values ?? [];
    const step = this.#countsByPattern ? null : (figures?.step ?? null);
    const epochs = row?.epochs ?? counts.epochs;
    const epoch = epochs?.done ?? counts.epoch ?? figures?.epoch ?? null;
    const counted = counts.steps !== null || step !== null || epoch !== null;
    if (!counted && values.length === 0) return;
    const tells = counted || row !== null || values.some(({ name }) => isTraining(name));
    const key = counts.times === null ? '' : keyOf(line);
    const hasFigures = tells && values.length > 0;
    const at = this.#counter.take({ ...counts, epochs, epoch, step, key, hasFigures, atMs });
    if (!tells) return;
    for (const { name, value } of values) this.#series.add(name, at, atMs, value);
    const speed = figures?.speed ?? null;
    const isOfTraining = told.steps === null ? hasFigures : this.#counter.isMainBar;
    if (speed !== null && isOfTraining) this.#series.add(speed.name, at, atMs, speed.value);
  }

  /** What the person named is all that such a line says. */
  #byPattern(read: PatternRead, at: number, atMs: number | null): void {
    const { step, epoch, values } = read;
    if (step !== null && !this.#countsByPattern) {
      this.#countsByPattern = true;
      this.#counter.forgetSteps();
    }
    const { epochs, steps } = countsOf(read);
    const belongsTo = this.#counter.take({
      ...{ epochs, epoch, steps },
      step: steps === null ? step : null,
      isOfEpoch: this.#patterns[at]?.isOfEpoch === true,
      times: null,
      key: `pattern ${String(at)}`,
      hasFigures: values.length > 0,
      atMs,
    });
    for (const { name, value } of values) this.#series.add(name, belongsTo, atMs, value);
  }
}

/** What stands before a bar, without its figures: `Epoch 3:  45%|███` and `Epoch 4:   2%|` are the same bar. */
function keyOf(line: string): string {
  const end = line.indexOf('%|');
  return end === -1 ? '' : line.slice(Math.max(0, end - 60), end).replace(/[\d\s]+/g, '');
}
