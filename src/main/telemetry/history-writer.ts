import { problem, type Problem } from '../../shared/problem.ts';
import { tierKeptMs } from '../../shared/telemetry/history.ts';
import type { Log } from '../log/log.ts';
import type { HistoryTable } from '../storage/history-table.ts';
import type { BoxHistory } from './box-history.ts';

/** Small steps, so that the window's thread of work is never held for long: about 2 ms each (bench/history.bench.ts). */
const STEP_EVERY_MS = 250;
const BOXES_AT_ONCE = 4;
const RECORDS_AT_ONCE = 500;
const PRUNE_EVERY_MS = 3_600_000;
/** After a refusal (disk full …) the disk is left alone for so long. */
const RETRY_AFTER_MS = 30_000;

export interface HistoryWriterOptions {
  readonly table: HistoryTable;
  readonly boxes: () => Iterable<BoxHistory>;
  readonly log: Pick<Log, 'warn' | 'info'>;
  readonly onProblem: (problem: Problem) => void;
  readonly now?: () => number;
}

/** Brings the histories of all boxes to the disk, a few at a time, and removes what is too old. */
export class HistoryWriter {
  readonly #options: HistoryWriterOptions;
  readonly #now: () => number;
  readonly #prunedAtMs = new Map<number, number>();
  #timer: ReturnType<typeof setInterval> | null = null;
  #refusedAtMs: number | null = null;
  /** Boxes that were forgotten and are still on the disk. */
  #orphans: readonly number[] | null = null;

  constructor(options: HistoryWriterOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** False: what was read lately could not be kept. */
  get isKept(): boolean {
    return this.#refusedAtMs === null;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.step(), STEP_EVERY_MS);
  }

  /** Nothing is left to write. */
  pause(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Stops, and writes what is there; for quitting. */
  close(): void {
    this.pause();
    for (const history of this.#options.boxes()) this.finish(history);
  }

  /** Writes all of one box, which goes. */
  finish(history: BoxHistory): void {
    history.finish();
    this.#write([history]);
  }

  /** A box was forgotten: its records are looked for and removed in the steps that follow. */
  dropOrphans(): void {
    this.#orphans = null;
  }

  /** One small piece of work. */
  step(): void {
    const nowMs = this.#now();
    if (this.#refusedAtMs !== null && nowMs - this.#refusedAtMs < RETRY_AFTER_MS) return;
    const boxes = [...this.#options.boxes()];
    for (const history of boxes) history.settle(nowMs);
    const due = boxes.filter((history) => history.isDue).slice(0, BOXES_AT_ONCE);
    if (due.length > 0) this.#write(due);
    else if (!this.#rollUp(boxes, nowMs)) this.#prune(boxes, nowMs);
  }

  #write(due: readonly BoxHistory[]): void {
    const batches = due.flatMap((history) => {
      const batch = history.batch();
      return batch === null ? [] : [{ history, batch }];
    });
    if (batches.length === 0) return;
    const written = this.#options.table.write(batches.map(({ batch }) => batch));
    if (!written.ok) {
      this.#refused(written.error);
      return;
    }
    for (const { history, batch } of batches) history.saved(batch);
    if (this.#refusedAtMs !== null) this.#options.log.info('the GPU history is kept again');
    this.#refusedAtMs = null;
  }

  #rollUp(boxes: readonly BoxHistory[], nowMs: number): boolean {
    for (const history of boxes) {
      const done = history.rollUp(nowMs);
      if (!done.ok) {
        this.#refused(done.error);
        return true;
      }
      if (done.value) return true;
    }
    return false;
  }

  #prune(boxes: readonly BoxHistory[], nowMs: number): void {
    const { table } = this.#options;
    for (const { box } of boxes) {
      if (box === null) continue;
      if (nowMs - (this.#prunedAtMs.get(box) ?? -Infinity) < PRUNE_EVERY_MS) continue;
      const beforeS = {
        10: secondsBefore(nowMs, tierKeptMs['10s']),
        60: secondsBefore(nowMs, tierKeptMs['1min']),
        3600: secondsBefore(nowMs, tierKeptMs['1h']),
      };
      const removed = table.prune(box, beforeS, RECORDS_AT_ONCE);
      if (!removed.ok) this.#refused(removed.error);
      else if (removed.value === 0) this.#prunedAtMs.set(box, nowMs);
      return;
    }
    this.#dropOneOrphan();
  }

  #dropOneOrphan(): void {
    const { table } = this.#options;
    if (this.#orphans === null) {
      const found = table.orphans();
      if (found.ok) this.#orphans = found.value;
      else this.#refused(found.error);
      return;
    }
    const [box, ...others] = this.#orphans;
    if (box === undefined) return;
    const removed = table.dropOrphan(box, RECORDS_AT_ONCE);
    if (!removed.ok) this.#refused(removed.error);
    else if (removed.value === 0) this.#orphans = others;
  }

  #refused(cause: Problem): void {
    const { log, onProblem } = this.#options;
    log.warn(cause.message, { code: cause.code, detail: cause.detail ?? '' });
    // Said once until it works again; live charts do not need the disk.
    if (this.#refusedAtMs === null) {
      onProblem(
        problem(
          'history-not-kept',
          `GPU charts go on, but their past is not kept: ${cause.message}`,
          {
            detail: cause.detail ?? cause.code,
          },
        ),
      );
    }
    this.#refusedAtMs = this.#now();
  }
}

function secondsBefore(nowMs: number, keptMs: number): number {
  return Math.floor((nowMs - keptMs) / 1000);
}
