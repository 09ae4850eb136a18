import { leftByBar, leftByPace, type ProgressMark, type TimeSpan } from './left-time.ts';
import type { RunPosition } from './run-metrics.ts';
import { StepPace } from './step-pace.ts';
import { progressOf, type Count, type LineCounts, type RunProgress } from './run-progress.ts';

/** What one line counts. */
export interface CountedLine extends LineCounts {
  /** `step 10`, without an end. */
  readonly step: number | null;
  /** What tells its bar from others. */
  readonly key: string;
  readonly hasFigures: boolean;
  /** Null: it was there before the log was followed. */
  readonly atMs: number | null;
}

/** Bars within bars: more are not told apart. */
const MAX_COUNTERS = 32;
const MARK_EVERY_MS = 2000;
/** The pace of the last minutes. */
const MAX_MARKS = 90;
/** Nobody rents a box for longer on the word of a progress bar. */
const MAX_LEFT_MS = 400 * 86_400_000;

/** One bar, or one word before a count. */
interface Counter {
  last: Count;
  epoch: number | null;
  /** Of the rounds that are over. */
  before: number;
  rounds: number;
  isOfEpoch: boolean;
  hasFigures: boolean;
}

interface Mark {
  readonly atMs: number;
  readonly done: number;
  readonly progress: RunProgress | null;
}

/** Makes one position of all that a log counts: bars within bars, steps within epochs, an evaluation now and then. */
export class RunCounter {
  readonly #counters = new Map<string, Counter>();
  #main: Counter | null = null;
  #epoch: RunPosition['epoch'] = null;
  /** Of the run, as far as that is known: where figures without a count of their own belong. */
  #step: number | null = null;
  /** `step 10` tells of the whole run, whatever bars there are. */
  #saysStep = false;
  #marks: Mark[] = [];
  #pace = new StepPace();
  #told: { readonly line: CountedLine; readonly position: RunPosition | null } | null = null;
  #line: CountedLine | null = null;

  /** Made when it is asked for: a flood of lines has one position in the end. */
  get position(): RunPosition | null {
    const line = this.#line;
    if (line === null) return null;
    if (this.#told?.line !== line) this.#told = { line, position: this.#positionAt(line) };
    return this.#told.position;
  }

  /** Whether the pace of the newest bar is that of the training: not of an evaluation, nor of what is made ready first. */
  get isMainBar(): boolean {
    return this.#main?.hasFigures === true && this.#main.last === this.#line?.steps;
  }

  /** Answers the step that the figures of this line belong to; null: nothing was counted yet. */
  take(line: CountedLine): number | null {
    const { steps, step } = line;
    this.#takeEpoch(line);
    let own: number | null = null;
    if (steps !== null) {
      const counter = this.#counterOf(line, steps);
      own = counter.before + steps.done;
      const isMain = this.#chooses(counter);
      if (line.hasFigures) counter.hasFigures = true;
      if (!this.#saysStep && (isMain || line.hasFigures)) this.#step = own;
    } else if (step !== null) {
      this.#saysStep = true;
      this.#step = step;
    }
    if (line.hasFigures && this.#main !== null) this.#main.hasFigures = true;
    if (steps !== null || step !== null || line.epoch !== null) this.#move(line);
    return this.#step ?? this.#epoch?.at ?? null;
  }

  /** What was counted so far was something else: only the epoch stays. */
  forgetSteps(): void {
    this.#counters.clear();
    this.#main = null;
    this.#step = null;
    this.#saysStep = false;
    this.#marks = [];
    this.#pace = new StepPace();
  }

  #takeEpoch({ epochs, epoch }: CountedLine): void {
    if (epoch === null) return;
    this.#epoch = { at: epoch, total: epochs?.total ?? this.#epoch?.total ?? null };
  }

  #counterOf({ key, times, isOfEpoch }: CountedLine, now: Count): Counter {
    const name = `${times === null ? 'words' : 'bar'} ${String(now.total)} ${key}`;
    const epoch = this.#epoch?.at ?? null;
    const counter = this.#counters.get(name);
    if (counter === undefined) {
      const made = { last: now, epoch, before: 0, rounds: 0, isOfEpoch, hasFigures: false };
      const [oldest] = this.#counters.keys();
      if (this.#counters.size >= MAX_COUNTERS && oldest !== undefined)
        this.#counters.delete(oldest);
      this.#counters.set(name, made);
      return made;
    }
    const { last } = counter;
    // A bar that was full, or a new epoch. One that falls back for another reason is a run that went on from a checkpoint.
    const isNext =
      epoch === counter.epoch
        ? last.done === last.total
        : (epoch ?? Infinity) > (counter.epoch ?? -1);
    if (now.done < last.done && isNext) {
      counter.before += last.total;
      counter.rounds += 1;
    }
    counter.last = now;
    counter.epoch = epoch;
    return counter;
  }

  /** The bar of the run began before those within it, and one that is full makes room unless the run was told on it. */
  #chooses(counter: Counter): boolean {
    const main = this.#main;
    const isOver = main !== null && main.last.done === main.last.total && !main.hasFigures;
    if (main === null || isOver) this.#main = counter;
    return this.#main === counter;
  }

  #move(line: CountedLine): void {
    this.#line = line;
    const { atMs } = line;
    if (atMs === null) return;
    const last = this.#marks.at(-1);
    // Lines that came together are one mark, of the last of them.
    if (last !== undefined && last.atMs === atMs) this.#marks.pop();
    const now = this.#progressAt(line);
    if (now !== null)
      this.#mark({ atMs, done: now.done, progress: now.isOfRound ? null : now.progress });
  }

