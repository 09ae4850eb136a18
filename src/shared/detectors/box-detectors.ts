import type { Money } from '../money.ts';
import { NO_PATROL, type PatrolState } from '../patrol/patrol-state.ts';
import type { CpuLook } from '../telemetry/cpu-look.ts';
import type { BoxGpuFacts, GpuDetails, GpuFactsState } from '../telemetry/gpu-facts.ts';
import type { GpuReading } from '../telemetry/gpu-reading.ts';
import type { TelemetryState } from '../telemetry/telemetry-state.ts';
import { NO_FINDINGS, reportFindings, type Conclusion, type JudgedBox } from './box-findings.ts';
import { boxDetectors, gpuDetectors } from './catalog.ts';
import { unknown, type Judgement } from './finding.ts';
import { GpuTrack } from './gpu-track.ts';
import { PatrolTrack } from './patrol-track.ts';
import { settle, UNSETTLED, type Settled, type Belief, type SettleTimes } from './settle.ts';
import { judgeGoneRuns } from './u3-vanished-run.ts';
import { SLOW_GAP_MS, type BoxDetector, type BoxView, type GpuDetector } from './view.ts';

/** Numbers inside a finding change all the time; the page needs no new ones more often than this. */
const REFRESH_EVERY_MS = 10_000;

const WHY_OFF = 'the box is not connected';
const NOT_CONNECTED = unknown(WHY_OFF);

/** A rule about cards that has none to look at is not clear. */
const WITHOUT_GPUS = gpuDetectors.map((detector): Conclusion => ({
  detector,
  subject: { kind: 'box' },
  belief: { kind: 'unknown', because: 'no GPU is known', before: null },
}));

/** More cards than any box has; a hostile stream may number its rows as it likes. */
const MAX_CARDS = 256;

/**
 * Everything that the rules remember of one box: the last 30 s of each card, the last two looks of the slow probe, and
 * what is believed. It knows no clock: time comes with the data.
 */
export class BoxDetectors {
  #tracks: readonly GpuTrack[] = [];
  #telemetry: TelemetryState = { kind: 'off' };
  #factsState: GpuFactsState = { facts: null, problem: null };
  #factsBefore: BoxGpuFacts | null = null;
  #cpu: CpuLook | null = null;
  #patrol: PatrolState | null = null;
  /** Outlives a boot: disks do, and what a rule says of a run names the boot's own. */
  readonly #patrolled = new PatrolTrack();
  #price: Money | null = null;
  /** What is known of runs that are gone, and of what that was said. */
  #gone: readonly Conclusion[] = [];
  #goneOf: readonly unknown[] = [];
  /** Every card since the boot, by its UUID. */
  readonly #cards = new Map<string, GpuDetails>();
  #addresses: ReadonlySet<string> = new Set();
  #settled: Settled[] = boxDetectors.map(() => UNSETTLED);
  /** Of the newest thing that the box itself said. */
  #dataAtMs: number | null = null;
  #reportedAtMs: number | null = null;
  #isChanged = true;
  #hasNewNumbers = false;
  #report: JudgedBox = NO_FINDINGS;
  readonly #boxTimes: readonly SettleTimes[];
  readonly #gpuTimes: readonly SettleTimes[];

  /** `timesOf`: how long a judgement must hold; of a text that was recorded at one moment nothing more will come. */
  constructor(timesOf: (detector: BoxDetector | GpuDetector) => SettleTimes = (each) => each) {
    this.#boxTimes = boxDetectors.map(timesOf);
    this.#gpuTimes = gpuDetectors.map(timesOf);
  }

  get findings(): JudgedBox {
    return this.#report;
  }

  useTelemetry(state: TelemetryState): void {
    this.#telemetry = state;
  }

  usePrice(price: Money | null): void {
    this.#price = price;
    this.#isChanged = true;
  }

  usePatrol(part: Partial<PatrolState>): void {
    this.#patrol = { ...(this.#patrol ?? NO_PATROL), ...part };
  }

