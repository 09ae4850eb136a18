import { BoxRecorder, type Instant, type LedgerChange } from '../../shared/meter/box-recorder.ts';
import type { Correction, Interval, Transfer } from '../../shared/meter/interval.ts';
import type { IdleSpan } from '../../shared/meter/idle.ts';
import { effectiveIntervals, type Ledger } from '../../shared/meter/ledger.ts';
import { tailOf } from '../../shared/meter/tail.ts';
import type { StoredChange, StoredLedger } from '../storage/ledger-table.ts';
import { IdleKeeper } from './idle-keeper.ts';

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
  addLine(now: Instant, line: Omit<Interval, 'no' | 'source' | 'life'>): void {
    this.recorder.tick(now);
    const no = this.recorder.takeNumber();
    this.#take({ kind: 'put', interval: { ...line, no, source: 'manual', life: null } });
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
