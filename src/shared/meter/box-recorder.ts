import type { BoxLife, Charge, Correction, Interval, Phase, Source } from './interval.ts';
import { lastSeenIn, type Tail } from './tail.ts';

/** Now, by two clocks: one for the calendar, which may be set, and one that only ever counts up and counts sleep too. */
export interface Instant {
  readonly wallMs: number;
  readonly upMs: number;
}

/** What is to be written, in this order. A `put` of a known number makes that interval longer, never anything else. */
export type LedgerChange =
  | { readonly kind: 'put'; readonly interval: Interval }
  | { readonly kind: 'correct'; readonly correction: Correction };

/** Something about the clocks that the person should know; nothing is computed from it. */
export type ClockTrouble =
  /** This machine's clock was set while Leasehold ran. Durations are not touched by it. */
  | { readonly kind: 'set'; readonly byMs: number }
  /** Earlier than the end of the ledger: how long Leasehold was closed cannot be known. */
  | { readonly kind: 'behind'; readonly byMs: number }
  /** Later than anyone leaves an app closed: the clock is wrong now, or was. */
  | { readonly kind: 'implausible'; readonly byMs: number };

/** What is billed in each phase at today's prices. */
export type PriceBook = Readonly<Record<Phase, readonly Charge[]>>;

export const EMPTY_BOOK: PriceBook = { running: [], stopped: [], destroyed: [] };

export interface RecorderOptions {
  readonly watchedMs?: number;
  readonly sameMs?: number;
}

/** Longer than this between two ticks, and nobody was watching: the machine slept. */
export const WATCHED_MS = 120_000;
const CLOCK_SET_MS = 2000;
/** Between two counts of one length; asking takes up to some seconds. */
const SAME_MS = 5000;
const MAX_CLOSED_MS = 400 * 86_400_000;

/**
 * Writes one box's lines of the ledger as time passes. Knows no clock and no disk: time is an argument, and what is to be
 * written is handed back.
 */
export class BoxRecorder {
  readonly #watchedMs: number;
  readonly #sameMs: number;
  /** Effective lines since the box last answered, oldest first; the last one is open. */
  #tail: Interval[];
  /** Of these, what the person took out: its time is accounted for, whatever the box says of it later. */
  readonly #settled: Set<number>;
  #nextNo: number;
  #phase: Phase | null;
  #isAnswering = false;
  #book: PriceBook = EMPTY_BOOK;
  #isOpen = false;
  #lastWallMs = 0;
  #lastUpMs = 0;
  #lengthened = false;
  /** The highest number that was handed out to be written. */
  #written: number;
  #changes: LedgerChange[] = [];
  #troubles: ClockTrouble[] = [];

  /**
   * `tail` and `settled`: see `tailOf`. `nextNo`: above every number that was ever given in this box's ledger.
   */
  constructor(
    restored: Tail & { readonly nextNo: number },
    { watchedMs = WATCHED_MS, sameMs = SAME_MS }: RecorderOptions = {},
  ) {
    // The last line is made longer in place.
    this.#tail = restored.tail.map((line) => ({ ...line }));
    this.#settled = new Set(restored.settled);
    this.#nextNo = restored.nextNo;
    this.#written = restored.nextNo - 1;
    this.#phase = restored.tail.at(-1)?.phase ?? null;
    this.#watchedMs = watchedMs;
    this.#sameMs = sameMs;
  }

  get phase(): Phase | null {
    return this.#phase;
  }

  get openInterval(): Interval | null {
    return this.#isOpen ? (this.#tail.at(-1) ?? null) : null;
  }

  /** The first call of a session: what passed since the ledger ends, at the prices that held then. */
  reopen(now: Instant, book: PriceBook): void {
    this.#isOpen = true;
    this.#lastWallMs = now.wallMs;
    this.#lastUpMs = now.upMs;
    this.#book = book;
    const end = this.#tail.at(-1);
    if (end === undefined) return;
    const closedMs = now.wallMs - (end.fromMs + end.ms);
    if (closedMs < 0) this.#troubles.push({ kind: 'behind', byMs: -closedMs });
    else if (closedMs > MAX_CLOSED_MS) this.#troubles.push({ kind: 'implausible', byMs: closedMs });
    else if (closedMs > 0) {
      const fromMs = now.wallMs - closedMs;
      this.#append(fromMs, { ms: closedMs, source: this.#unwatchedSource(), charges: end.charges });
    }
    this.#append(now.wallMs, { source: this.#unwatchedSource() });
  }

