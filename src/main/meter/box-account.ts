import { BoxRecorder, type Instant, type LedgerChange } from '../../shared/meter/box-recorder.ts';
import type { Charge, Correction, Interval, Phase, Transfer } from '../../shared/meter/interval.ts';
import type { IdleSpan } from '../../shared/meter/idle.ts';
import { countedPart, effectiveIntervals, type Ledger } from '../../shared/meter/ledger.ts';
import type { Rate } from '../../shared/meter/rate.ts';
import { isSameRate, ReceivedBytes } from '../../shared/meter/received-bytes.ts';
import { tailOf } from '../../shared/meter/tail.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { StoredChange, StoredLedger } from '../storage/ledger-table.ts';
import { IdleKeeper } from './idle-keeper.ts';

type AccountChange = StoredChange['change'];

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
  readonly #transfers: Map<number, Transfer>;
  readonly #corrections: Correction[];
  readonly #received: ReceivedBytes;
  /** In order; a line that grows while the disk refuses is in it once. */
  #unwritten: AccountChange[] = [];

  constructor(stored: StoredLedger, idle: readonly IdleSpan[]) {
    this.idle = new IdleKeeper(idle);
    this.unreadableLines = stored.unreadable.length;
    this.#intervals = new Map(stored.intervals.map((line) => [line.no, line]));
    this.#transfers = new Map(stored.transfers.map((line) => [line.no, line]));
    this.#received = new ReceivedBytes(stored);
    this.#corrections = [...stored.corrections];
    this.recorder = new BoxRecorder({ ...tailOf(stored), nextNo: stored.nextNo });
  }

  get ledger(): Ledger {
    return {
      intervals: [...this.#intervals.values()],
      transfers: [...this.#transfers.values()],
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
    this.#received.replaced(no, null);
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
  addTransfer(transfer: Omit<Transfer, 'no' | 'source'>): void {
    this.#move({ ...transfer, no: this.recorder.takeNumber(), source: 'manual' });
  }

  /** Came from the box over a connection of ours. Called for each piece that arrives. */
  received(bytes: number): void {
    this.#received.add(bytes);
  }

  /** What has come until now is written at this price. */
  settleReceived(nowMs: number, rate: Rate | null): void {
    const line = this.#received.settle(nowMs, rate, () => this.recorder.takeNumber());
    if (line !== null) this.#move(line);
  }

  /** Another price held already since a moment that is over, of lines that began no earlier. They are taken out and written anew. */
  repriceReceived(now: Instant, fromMs: number, rate: Rate | null): void {
    this.collect();
    const lines = countedPart(this.ledger).transfers.filter(
      (line) => line.source === 'measured' && line.atMs >= fromMs && !isSameRate(line.rate, rate),
    );
    for (const line of lines) {
      this.recorder.takeOutForPrice(now, line.no);
      const anew = { ...line, no: this.recorder.takeNumber(), rate };
      this.#move(anew);
      this.#received.replaced(line.no, anew);
    }
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

  get unwritten(): readonly AccountChange[] {
    const idle = this.idle.unwritten.map((span) => ({ kind: 'idle' as const, span }));
    return [...this.#unwritten, ...idle];
  }

  written(): void {
    this.#unwritten = [];
    this.idle.written();
  }

  #move(transfer: Transfer): void {
    const { no } = transfer;
    this.#transfers.set(no, transfer);
    this.#unwritten = this.#unwritten.filter(
      (each) => each.kind !== 'transfer' || each.transfer.no !== no,
    );
    this.#unwritten.push({ kind: 'transfer', transfer });
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
