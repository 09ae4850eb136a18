import {
  BoxRecorder,
  tailOf,
  type Instant,
  type LedgerChange,
} from '../../shared/meter/box-recorder.ts';
import type { Correction, Interval, Transfer } from '../../shared/meter/interval.ts';
import { effectiveIntervals, type Ledger } from '../../shared/meter/ledger.ts';
import type { StoredLedger } from '../storage/ledger-table.ts';

/** One box's ledger in memory, with what is not written down yet. */
export class BoxAccount {
  readonly recorder: BoxRecorder;
  readonly unreadableLines: number;
  readonly #intervals: Map<number, Interval>;
  readonly #transfers: Transfer[];
  readonly #corrections: Correction[];
  /** In order; a line that grows while the disk refuses is in it once. */
  #unwritten: LedgerChange[] = [];

  constructor(stored: StoredLedger) {
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

  get unwritten(): readonly LedgerChange[] {
    return this.#unwritten;
  }

  written(): void {
    this.#unwritten = [];
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
