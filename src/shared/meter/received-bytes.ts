import { todayOf } from './calendar.ts';
import type { Transfer } from './interval.ts';
import { countedPart, type Ledger } from './ledger.ts';
import type { Rate } from './rate.ts';

/**
 * What came from one box over Leasehold's own connections, as lines of its ledger: one for each day and price, of which only
 * the last one grows. Knows no clock and no disk.
 */
export class ReceivedBytes {
  #open: Transfer | null;
  /** Came since the last time that they were put to a line. */
  #pending = 0;

  constructor(stored: Ledger) {
    const lines = countedPart(stored).transfers.filter(({ source }) => source === 'measured');
    this.#open = lines.reduce<Transfer | null>(
      (last, line) => (last === null || line.no > last.no ? line : last),
      null,
    );
  }

  /** Called for each piece that arrives: cheap. */
  add(bytes: number): void {
    this.#pending += bytes;
  }

  /** What has come belongs to this moment and price. Answers the line that it made or made longer; null: nothing came. */
  settle(nowMs: number, rate: Rate | null, takeNumber: () => number): Transfer | null {
    if (this.#pending === 0) return null;
    const open = this.#open;
    const today = todayOf(nowMs);
    const goesOn =
      open !== null &&
      open.atMs >= today.fromMs &&
      open.atMs < today.toMs &&
      isSameRate(open.rate, rate);
    const line: Transfer = goesOn
      ? { ...open, bytes: open.bytes + this.#pending }
      : { no: takeNumber(), atMs: nowMs, what: RECEIVED, bytes: this.#pending, rate, source };
    this.#pending = 0;
    this.#open = line;
    return line;
  }

  /** A line does not count any more, and `instead`, where there is one, does. */
  replaced(no: number, instead: Transfer | null): void {
    if (this.#open?.no === no) this.#open = instead;
  }
}

const RECEIVED = 'received';
const source = 'measured';

export function isSameRate(one: Rate | null, other: Rate | null): boolean {
  if (one === null || other === null) return one === other;
  return one.micros === other.micros && one.currency === other.currency && one.per === other.per;
}
