import type { Box, LinkState } from '../../shared/boxes/box.ts';
import type { BoxLife, Phase } from '../../shared/meter/interval.ts';
import type { BoxMeter } from '../../shared/meter/box-meter.ts';
import type { Instant, PriceBook } from '../../shared/meter/box-recorder.ts';
import { estimateFor, type Estimate } from '../../shared/meter/estimate.ts';
import { egressRate, NO_PRICES, priceBook } from '../../shared/meter/price-book.ts';
import { priceEntries, type PriceEntries } from '../../shared/meter/price-entries.ts';
import { HOUR_MS, type Rate } from '../../shared/meter/rate.ts';
import type { SeenRuns } from '../../shared/meter/run-costs.ts';
import type { Money } from '../../shared/money.ts';
import { RunEnds, type RunOutlook } from '../../shared/patrol/run-end.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import type { LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import { runOfLog } from '../../shared/runs/launch/run-id.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import type { LedgerTable } from '../storage/ledger-table.ts';
import { BoxAccount } from './box-account.ts';
import { figuresOf } from './figures.ts';

/** After "I stopped it", the box may still answer for as long as that takes. */
const STOPPING_MS = 180_000;
/** Long enough for the slow probe's first answer; then the box is taken at its word without it. */
const LIFE_AFTER_MS = 60_000;

export interface MeteredBoxSources {
  readonly ledger: LedgerTable;
  readonly entries: EntriesTable;
  readonly profileOf: (platform: string) => Profile | null;
  readonly onProblem: (found: Problem) => void;
}

interface Kept {
  readonly prices: PriceEntries;
  /** Null: never. */
  readonly pricedAtMs: number | null;
  /** What it costs is written down; of the demo box it is not. */
  readonly isKept: boolean;
  readonly account: BoxAccount;
}

/** A box of the list as the meter knows it, with what was kept of it; null: that could not be read. */
export function readMeteredBox(entry: FleetEntry, sources: MeteredBoxSources): MeteredBox | null {
  const { ledger, entries, profileOf, onProblem } = sources;
  const { id } = entry.box;
  const [stored, isKept] = [ledger.read(id), ledger.isForStoredBox(id)];
  if (!stored.ok || !isKept.ok) {
    for (const read of [stored, isKept]) if (!read.ok) onProblem(read.error);
    return null;
  }
  for (const found of stored.value.unreadable) onProblem(found);
  const prices = entries.read(id, 'prices', priceEntries);
  const pricedAtMs = entries.saidAtMs(id, 'prices');
  const idle = ledger.readIdle(id);
  for (const read of [prices, pricedAtMs, idle]) if (!read.ok) onProblem(read.error);
  const kept: Kept = {
    prices: (prices.ok ? prices.value : null) ?? NO_PRICES,
    pricedAtMs: pricedAtMs.ok ? pricedAtMs.value : null,
    isKept: isKept.value,
    account: new BoxAccount(stored.value, idle.ok ? idle.value : []),
  };
  return new MeteredBox(entry, kept, profileOf);
}

/** One box: what is said of it and what it costs by its ledger. */
export class MeteredBox {
  readonly account: BoxAccount;
  readonly isKept: boolean;
  readonly #profileOf: MeteredBoxSources['profileOf'];
  #box: Box;
  #link: LinkState;
  #prices: PriceEntries;
  #pricedAtMs: number | null;
  #stoppedByWordAtMs = Number.NEGATIVE_INFINITY;
  /** What runs there, as the last patrol saw it; null: none has yet. */
  #seenRuns: SeenRuns | null = null;
  readonly #follower = new RunEnds();
  #outlooks: ReadonlyMap<string, RunOutlook> = new Map();
  /** How the logs of launched runs tell progress, by the id of the run whose folder they lie in. */
  #progress: ReadonlyMap<string, readonly string[]> = new Map();

  constructor({ box, link }: FleetEntry, kept: Kept, profileOf: MeteredBoxSources['profileOf']) {
    this.#box = box;
    this.#link = link;
    this.#prices = kept.prices;
    this.#pricedAtMs = kept.pricedAtMs;
    this.isKept = kept.isKept;
    this.account = kept.account;
    this.#profileOf = profileOf;
  }

  get box(): Box {
    return this.#box;
  }

  get link(): LinkState {
    return this.#link;
  }

  get prices(): PriceEntries {
    return this.#prices;
  }

