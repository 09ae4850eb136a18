import { noSuchBox } from '../../shared/boxes/no-such-box.ts';
import { isInSums } from '../../shared/demo/demo-platform.ts';
import type { AccountState } from '../../shared/clocks/clock.ts';
import type { AccountEntry } from '../../shared/clocks/clock-entries.ts';
import { idlenessOf } from '../../shared/clocks/idleness.ts';
import type { BoxMeter } from '../../shared/meter/box-meter.ts';
import { WATCHED_MS, type ClockTrouble, type Instant } from '../../shared/meter/box-recorder.ts';
import type { Estimate } from '../../shared/meter/estimate.ts';
import { roundToMicros } from '../../shared/meter/exact.ts';
import type { Phase, Transfer } from '../../shared/meter/interval.ts';
import { sumLedgers, type Ledger } from '../../shared/meter/ledger.ts';
import { mayBurn } from '../../shared/meter/live.ts';
import type { PriceEntries } from '../../shared/meter/price-entries.ts';
import type { SeenRuns } from '../../shared/meter/run-costs.ts';
import type { Money } from '../../shared/money.ts';
import type { PatrolState } from '../../shared/patrol/patrol-state.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import type { FindingsDelta } from '../../shared/streams/findings-stream.ts';
import { meterStream, type BoxChange, type ByBox } from '../../shared/streams/meter-stream.ts';
import type { GpuFactsState } from '../../shared/telemetry/gpu-facts.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import type { Followed, OfBox } from '../streams/source.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';
import { keepOwner, type MeteredLedger } from './all-ledgers.ts';
import type { TypedLine } from './box-account.ts';
import { lifeOf } from './box-life.ts';
import { phaseIn } from './figures.ts';
import { readInstant } from './instant.ts';
import { LedgerWriter } from './ledger-writer.ts';
import { readMeteredBox, type MeteredBox, type MeteredBoxSources } from './metered-box.ts';

const TICK_MS = 1000;
/** The sums of one box, while somebody looks; boxes take turns, so that no tick is long. */
const SHOW_EVERY_TICKS = 10;

export interface MeterOptions extends MeteredBoxSources {
  readonly hub: StreamHub;
  readonly roster: BoxRoster;
  readonly facts: Followed<OfBox<GpuFactsState>>;
  readonly findings: Followed<FindingsDelta>;
  readonly patrols: Followed<OfBox<Partial<PatrolState>>>;
  /** What a box costs per hour while it runs, whenever that is said; null: not known. */
  readonly onPriced: (boxId: string, perHour: Money | null) => void;
  readonly now?: () => Instant;
}

/** Keeps the ledger of every box, from what the other streams say. It asks nothing of any box itself. */
export class Meter {
  readonly #options: MeterOptions;
  readonly #now: () => Instant;
  readonly #topic: Topic<ByBox<BoxMeter>, BoxChange<BoxMeter>>;
  readonly #boxes = new Map<string, MeteredBox>();
  readonly #writer: LedgerWriter;
  readonly #stops: readonly (() => void)[];
  readonly #timer: ReturnType<typeof setInterval>;
  #ticks = 0;
  #lastTickMs: number;