  #progressAt({ steps, times }: CountedLine) {
    const epochs =
      this.#epoch !== null && this.#epoch.total !== null
        ? { done: this.#epoch.at, total: this.#epoch.total }
        : null;
    const main = this.#main;
    const inner = main === null ? null : main.last;
    const isOfRound = epochs === null && main !== null && (main.rounds > 0 || main.isOfEpoch);
    const isOwn = steps !== null && inner === steps;
    const progress =
      this.#saysStep && epochs === null ? null : progressOf(epochs, inner, isOwn ? times : null);
    const done = progress?.atLeast ?? this.#step ?? this.#epoch?.at ?? null;
    return done === null ? null : { done, progress, isOfRound };
  }

  #positionAt(line: CountedLine): RunPosition | null {
    const now = this.#progressAt(line);
    if (now === null) return null;
    const { done, progress, isOfRound } = now;
    return {
      unit: progress?.unit ?? (this.#step === null ? 'epoch' : 'step'),
      done,
      total: progress?.total ?? null,
      isOfRound,
      epoch: this.#epoch,
      perS: this.#perS(),
      slowdown: this.#pace.slowdown,
      end: isOfRound ? null : this.#end(),
      atMs: line.atMs,
    };
  }

  #mark(mark: Mark): void {
    const last = this.#marks.at(-1);
    const isOther = last !== undefined && last.progress?.total !== mark.progress?.total;
    if (isOther) this.#pace = new StepPace();
    this.#pace.take(mark.atMs, mark.done);
    if (isOther || (last !== undefined && mark.done < last.done)) this.#marks = [];
    const [before] = this.#marks.slice(-2);
    const isSoon = this.#marks.length > 1 && mark.atMs - (before?.atMs ?? 0) < MARK_EVERY_MS;
    // The newest always counts; those behind it stand some seconds apart.
    if (isSoon) this.#marks.pop();
    this.#marks.push(mark);
    if (this.#marks.length > MAX_MARKS) this.#marks.shift();
  }

  #perS(): number | null {
    const [first, last] = [this.#marks[0], this.#marks.at(-1)];
    if (first === undefined || last === undefined || last.atMs - first.atMs < MARK_EVERY_MS) {
      return null;
    }
    return ((last.done - first.done) / (last.atMs - first.atMs)) * 1000;
  }

  #end(): TimeSpan | null {
    const last = this.#marks.at(-1);
    if (last === undefined || last.progress === null) return null;
    const now: ProgressMark = { atMs: last.atMs, progress: last.progress };
    const first = this.#marks[0];
    const since = first?.progress ?? null;
    const isTold = first !== undefined && last.atMs - first.atMs >= MARK_EVERY_MS;
    const paced =
      isTold && since !== null ? leftByPace({ atMs: first.atMs, progress: since }, now) : null;
    const lefts = [...(paced === null ? [] : [paced]), ...leftByBar(last.progress)];
    if (lefts.length === 0) return null;
    const toMs = Math.max(...lefts.map((left) => left.toMs));
    if (toMs > MAX_LEFT_MS) return null;
    return {
      fromMs: last.atMs + Math.min(...lefts.map((left) => left.fromMs)),
      toMs: last.atMs + toMs,
    };
  }
}
