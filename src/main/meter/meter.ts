import type { Box, LinkState } from '../../shared/boxes/box.ts';
import type { Money } from '../../shared/money.ts';
import type { BoxMeter } from '../../shared/meter/box-meter.ts';
import { WATCHED_MS, type ClockTrouble, type Instant } from '../../shared/meter/box-recorder.ts';
import { estimateFor, type Estimate } from '../../shared/meter/estimate.ts';
import { roundToMicros } from '../../shared/meter/exact.ts';
import type { IdleSpan } from '../../shared/meter/idle.ts';
import type { Interval, Phase, Transfer } from '../../shared/meter/interval.ts';
import {
  countedPart,
  effectiveIntervals,
  sumLedgers,
  type Ledger,
} from '../../shared/meter/ledger.ts';
import { NO_PRICES, priceBook } from '../../shared/meter/price-book.ts';
import { priceEntries, type PriceEntries } from '../../shared/meter/price-entries.ts';
import { HOUR_MS } from '../../shared/meter/rate.ts';
import type { SeenRuns } from '../../shared/meter/run-costs.ts';
import type { AccountState } from '../../shared/clocks/clock.ts';
import type { AccountEntry } from '../../shared/clocks/clock-entries.ts';
import { idlenessOf } from '../../shared/clocks/idleness.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { FleetDelta, FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { meterStream, type BoxChange, type ByBox } from '../../shared/streams/meter-stream.ts';
import type { GpuFactsState } from '../../shared/telemetry/gpu-facts.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import type { LedgerTable, StoredChange } from '../storage/ledger-table.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';
import { keepOwner } from './all-ledgers.ts';
import { BoxAccount } from './box-account.ts';
import { lifeOf } from './box-life.ts';
import { figuresOf, phaseIn } from './figures.ts';
import { readInstant } from './instant.ts';

const TICK_MS = 1000;
/** A crash loses no more than this of what was observed, and gets it back as inferred. */
const WRITE_EVERY_MS = 30_000;
/** The sums of one box, while somebody looks; boxes take turns, so that no tick is long. */
const SHOW_EVERY_TICKS = 10;
/** After "I stopped it", the box may still answer for as long as that takes. */
const STOPPING_MS = 180_000;
/** Long enough for the slow probe's first answer; then the box is taken at its word without it. */
const LIFE_AFTER_MS = 60_000;

export interface MeterOptions {
  readonly hub: StreamHub;
  readonly ledger: LedgerTable;
  readonly entries: EntriesTable;
  readonly profileOf: (platform: string) => Profile | null;
  readonly onProblem: (found: Problem) => void;
  /** The price per hour of a box was said. */
  readonly onPriced?: (boxId: string) => void;
  readonly now?: () => Instant;
}

/** Whose money it is: what sums are made by. */
export type LedgerBox = Pick<Box, 'name' | 'platform' | 'tags'>;

/** What one box cost, with all that was ever written. */
export interface MeteredLedger {
  readonly boxId: string;
  /** As it was last, where it is not in the list any more; null: nobody knows. */
  readonly owner: LedgerBox | null;
  readonly isListed: boolean;
  readonly ledger: Ledger;
  readonly idle: readonly IdleSpan[];
}

interface MeteredBox {
  box: Box;
  link: LinkState;
  prices: PriceEntries;
  pricedAtMs: number | null;
  stoppedByWordAtMs: number;
  /** What it costs is written down; of the demo box it is not. */
  readonly isKept: boolean;
  readonly account: BoxAccount;
  /** What runs there, as the last patrol saw it; null: none has yet. */
  seenRuns: SeenRuns | null;
  readonly stop: () => void;
}

/** Keeps the ledger of every box, from what the other streams say. It asks nothing of any box itself. */
export class Meter {
  readonly #options: MeterOptions;
  readonly #now: () => Instant;
  readonly #topic: Topic<ByBox<BoxMeter>, BoxChange<BoxMeter>>;
  readonly #boxes = new Map<string, MeteredBox>();
  readonly #stops: readonly (() => void)[];
  readonly #timer: ReturnType<typeof setInterval>;
  #ticks = 0;
  #lastTickMs: number;
  #lastWriteMs: number;
  /** Told once, not every half minute. */
  #isRefused = false;