  useCpu(look: CpuLook | null): void {
    this.#cpu = look;
  }

  useFacts(state: GpuFactsState): void {
    const { facts } = state;
    const before = this.#factsState.facts;
    this.#factsState = state;
    if (facts === null || facts === before) return;
    this.#dataAtMs = facts.atMs;
    if (before !== null && isOtherBoot(before, facts)) this.#forget();
    else this.#factsBefore = before;
    for (const gpu of facts.gpus.slice(0, MAX_CARDS)) this.#cards.set(gpu.uuid, gpu);
    this.#addresses = addressesOf(this.#cards);
    this.#placeCards(facts);
  }

  useReadings(atMs: number, readings: readonly GpuReading[]): void {
    this.#dataAtMs = atMs;
    for (const reading of readings) {
      let track = this.#tracks.find(({ index }) => index === reading.index);
      if (track === undefined) {
        if (this.#tracks.length >= MAX_CARDS) continue;
        track = new GpuTrack(reading.index, null);
        this.#setTracks([...this.#tracks, track]);
      }
      track.push(atMs, reading);
    }
  }

  /** Judges all rules; answers whether there is something to tell that was not told before. */
  judge(atMs: number): boolean {
    const view = this.#view(atMs);
    const isOff = this.#telemetry.kind === 'off';
    const dataAtMs = this.#dataAtMs ?? atMs;
    boxDetectors.forEach((detector, place) => {
      const before = this.#settled[place] ?? UNSETTLED;
      const judgement = isOff ? NOT_CONNECTED : detector.judge(view);
      const times = this.#boxTimes[place] ?? detector;
      const after = settle(before, times, judgement, atMs, dataAtMs);
      this.#settled[place] = after;
      this.#note(before.belief, after.belief);
    });
    view.gpus.forEach((gpu, place) => {
      const judgeOne = (detector: GpuDetector): Judgement =>
        isOff ? NOT_CONNECTED : detector.judge(gpu, view);
      this.#tracks[place]?.judge(judgeOne, this.#gpuTimes, { atMs, dataAtMs }, (before, after) =>
        this.#note(before, after),
      );
    });
    if (this.#patrolled.judge(this.#patrol, atMs)) this.#isChanged = true;
    this.#judgeRuns(isOff, atMs);
    const isRefreshDue =
      this.#reportedAtMs === null || Math.abs(atMs - this.#reportedAtMs) >= REFRESH_EVERY_MS;
    if (!this.#isChanged && !(this.#hasNewNumbers && isRefreshDue)) return false;
    this.#report = reportFindings(atMs, this.#conclusions(), this.#price);
    this.#reportedAtMs = atMs;
    this.#isChanged = false;
    this.#hasNewNumbers = false;
    return true;
  }

  #judgeRuns(isOff: boolean, atMs: number): void {
    const { seen, failed, gone } = this.#patrol ?? NO_PATROL;
    const of = [seen, failed, gone, isOff];
    if (this.#goneOf.length > 0 && of.every((each, i) => each === this.#goneOf[i])) return;
    const judged = judgeGoneRuns(this.#patrol, atMs);
    this.#gone = isOff ? judged.map(whileOff) : judged;
    this.#goneOf = of;
    this.#isChanged = true;
  }

  #note(before: Belief, after: Belief): void {
    if (before === after) return;
    if (before.kind === 'found' && after.kind === 'found') {
      if (before.found.severity !== after.found.severity) this.#isChanged = true;
      else this.#hasNewNumbers = true;
    } else this.#isChanged = true;
  }

  #view(atMs: number): BoxView {
    const { facts, problem } = this.#factsState;
    const fresh = facts !== null && isFresh(facts.atMs, atMs) ? facts : null;
    const before = this.#factsBefore;
    const freshBefore = before !== null && isFresh(before.atMs, atMs) ? before : null;
    return {
      atMs,
      gpus: this.#tracks.map((track) => track.view(atMs, fresh, freshBefore)),
      telemetry: this.#telemetry,
      facts: fresh,
      factsProblem: problem?.problem ?? null,
      vanished: fresh === null ? [] : this.#vanished(fresh),
      ownAddresses: this.#addresses,
      cpu: this.#cpu !== null && isFresh(this.#cpu.atMs, atMs) ? this.#cpu : null,
      patrol: this.#patrol,
      pricePerHour: this.#price,
    };
  }

  #vanished(facts: BoxGpuFacts): readonly GpuDetails[] {
    // None at all: the driver or the container does not answer (U31, driver), which says nothing of a card.
    if (facts.gpus.length === 0 || this.#cards.size === facts.gpus.length) return [];
    const listed = new Set(facts.gpus.map(({ uuid }) => uuid));
    return [...this.#cards.values()].filter(({ uuid }) => !listed.has(uuid));
  }

  /** A card's past goes with its UUID when the indices change (facts/nvidia.md, rule 3). */
  #placeCards({ gpus }: BoxGpuFacts): void {
    const tracks = gpus.slice(0, MAX_CARDS).map(({ index, uuid }) => {
      const known = this.#tracks.find((track) => track.uuid === uuid);
      const unnamed = this.#tracks.find((track) => track.index === index && track.uuid === null);
      return (known ?? unnamed ?? new GpuTrack(index, uuid)).at(index, uuid);
    });
    // A card that is listed no more is not judged any more: the Xid rule tells that it is gone.
    if (gpus.length > 0) this.#setTracks(tracks);
  }

  #setTracks(tracks: readonly GpuTrack[]): void {
    const sorted = [...tracks].sort((a, b) => a.index - b.index);
    const isSame =
      sorted.length === this.#tracks.length &&
      sorted.every((track, i) => track === this.#tracks[i]);
    this.#tracks = sorted;
    if (!isSame) this.#isChanged = true;
  }

  /** Another boot, or another start of the container: nothing that was believed is about this one. */
  #forget(): void {
    this.#tracks = [];
    this.#cards.clear();
    this.#addresses = new Set();
    this.#factsBefore = null;
    this.#cpu = null;
    this.#settled = boxDetectors.map(() => UNSETTLED);
    this.#isChanged = true;
  }