  /** Time passes. Cheap: called every second for every box. */
  tick({ wallMs, upMs }: Instant): void {
    if (!this.#isOpen) throw new Error('a recorder is opened before time passes');
    const passedMs = upMs - this.#lastUpMs;
    const lastWallMs = this.#lastWallMs;
    this.#lastWallMs = wallMs;
    this.#lastUpMs = upMs;
    const open = this.#tail[this.#tail.length - 1];
    if (open === undefined || passedMs < 0) return;
    if (passedMs <= this.#watchedMs) {
      // In place: a year of seconds passes through here.
      (open as { ms: number }).ms += passedMs;
      this.#lengthened = true;
    } else {
      this.#isAnswering = false;
      this.#append(lastWallMs, { ms: passedMs, source: this.#unwatchedSource() });
    }
    const line = this.#tail[this.#tail.length - 1] ?? open;
    const setByMs = wallMs - (line.fromMs + line.ms);
    if (setByMs > CLOCK_SET_MS || setByMs < -CLOCK_SET_MS) {
      this.#troubles.push({ kind: 'set', byMs: setByMs });
      this.#append(wallMs, { source: this.#currentSource() });
    }
  }

  /** Prices change from now on; what was is as it was. */
  usePrices(now: Instant, book: PriceBook): void {
    this.tick(now);
    this.#book = book;
    if (this.#phase !== null) this.#append(now.wallMs, { source: this.#currentSource() });
  }

  /**
   * The same for prices that held already since a moment that is over. `lines`: what is counted since then, oldest first, up to
   * now. None of them is changed: each is taken out and written anew.
   */
  usePricesSince(
    now: Instant,
    book: PriceBook,
    { fromMs, lines }: { readonly fromMs: number; readonly lines: readonly Interval[] },
  ): void {
    this.tick(now);
    this.#close();
    this.#book = book;
    const anew = new Map(lines.map((line) => [line.no, this.#reprice(line, fromMs, now)]));
    const tail = this.#tail.flatMap((line) => anew.get(line.no) ?? [line]);
    this.#tail = tail.slice(Math.max(0, lastSeenIn(tail)));
    if (this.#phase !== null) this.#append(now.wallMs, { source: this.#currentSource() });
  }

  /** Somebody who knows says what the box is from now on. */
  enter(now: Instant, phase: Phase): void {
    this.tick(now);
    if (phase === this.#phase) return;
    this.#phase = phase;
    if (phase !== 'running') this.#isAnswering = false;
    this.#append(now.wallMs, { source: this.#currentSource() });
  }

  /** The box answers. Null: it does not say how long it has been up. */
  answered(now: Instant, life: BoxLife | null): void {
    this.tick(now);
    if (this.#isAnswering) return;
    if (life !== null && life.upForMs >= 0) this.#learn(now, life);
    this.#phase = 'running';
    this.#isAnswering = true;
    this.#append(now.wallMs, { source: 'observed', life });
  }

  /** The link was lost: from now on nobody sees what the box does. */
  silent(now: Instant): void {
    this.tick(now);
    if (!this.#isAnswering) return;
    this.#isAnswering = false;
    this.#append(now.wallMs, { source: this.#currentSource() });
  }

  /** The person takes a line out of the sums. Numbers of what they write instead come from here as well. */
  takeOut(now: Instant, no: number, reason: string): void {
    this.tick(now);
    if (this.#tail.at(-1)?.no === no) this.#append(now.wallMs, { source: this.#currentSource() });
    if (this.#tail.some((line) => line.no === no)) this.#settled.add(no);
    this.#changes.push({
      kind: 'correct',
      correction: { no: this.#nextNo++, voids: no, atMs: now.wallMs, by: 'person', reason },
    });
  }

  /** A line is to be written anew right after this, at the price that was entered for its time. */
  takeOutForPrice(now: Instant, no: number): void {
    const reason = 'Another price was entered for this time.';
    this.#changes.push({
      kind: 'correct',
      correction: { no: this.#nextNo++, voids: no, atMs: now.wallMs, by: 'price', reason },
    });
  }

  takeNumber(): number {
    return this.#nextNo++;
  }

  /** What is to be written since the last call. */
  takeChanges(): readonly LedgerChange[] {
    const open = this.#tail.at(-1);
    if (this.#lengthened && open !== undefined) this.#put(open);
    this.#lengthened = false;
    const taken = this.#changes;
    this.#changes = [];
    return taken;
  }

  takeTroubles(): readonly ClockTrouble[] {
    const taken = this.#troubles;
    this.#troubles = [];
    return taken;
  }

  #currentSource(): Source {
    return this.#isAnswering ? 'observed' : this.#unwatchedSource();
  }

  /** A stopped box is so by somebody's word, which holds; a running one that nobody sees may have been stopped. */
  #unwatchedSource(): Source {
    return this.#phase === 'running' ? 'unresolved' : 'inferred';
  }

  /** Closes the open line and begins the next. */
  #append(
    fromMs: number,
    {
      ms = 0,
      source,
      charges,
      life,
    }: {
      readonly ms?: number;
      readonly source: Source;
      readonly charges?: readonly Charge[];
      readonly life?: BoxLife | null;
    },
  ): void {
    const phase = this.#phase;
    if (phase === null) return;
    const closed = this.#tail.at(-1);
    this.#close();
    const next: Interval = {
      no: this.#nextNo++,
      fromMs,
      ms,
      phase,
      source,
      charges: charges ?? this.#book[phase],
      life: source === 'observed' ? (life ?? lifeAtEndOf(closed)) : null,
    };
    if (source === 'observed') {
      this.#tail = [next];
      this.#settled.clear();
    } else this.#tail.push(next);
    // A crash must not undo what somebody or the box said: that is written before it has lasted.
    if (ms > 0 || source === 'observed' || closed?.phase !== phase) this.#put(next);
  }

  #close(): void {
    const open = this.#tail.at(-1);
    if (open === undefined) return;
    if (this.#lengthened) this.#put(open);
    this.#lengthened = false;
    // Nothing happened in it, and nothing was written of it.
    if (open.ms === 0 && open.no > this.#written) this.#tail.pop();
  }

  #put(interval: Interval): void {
    this.#written = Math.max(this.#written, interval.no);
    this.#changes.push({ kind: 'put', interval: { ...interval } });
  }

  /**
   * What nobody saw, the box tells. In the same life as before, the time between is exactly what its own count says, whatever
   * happened to this machine's clock. In a new one, it has run since that began; before, nobody knows.
   */
  #learn(now: Instant, life: BoxLife): void {
    this.#close();
    const [seen] = this.#tail;
    const unseen = this.#tail.filter(({ source }) => source !== 'observed');
    const countedMs = unseen.reduce((sum, { ms }) => sum + ms, 0);
    const before = seen?.source === 'observed' ? seen.life : null;
    const isSameLife = before !== null && before.id !== null && before.id === life.id;
    const livedMs = isSameLife ? life.upForMs - before.upForMs - (seen?.ms ?? 0) : life.upForMs;
    // Within what asking takes; and a count that runs backwards tells nothing.
    const isAsCounted = isSameLife && Math.abs(livedMs - countedMs) <= this.#sameMs;
    let leftMs = isAsCounted || livedMs < 0 ? countedMs : livedMs;
    for (const line of [...unseen].reverse()) {
      const provenMs = Math.min(line.ms, leftMs);
      leftMs -= provenMs;
      const isNews = line.source === 'unresolved' || line.phase !== 'running';
      const isTooLong = isSameLife && provenMs < line.ms;
      if (this.#settled.has(line.no)) continue;
      if (isTooLong || (provenMs > 0 && isNews)) this.#replace(line, provenMs, isTooLong, now);
    }
    const [first] = unseen;
    if (isSameLife && leftMs > 0) {
      const charges = seen?.charges ?? this.#book.running;
      const fromMs = (first?.fromMs ?? now.wallMs) - leftMs;
      this.#put({
        no: this.#nextNo++,
        fromMs,
        ms: leftMs,
        phase: 'running',
        source: 'inferred',
        charges,
        life: null,
      });
    }
  }

  #reprice(line: Interval, fromMs: number, now: Instant): readonly Interval[] {
    const beforeMs = Math.min(line.ms, Math.max(0, fromMs - line.fromMs));
    const { life } = line;
    const pieces: readonly Omit<Interval, 'no'>[] = [
      ...(beforeMs > 0 ? [{ ...line, ms: beforeMs }] : []),
      {
        ...line,
        fromMs: line.fromMs + beforeMs,
        ms: line.ms - beforeMs,
        charges: this.#book[line.phase],
        life: life === null ? null : { id: life.id, upForMs: life.upForMs + beforeMs },
      },
    ];
    this.takeOutForPrice(now, line.no);
    return pieces.map((piece) => {
      const numbered = { ...piece, no: this.#nextNo++ };
      this.#put(numbered);
      return numbered;
    });
  }

  /** No line is changed: it is taken out, and what is true of it is written anew. */
  #replace(line: Interval, provenMs: number, isRestUntrue: boolean, now: Instant): void {
    const restMs = line.ms - provenMs;
    const reason = isRestUntrue
      ? 'By the box’s own count less time had passed: this machine’s clock was set.'
      : 'The box answered, and had been up in this time.';
    this.#changes.push({
      kind: 'correct',
      correction: { no: this.#nextNo++, voids: line.no, atMs: now.wallMs, by: 'box', reason },
    });
    if (restMs > 0 && !isRestUntrue) this.#put({ ...line, no: this.#nextNo++, ms: restMs });
    if (provenMs === 0) return;
    this.#put({
      ...line,
      no: this.#nextNo++,
      fromMs: line.fromMs + restMs,
      ms: provenMs,
      phase: 'running',
      source: 'inferred',
      charges: line.phase === 'running' ? line.charges : this.#book.running,
    });
  }
}

/** The life goes on over a change of price. */
function lifeAtEndOf(line: Interval | undefined): BoxLife | null {
  if (line?.source !== 'observed' || line.life === null) return null;
  return { id: line.life.id, upForMs: line.life.upForMs + line.ms };
}
