import { BoxRecorder, type Instant, type LedgerChange } from '../../shared/meter/box-recorder.ts';
import type {
  Charge,
  Correction,
  Interval,
  Phase,
  Transfer,
} from '../../shared/meter/interval.ts';
import type { IdleSpan } from '../../shared/meter/idle.ts';
import { countedPart, effectiveIntervals, type Ledger } from '../../shared/meter/ledger.ts';
import { tailOf } from '../../shared/meter/tail.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { StoredChange, StoredLedger } from '../storage/ledger-table.ts';
import { IdleKeeper } from './idle-keeper.ts';

/** A line that a person typed. */
export type TypedLine = Pick<Interval, 'fromMs' | 'ms' | 'phase' | 'charges'>;

const SETTLED: Readonly<Record<Phase, string>> = {
  running: 'You said that it was running.',
  stopped: 'You said that it was stopped.',
  destroyed: 'You said that it was destroyed.',
};

/** One box's ledger in memory, with what is not written down yet. */
export class BoxAccount {
  readonly recorder: BoxRecorder;
  readonly idle: IdleKeeper;
  readonly unreadableLines: number;
  readonly #intervals: Map<number, Interval>;
  readonly #transfers: Transfer[];
  readonly #corrections: Correction[];
  /** In order; a line that grows while the disk refuses is in it once. */
  #unwritten: LedgerChange[] = [];

  constructor(stored: StoredLedger, idle: readonly IdleSpan[]) {
    this.idle = new IdleKeeper(idle);
    this.unreadableLines = stored.unreadable.length;
    this.#intervals = new Map(stored.intervals.map((line) => [line.no, line]));
    this.#transfers = [...stored.transfers];
    this.#corrections = [...stored.corrections];
    this.recorder = new BoxRecorder({ ...tailOf(stored), nextNo: stored.nextNo });
  }

  get ledger(): Ledger {
    return {
      intervals: [...this.#intervals.values()],
      transfers: this.#transfers,
      corrections: this.#corrections,
    };
  }

  /** Takes over what the recorder has to say. */
  collect(): void {
    for (const change of this.recorder.takeChanges()) this.#take(change);
  }

  /** A line that the person typed. */
  addLine(now: Instant, line: TypedLine): void {
    this.recorder.tick(now);
    const no = this.recorder.takeNumber();
    this.#take({ kind: 'put', interval: { ...line, no, source: 'manual', life: null } });
  }

  takeOut(now: Instant, no: number, reason: string): Result<null, Problem> {
    this.collect();
    const { intervals, transfers } = countedPart(this.ledger);
    if (![...intervals, ...transfers].some((line) => line.no === no)) return err(notCounted());
    this.recorder.takeOut(now, no, reason);
    return ok(null);
  }

  /** The person says what was true of a time; both lines stay, and one of them counts. */
  correct(now: Instant, no: number, reason: string, line: TypedLine): Result<null, Problem> {
    this.collect();
    const counted = effectiveIntervals(this.ledger);
    if (!counted.some((each) => each.no === no)) return err(notCounted());
    this.recorder.takeOut(now, no, reason);
    this.addLine(now, line);
    return ok(null);
  }

  /** The person says how the box was in a time that nobody saw. `charges`: what is billed then. */
  settle(
    now: Instant,
    no: number,
    as: { readonly phase: Phase; readonly charges: readonly Charge[] },
  ): Result<null, Problem> {
    this.recorder.tick(now);
    this.collect();
    const line = effectiveIntervals(this.ledger).find((each) => each.no === no);
    if (line?.source !== 'unresolved') return err(notCounted());
    this.recorder.takeOut(now, no, SETTLED[as.phase]);
    const charges = as.phase === line.phase ? line.charges : as.charges;
    this.addLine(now, { fromMs: line.fromMs, ms: line.ms, phase: as.phase, charges });
    return ok(null);
  }

  /** What the person said that was moved; they may have read it on a bill. */
  addTransfer(transfer: Omit<Transfer, 'no'>): Transfer {
    const numbered = { ...transfer, no: this.recorder.takeNumber() };
    this.#transfers.push(numbered);
    return numbered;
  }

  /** The lines that count and reach beyond this moment, in the order in which they were written, with all that has passed. */
  countedSince(now: Instant, fromMs: number): readonly Interval[] {
    this.recorder.tick(now);
    this.collect();
    return effectiveIntervals(this.ledger)
      .filter((line) => line.source !== 'manual' && line.ms > 0)
      .filter((line) => line.fromMs + line.ms > fromMs)
      .sort((a, b) => a.no - b.no);
  }

  get unwritten(): readonly StoredChange['change'][] {
    const idle = this.idle.unwritten.map((span) => ({ kind: 'idle' as const, span }));
    return [...this.#unwritten, ...idle];
  }

  written(): void {
    this.#unwritten = [];
    this.idle.written();
  }

  #take(change: LedgerChange): void {
    if (change.kind === 'correct') this.#corrections.push(change.correction);
    else {
      const { no } = change.interval;
      this.#intervals.set(no, change.interval);
      this.#unwritten = this.#unwritten.filter(
        (each) => each.kind !== 'put' || each.interval.no !== no,
      );
    }
    this.#unwritten.push(change);
  }
}

function notCounted(): Problem {
  return problem('bad-input', 'This line of the ledger is not counted any more.');
}