  #conclusions(): readonly Conclusion[] {
    const ofBox = boxDetectors.map((detector, place): Conclusion => ({
      detector,
      subject: { kind: 'box' },
      belief: (this.#settled[place] ?? UNSETTLED).belief,
    }));
    const ofGpus = this.#tracks.flatMap((track) =>
      gpuDetectors.map((detector, place): Conclusion => ({
        detector,
        subject: { kind: 'gpu', index: track.index, uuid: track.uuid },
        belief: track.belief(place),
      })),
    );
    return [
      ...ofBox,
      ...this.#gone,
      ...this.#patrolled.conclusions,
      ...(this.#tracks.length === 0 ? WITHOUT_GPUS : ofGpus),
    ];
  }
}

function addressesOf(cards: ReadonlyMap<string, GpuDetails>): ReadonlySet<string> {
  const addresses = new Set<string>();
  for (const { pciAddress } of cards.values()) {
    // One card without an address: any line might be about it.
    if (pciAddress === null) return new Set();
    addresses.add(pciAddress);
  }
  return addresses;
}

function whileOff({ belief, ...each }: Conclusion): Conclusion {
  const before = belief.kind === 'found' ? belief : null;
  return { ...each, belief: { kind: 'unknown', because: WHY_OFF, before } };
}

/** Three missed looks, or a clock that jumped: facts from another time say nothing about now. */
function isFresh(ofMs: number, atMs: number): boolean {
  return Math.abs(atMs - ofMs) <= SLOW_GAP_MS;
}

function isOtherBoot({ machine: a }: BoxGpuFacts, { machine: b }: BoxGpuFacts): boolean {
  return differ(a.bootId, b.bootId) || differ(a.initStartTicks, b.initStartTicks);
}

function differ<T>(a: T | null, b: T | null): boolean {
  return a !== null && b !== null && a !== b;
}