  constructor(options: MeterOptions) {
    const { hub, roster, facts, findings, patrols, ledger, onProblem, now = readInstant } = options;
    this.#options = options;
    this.#now = now;
    this.#lastTickMs = now().upMs;
    this.#writer = new LedgerWriter({ ledger, onProblem, upMs: () => now().upMs });
    this.#topic = hub.addTopic('meter', '', {
      kind: meterStream,
      initial: { boxes: {} },
      onOpened: () => this.refresh(),
    });
    this.#stops = [
      roster.follow({
        added: (entry) => this.#put(entry),
        changed: (entry, before) => {
          if (entry.box !== before.box) this.#put(entry);
          else if (entry.link !== before.link) {
            this.#boxes.get(entry.box.id)?.linkIs(entry.link, this.#now());
          }
        },
        removed: (boxId) => this.#remove(boxId),
      }),
      findings.follow(({ boxId, findings: found }) => {
        const idle = found === null ? null : idlenessOf(found);
        const sinceMs = idle?.isIdle === true ? idle.sinceMs : null;
        this.#boxes.get(boxId)?.account.idle.told(sinceMs, this.#now().wallMs);
      }),
      facts.follow(({ boxId, value }) => this.#useFacts(boxId, value)),
      patrols.follow(({ boxId, value: { seen } }) => this.#useRuns(boxId, seen)),
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

  /** What was launched on a box: its requests may say how its logs tell progress. */
  launchedAre(boxId: string, runs: readonly Pick<LaunchedRun, 'id' | 'progress'>[]): void {
    this.#boxes.get(boxId)?.launchedAre(runs);
  }

  /** The phase and since when, by the ledger. */
  phaseOf(boxId: string): { readonly phase: Phase; readonly sinceMs: number } | null {
    const known = this.#boxes.get(boxId);
    return known === undefined ? null : phaseIn(known.account);
  }

  /** What each box of the person's costs an hour now; null: nobody knows whether it runs. */
  burns(): readonly (Estimate | null)[] {
    return [...this.#boxes.values()]
      .filter(({ box, burn }) => isInSums(box) && mayBurn(box, burn))
      .map(({ burn }) => burn);
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
    const burns = boxes.map(({ burn }) => burn);
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
    return known === undefined ? noSuchBox() : ok(known.account.ledger);
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
      known.pricesAre(prices, now, fromMs);
      this.#options.onPriced(boxId, known.pricePerHour);
      return ok(null);
    });
  }

  /** The profiles of these say other prices from now on; what was stays as it was priced then. */
  factsChanged(platforms: ReadonlySet<string>): void {
    for (const [boxId, known] of this.#boxes) {
      if (!platforms.has(known.box.platform)) continue;
      known.factsChanged(this.#now());
      this.#show(boxId, known);
    }
  }

  /** The person says what the box is, because they did it or saw it at the platform. */
  setPhase(boxId: string, phase: Phase): Result<null, Problem> {
    return this.#change(boxId, (known, now) => {
      known.phaseIs(phase, now);
      return ok(null);
    });
  }

  takeOut(boxId: string, no: number, reason: string): Result<null, Problem> {
    return this.#change(boxId, ({ account }, now) => account.takeOut(now, no, reason));
  }

  correct(boxId: string, no: number, reason: string, line: TypedLine): Result<null, Problem> {
    return this.#change(boxId, ({ account }, now) => account.correct(now, no, reason, line));
  }

  settle(boxId: string, no: number, as: Phase): Result<null, Problem> {
    return this.#change(boxId, ({ account, book }, now) =>
      account.settle(now, no, { phase: as, charges: book[as] }),
    );
  }

  /** Bytes out of the datacenter that the person knows of. */
  addTransfer(
    boxId: string,
    transfer: Pick<Transfer, 'atMs' | 'what' | 'bytes'>,
  ): Result<null, Problem> {
    return this.#change(boxId, ({ account, egressRate: rate }) => {
      account.addTransfer({ ...transfer, rate });
      return ok(null);
    });
  }

  /** Bytes that came from the box over a connection of ours. Called for each piece that arrives. */
  received(boxId: string, bytes: number): void {
    this.#boxes.get(boxId)?.account.received(bytes);
  }

  addLine(boxId: string, line: TypedLine): Result<null, Problem> {
    return this.#change(boxId, ({ account }, now) => {
      account.addLine(now, line);
      return ok(null);
    });
  }

  close(): void {
    clearInterval(this.#timer);
    for (const stop of this.#stops) stop();
    const now = this.#now();
    for (const known of this.#boxes.values()) {
      known.account.recorder.tick(now);
      known.settleReceived(now.wallMs);
    }
    this.#writer.write(this.#boxes);
    this.#boxes.clear();
  }

  #change(
    boxId: string,
    work: (known: MeteredBox, now: Instant) => Result<null, Problem>,
  ): Result<null, Problem> {
    const known = this.#boxes.get(boxId);
    if (known === undefined) return noSuchBox();
    const done = work(known, this.#now());
    if (!done.ok) return done;
    const written = this.#writer.write(this.#boxes);
    this.#show(boxId, known);
    return written;
  }

  #put(entry: FleetEntry): void {
    const { id } = entry.box;
    const known = this.#boxes.get(id);
    if (known !== undefined) {
      known.isDescribed(entry, this.#now());
      return;
    }
    const added = readMeteredBox(entry, this.#options);
    if (added === null) return;
    this.#boxes.set(id, added);
    this.#options.onPriced(id, added.pricePerHour);
    added.account.recorder.reopen(this.#now(), added.book);
    this.#show(id, added);
  }

  #remove(boxId: string): void {
    const known = this.#boxes.get(boxId);
    if (known === undefined) return;
    known.account.recorder.silent(this.#now());
    known.settleReceived(this.#now().wallMs);
    this.#writer.write(this.#boxes);
    this.#keepOwner(known);
    this.#boxes.delete(boxId);
    this.#topic.publish({ boxId, value: null });
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

  #useFacts(boxId: string, { facts, problem: failed }: GpuFactsState): void {
    const known = this.#boxes.get(boxId);
    if (known?.link.kind !== 'up') return;
    // An answer from before the link was lost says nothing about what came after.
    const { sinceMs } = known.link;
    if (facts !== null && facts.atMs >= sinceMs) known.answered(this.#now(), lifeOf(facts.machine));
    else if (failed !== null && failed.atMs >= sinceMs) known.answered(this.#now(), null);
  }

  /** Undefined: nothing new of it. */
  #useRuns(boxId: string, seen: SeenRuns | null | undefined): void {
    const known = this.#boxes.get(boxId);
    if (known === undefined || seen === undefined) return;
    known.runsAre(seen);
    this.#show(boxId, known);
  }

  #tick(): void {
    const now = this.#now();
    const isWatched = now.upMs - this.#lastTickMs <= WATCHED_MS;
    this.#lastTickMs = now.upMs;
    this.#ticks += 1;
    let place = 0;
    for (const [boxId, known] of this.#boxes) {
      place += 1;
      known.pass(now, isWatched);
      const troubles = known.account.recorder.takeTroubles();
      for (const trouble of troubles) this.#tell(known.box.name, trouble);
      const isItsTurn = (place + this.#ticks) % SHOW_EVERY_TICKS === 0;
      if (isItsTurn && this.#topic.isWatched) this.#show(boxId, known);
    }
    this.#writer.writeWhenDue(this.#boxes);
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
    this.#topic.publish({ boxId, value: known.figures(this.#now().wallMs) });
  }
}