  get book(): PriceBook {
    return priceBook(this.#prices, this.#profileOf(this.#box.platform));
  }

  get egressRate(): Rate | null {
    return egressRate(this.#prices, this.#profileOf(this.#box.platform));
  }

  /** Null: not known. */
  get pricePerHour(): Money | null {
    const { compute } = this.#prices;
    return compute?.per === 'hour' ? { micros: compute.micros, currency: compute.currency } : null;
  }

  /** What it costs an hour now; null: nobody knows whether it runs. */
  get burn(): Estimate | null {
    const { phase } = this.account.recorder;
    return phase === null ? null : estimateFor(this.book[phase], HOUR_MS);
  }

  figures(wallMs: number): BoxMeter {
    this.settleReceived(wallMs);
    this.account.collect();
    const said = {
      prices: this.#prices,
      pricedAtMs: this.#pricedAtMs,
      egressRate: this.egressRate,
      book: this.book,
      seenRuns: this.#seenRuns,
      outlooks: this.#outlooks,
    };
    return figuresOf(this.account, said, wallMs);
  }

  isDescribed({ box, link }: FleetEntry, now: Instant): void {
    const isElsewhere = this.#box.platform !== box.platform;
    if (isElsewhere) this.settleReceived(now.wallMs);
    this.#box = box;
    // Another platform asks other prices for the same disks.
    if (isElsewhere) this.account.recorder.usePrices(now, this.book);
    this.linkIs(link, now);
  }

  linkIs(link: LinkState, now: Instant): void {
    this.#link = link;
    if (link.kind !== 'up') this.account.recorder.silent(now);
  }

  /** What the profile says holds from now on; what was stays as it was priced then. */
  factsChanged(now: Instant): void {
    this.account.recorder.usePrices(now, this.book);
  }

  /** What has come over our connections until now is written down at what bytes cost now. */
  settleReceived(wallMs: number): void {
    this.account.settleReceived(wallMs, this.egressRate);
  }

  /** `fromMs`: a moment since when they have held already; null: from now on. */
  pricesAre(prices: PriceEntries, now: Instant, fromMs: number | null): void {
    this.settleReceived(now.wallMs);
    this.#prices = prices;
    this.#pricedAtMs = now.wallMs;
    const { account, book } = this;
    if (fromMs === null) account.recorder.usePrices(now, book);
    else {
      account.repriceReceived(now, fromMs, this.egressRate);
      const lines = account.countedSince(now, fromMs);
      account.recorder.usePricesSince(now, book, { fromMs, lines });
    }
  }

  /** The person did it, or saw it at the platform. */
  phaseIs(phase: Phase, now: Instant): void {
    const { recorder } = this.account;
    recorder.enter(now, phase);
    this.#stoppedByWordAtMs = phase === 'running' ? Number.NEGATIVE_INFINITY : now.upMs;
    if (phase === 'running' && this.#link.kind === 'up') recorder.answered(now, null);
  }

  runsAre(seen: SeenRuns | null): void {
    this.#seenRuns = seen;
    this.#outlooks = this.#follower.look(
      seen?.atMs ?? 0,
      seen?.runs ?? [],
      (logPath) => this.#progress.get(runOfLog(logPath) ?? '') ?? [],
    );
  }

  /** What was launched there: from the next patrol on, its logs are read as its requests say. */
  launchedAre(runs: readonly Pick<LaunchedRun, 'id' | 'progress'>[]): void {
    this.#progress = new Map(
      runs.flatMap(({ id, progress }) => (progress === undefined ? [] : [[id, progress]])),
    );
  }

  /** `life`: null: it does not say how long it has been up. */
  answered(now: Instant, life: BoxLife | null): void {
    if (now.upMs - this.#stoppedByWordAtMs < STOPPING_MS) return;
    this.account.recorder.answered(now, life);
  }

  /** Time passes; `isWatched`: this machine was awake in it. */
  pass(now: Instant, isWatched: boolean): void {
    const { recorder, idle } = this.account;
    recorder.tick(now);
    this.settleReceived(now.wallMs);
    // While the machine slept nobody saw whether it worked.
    if (isWatched) idle.pass(now.wallMs);
    else idle.end();
    const link = this.#link;
    const isLate = link.kind === 'up' && now.wallMs - link.sinceMs > LIFE_AFTER_MS;
    if (isLate) this.answered(now, null);
  }
}