  constructor(options: MeterOptions) {
    const { hub, now = readInstant } = options;
    this.#options = options;
    this.#now = now;
    this.#lastWriteMs = now().upMs;
    this.#lastTickMs = this.#lastWriteMs;
    this.#topic = hub.addTopic('meter', '', {
      kind: meterStream,
      initial: { boxes: {} },
      onOpened: () => this.refresh(),
    });
    this.#stops = [
      hub.follow('fleet', '', (delta) => this.#followFleet(delta)),
      hub.follow('findings', '', ({ boxId, findings }) => {
        const known = this.#boxes.get(boxId);
        const idle = findings === null ? null : idlenessOf(findings);
        const sinceMs = idle?.isIdle === true ? idle.sinceMs : null;
        known?.account.idle.told(sinceMs, this.#now().wallMs);
      }),
    ];
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** The figures of this very moment: for somebody who begins to look. */
  refresh(): void {
    const now = this.#now();
    for (const [boxId, known] of this.#boxes) {
      known.account.recorder.tick(now);
      this.#show(boxId, known);
    }
  }

  /** What the box costs per hour while it runs; null: not known. */
  pricePerHour(boxId: string): Money | null {
    const rate = this.#boxes.get(boxId)?.prices.compute ?? null;
    return rate?.per === 'hour' ? { micros: rate.micros, currency: rate.currency } : null;
  }

  /** The phase and since when, by the ledger. */
  phaseOf(boxId: string): { readonly phase: Phase; readonly sinceMs: number } | null {
    const known = this.#boxes.get(boxId);
    return known === undefined ? null : phaseIn(known.account);
  }

  /** What each box costs an hour now; null: nobody knows whether it runs. */
  burns(): readonly (Estimate | null)[] {
    return [...this.#boxes.values()].map((known) => this.#burnOf(known));
  }

  /** What the platform's boxes took from a balance since it was read, and take now. */
  accountOf(platform: string, { balance, asOfMs }: AccountEntry): AccountState {
    const { currency } = balance;
    const boxes = [...this.#boxes.values()].filter(({ box }) => box.platform === platform);
    const toMs = Math.max(asOfMs, this.#now().wallMs);
    const sums = sumLedgers(
      boxes.map(({ account }) => account.ledger),
      { fromMs: asOfMs, toMs },
    );
    const spent = (sums.known.get(currency) ?? 0n) + (sums.unresolved.get(currency) ?? 0n);
    const burns = boxes.map((known) => this.#burnOf(known));
    const isKnown = burns.every(
      (burn) => burn?.isPartly === false && burn.money.every((each) => each.currency === currency),
    );
    const micros = burns
      .flatMap((burn) => burn?.money ?? [])
      .reduce((sum, each) => sum + each.micros, 0);
    return {
      balance,
      asOfMs,
      spentMicros: roundToMicros(spent),
      burnMicrosPerHour: isKnown ? micros : null,
    };
  }

  /** Every box in the list with its ledger up to this moment. */
  metered(): readonly MeteredLedger[] {
    const now = this.#now();
    return [...this.#boxes.values()].map(({ box, account }) => {
      account.recorder.tick(now);
      account.collect();
      const { ledger, idle } = account;
      return { boxId: box.id, owner: box, isListed: true, ledger, idle: idle.spans };
    });
  }

  ledgerOf(boxId: string): Result<Ledger, Problem> {
    const known = this.#boxes.get(boxId);
    return known === undefined ? err(noSuchBox()) : ok(known.account.ledger);
  }

  /** `fromMs`: a moment since when they have held already; null: from now on. */
  setPrices(
    boxId: string,
    prices: PriceEntries,
    fromMs: number | null = null,
  ): Result<null, Problem> {
    return this.#change(boxId, (known, now) => {
      if (fromMs !== null && fromMs > now.wallMs) {
        return err(problem('bad-input', 'A price cannot be entered for a time that has not come.'));
      }
      const kept = this.#options.entries.write(boxId, 'prices', prices, now.wallMs);
      if (!kept.ok) return kept;
      known.prices = prices;
      known.pricedAtMs = now.wallMs;
      const { account } = known;
      const book = this.#bookOf(known);
      if (fromMs === null) account.recorder.usePrices(now, book);
      else {
        const lines = account.countedSince(now, fromMs);
        account.recorder.usePricesSince(now, book, { fromMs, lines });
      }
      this.#options.onPriced?.(boxId);
      return ok(null);
    });
  }

  /** The profiles of these say other prices from now on; what was stays as it was priced then. */
  factsChanged(platforms: ReadonlySet<string>): void {
    for (const [boxId, known] of this.#boxes) {
      if (!platforms.has(known.box.platform)) continue;
      known.account.recorder.usePrices(this.#now(), this.#bookOf(known));
      this.#show(boxId, known);
    }
  }

  /** The person says what the box is, because they did it or saw it at the platform. */
  setPhase(boxId: string, phase: Phase): Result<null, Problem> {
    return this.#change(boxId, (known, now) => {
      known.account.recorder.enter(now, phase);
      known.stoppedByWordAtMs = phase === 'running' ? Number.NEGATIVE_INFINITY : now.upMs;
      if (phase === 'running' && known.link.kind === 'up')
        known.account.recorder.answered(now, null);
      return ok(null);
    });
  }

  takeOut(boxId: string, no: number, reason: string): Result<null, Problem> {
    return this.#change(boxId, (known, now) => {
      known.account.collect();
      const { intervals, transfers } = countedPart(known.account.ledger);
      if (![...intervals, ...transfers].some((line) => line.no === no)) return err(notCounted());
      known.account.recorder.takeOut(now, no, reason);
      return ok(null);
    });
  }

  /** The person says what was true of a time; both lines stay, and one of them counts. */
  correct(boxId: string, no: number, reason: string, line: TypedLine): Result<null, Problem> {
    return this.#change(boxId, (known, now) => {
      known.account.collect();
      const counted = effectiveIntervals(known.account.ledger);
      if (!counted.some((each) => each.no === no)) return err(notCounted());
      known.account.recorder.takeOut(now, no, reason);
      known.account.addLine(now, line);
      return ok(null);
    });
  }

  /** The person says how the box was in a time that nobody saw. */
  settle(boxId: string, no: number, as: Phase): Result<null, Problem> {
    return this.#change(boxId, (known, now) => {
      const { account } = known;
      account.recorder.tick(now);
      account.collect();
      const line = effectiveIntervals(account.ledger).find((each) => each.no === no);
      if (line?.source !== 'unresolved') return err(notCounted());
      account.recorder.takeOut(now, no, SETTLED[as]);
      const charges = as === line.phase ? line.charges : this.#bookOf(known)[as];
      account.addLine(now, { fromMs: line.fromMs, ms: line.ms, phase: as, charges });
      return ok(null);
    });
  }

  /** Bytes out of the datacenter that the person knows of, at the price they entered. */
  addTransfer(boxId: string, transfer: Omit<Transfer, 'no' | 'rate'>): Result<null, Problem> {
    return this.#change(boxId, ({ account, prices, isKept }) => {
      const added = account.addTransfer({ ...transfer, rate: prices.egress });
      return isKept ? this.#options.ledger.addTransfer(boxId, added) : ok(null);
    });
  }

  addLine(boxId: string, line: TypedLine): Result<null, Problem> {
    return this.#change(boxId, (known, now) => {
      known.account.addLine(now, line);
      return ok(null);
    });
  }

  close(): void {
    clearInterval(this.#timer);
    for (const stop of this.#stops) stop();
    const now = this.#now();
    for (const { account, stop } of this.#boxes.values()) {
      account.recorder.tick(now);
      stop();
    }
    this.#write();
    this.#boxes.clear();
  }

  #change(
    boxId: string,
    work: (known: MeteredBox, now: Instant) => Result<null, Problem>,
  ): Result<null, Problem> {
    const known = this.#boxes.get(boxId);
    if (known === undefined) return err(noSuchBox());
    const done = work(known, this.#now());
    if (!done.ok) return done;
    const written = this.#write();
    this.#show(boxId, known);
    return written;
  }

  #followFleet(delta: FleetDelta): void {
    switch (delta.kind) {
      case 'put':
        this.#put(delta.entry);
        return;
      case 'change': {
        const known = this.#boxes.get(delta.boxId);
        if (known === undefined || delta.part.link === undefined) return;
        known.link = delta.part.link;
        if (known.link.kind !== 'up') known.account.recorder.silent(this.#now());
        return;
      }
      case 'remove': {
        const known = this.#boxes.get(delta.boxId);
        if (known === undefined) return;
        known.account.recorder.silent(this.#now());
        known.stop();
        this.#write();
        this.#keepOwner(known);
        this.#boxes.delete(delta.boxId);
        this.#topic.publish({ boxId: delta.boxId, value: null });
      }
    }
  }

  /** Of a box that was forgotten, and not of one that is only let go of at the end. */
  #keepOwner({ box, account, isKept }: MeteredBox): void {
    const { ledger, entries, onProblem } = this.#options;
    const { intervals, transfers } = account.ledger;
    // Without a line there is nothing for which its name would be wanted.
    if (!isKept || intervals.length + transfers.length === 0) return;
    const isStored = ledger.isForStoredBox(box.id);
    if (isStored.ok && isStored.value) return;
    const kept = isStored.ok ? keepOwner(entries, box.id, box, this.#now().wallMs) : isStored;
    if (!kept.ok) onProblem(kept.error);
  }

  #put({ box, link }: FleetEntry): void {
    const known = this.#boxes.get(box.id);
    if (known !== undefined) {
      const isElsewhere = known.box.platform !== box.platform;
      known.box = box;
      known.link = link;
      // Another platform asks other prices for the same disks.
      if (isElsewhere) known.account.recorder.usePrices(this.#now(), this.#bookOf(known));
      if (link.kind !== 'up') known.account.recorder.silent(this.#now());
      return;
    }
    const { ledger, entries, hub, onProblem } = this.#options;
    const [stored, isKept] = [ledger.read(box.id), ledger.isForStoredBox(box.id)];
    if (!stored.ok || !isKept.ok) {
      for (const read of [stored, isKept]) if (!read.ok) onProblem(read.error);
      return;
    }
    for (const found of stored.value.unreadable) onProblem(found);
    const prices = entries.read(box.id, 'prices', priceEntries);
    const pricedAtMs = entries.saidAtMs(box.id, 'prices');
    const idle = ledger.readIdle(box.id);
    for (const read of [prices, pricedAtMs, idle]) if (!read.ok) onProblem(read.error);
    const stops = [
      hub.follow('gpu-facts', box.id, (state) => this.#useFacts(box.id, state)),
      hub.follow('patrol', box.id, ({ seen }) => this.#useRuns(box.id, seen)),
    ];
    const added: MeteredBox = {
      box,
      link,
      prices: (prices.ok ? prices.value : null) ?? NO_PRICES,
      pricedAtMs: pricedAtMs.ok ? pricedAtMs.value : null,
      stoppedByWordAtMs: Number.NEGATIVE_INFINITY,
      isKept: isKept.value,
      account: new BoxAccount(stored.value, idle.ok ? idle.value : []),
      seenRuns: null,
      stop: () => {
        for (const stop of stops) stop();
      },
    };
    this.#boxes.set(box.id, added);
    added.account.recorder.reopen(this.#now(), this.#bookOf(added));
    this.#show(box.id, added);
  }

  #burnOf(known: MeteredBox): Estimate | null {
    const { phase } = known.account.recorder;
    return phase === null ? null : estimateFor(this.#bookOf(known)[phase], HOUR_MS);
  }

  #bookOf({ prices, box }: MeteredBox) {
    return priceBook(prices, this.#options.profileOf(box.platform));
  }

  #useFacts(boxId: string, { facts, problem: failed }: GpuFactsState): void {
    const known = this.#boxes.get(boxId);
    if (known?.link.kind !== 'up') return;
    // An answer from before the link was lost says nothing about what came after.
    const { sinceMs } = known.link;
    if (facts !== null && facts.atMs >= sinceMs) this.#answered(known, lifeOf(facts.machine));
    else if (failed !== null && failed.atMs >= sinceMs) this.#answered(known, null);
  }

  /** Undefined: nothing new of it. */
  #useRuns(boxId: string, seen: SeenRuns | null | undefined): void {
    const known = this.#boxes.get(boxId);
    if (known === undefined || seen === undefined) return;
    known.seenRuns = seen;
    this.#show(boxId, known);
  }

  #answered(known: MeteredBox, life: ReturnType<typeof lifeOf>): void {
    const now = this.#now();
    if (now.upMs - known.stoppedByWordAtMs < STOPPING_MS) return;
    known.account.recorder.answered(now, life);
  }

  #tick(): void {
    const now = this.#now();
    const isWatched = now.upMs - this.#lastTickMs <= WATCHED_MS;
    this.#lastTickMs = now.upMs;
    this.#ticks += 1;
    let place = 0;
    for (const [boxId, known] of this.#boxes) {
      place += 1;
      const { link, account } = known;
      account.recorder.tick(now);
      // While the machine slept nobody saw whether it worked.
      if (isWatched) account.idle.pass(now.wallMs);
      else account.idle.end();
      const isLate = link.kind === 'up' && now.wallMs - link.sinceMs > LIFE_AFTER_MS;
      if (isLate) this.#answered(known, null);
      for (const trouble of account.recorder.takeTroubles()) this.#tell(known.box.name, trouble);
      const isItsTurn = (place + this.#ticks) % SHOW_EVERY_TICKS === 0;
      if (isItsTurn && this.#topic.isWatched) this.#show(boxId, known);
    }
    if (now.upMs - this.#lastWriteMs >= WRITE_EVERY_MS) this.#write();
  }

  /** What the disk refuses is kept and tried again: the ledger loses nothing to a disk that is full for an hour. */
  #write(): Result<null, Problem> {
    this.#lastWriteMs = this.#now().upMs;
    const changes: StoredChange[] = [];
    for (const [boxId, { account, isKept }] of this.#boxes) {
      account.collect();
      if (!isKept) account.written();
      for (const change of account.unwritten) changes.push({ boxId, change });
    }
    const written = this.#options.ledger.write(changes);
    if (written.ok) for (const { account } of this.#boxes.values()) account.written();
    else if (!this.#isRefused) this.#options.onProblem(written.error);
    this.#isRefused = !written.ok;
    return written;
  }

  #tell(name: string, { kind, byMs }: ClockTrouble): void {
    const minutes = Math.round(Math.abs(byMs) / 60_000);
    // A clock that is set while Leasehold runs does not touch what is counted: nothing to be done.
    if (kind === 'set') return;
    const message =
      kind === 'behind'
        ? `This machine’s clock is ${minutes} min earlier than when ${name} was last metered: how long Leasehold was closed is not known.`
        : `By this machine’s clock ${name} was last metered more than a year ago, which is not believed.`;
    this.#options.onProblem(problem('clock-wrong', message));
  }

  #show(boxId: string, known: MeteredBox): void {
    const { account, prices, pricedAtMs } = known;
    account.collect();
    const { seenRuns } = known;
    const said = { prices, pricedAtMs, book: this.#bookOf(known), seenRuns };
    this.#topic.publish({ boxId, value: figuresOf(account, said, this.#now().wallMs) });
  }
}

export type TypedLine = Pick<Interval, 'fromMs' | 'ms' | 'phase' | 'charges'>;

const SETTLED: Readonly<Record<Phase, string>> = {
  running: 'You said that it was running.',
  stopped: 'You said that it was stopped.',
  destroyed: 'You said that it was destroyed.',
};

function notCounted(): Problem {
  return problem('bad-input', 'This line of the ledger is not counted any more.');
}

function noSuchBox(): Problem {
  return problem('no-such-box', 'This box is not in the list.');
}
