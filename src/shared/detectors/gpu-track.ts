import type { BoxGpuFacts } from '../telemetry/gpu-facts.ts';
import { gpuKeyOf } from '../telemetry/gpu-facts.ts';
import type { GpuReading } from '../telemetry/gpu-reading.ts';
import { gpuDetectors } from './catalog.ts';
import type { Judgement } from './finding.ts';
import { RecentReadings } from './recent-readings.ts';
import { settle, UNSETTLED, type Settled, type Belief, type SettleTimes } from './settle.ts';
import type { GpuDetector, GpuView } from './view.ts';

/** A mean clock under this load is what the card can do. */
const LOADED_FROM_PCT = 80;

/** What the rules remember of one card. */
export class GpuTrack {
  #index: number;
  #uuid: string | null;
  readonly #recent = new RecentReadings();
  readonly #settled: Settled[] = gpuDetectors.map(() => UNSETTLED);
  #bestClockMHz: number | null = null;
  /** What the last two looks say of this card: each look is judged many times. */
  #told: ToldByLook = NOTHING_TOLD;
  #toldBefore: ToldByLook = NOTHING_TOLD;

  constructor(index: number, uuid: string | null) {
    this.#index = index;
    this.#uuid = uuid;
  }

  get index(): number {
    return this.#index;
  }

  get uuid(): string | null {
    return this.#uuid;
  }

  /** The same card, where it is found now. */
  at(index: number, uuid: string): this {
    if (index !== this.#index) this.#recent.clear(); // rows of the old index may have been another card's
    if (index !== this.#index || uuid !== this.#uuid) {
      this.#told = NOTHING_TOLD;
      this.#toldBefore = NOTHING_TOLD;
    }
    this.#index = index;
    this.#uuid = uuid;
    return this;
  }

  push(atMs: number, reading: GpuReading): void {
    this.#recent.push(atMs, reading);
    const clockMHz = this.#recent.mean('smClockMHz');
    const isLoaded =
      (this.#recent.mean('smPct') ?? 0) >= LOADED_FROM_PCT && this.#recent.isTelling(atMs);
    if (isLoaded && clockMHz !== null) {
      this.#bestClockMHz = Math.max(this.#bestClockMHz ?? 0, clockMHz);
    }
  }

  view(atMs: number, facts: BoxGpuFacts | null, before: BoxGpuFacts | null): GpuView {
    const [told, toldBefore] = [this.#toldBy(facts), this.#toldBy(before)];
    this.#told = told;
    this.#toldBefore = toldBefore;
    return {
      index: this.#index,
      uuid: this.#uuid,
      recent: this.#recent.isTelling(atMs) ? this.#recent : null,
      details: told.details,
      detailsBefore: toldBefore.details,
      detailsAtMs: facts?.atMs ?? null,
      processes: told.processes,
      bestClockMHz: this.#bestClockMHz,
    };
  }

  judge(
    judgeOne: (detector: GpuDetector) => Judgement,
    times: readonly SettleTimes[],
    { atMs, dataAtMs }: { readonly atMs: number; readonly dataAtMs: number },
    onJudged: (before: Belief, after: Belief) => void,
  ): void {
    for (let place = 0; place < gpuDetectors.length; place += 1) {
      const detector = gpuDetectors[place] as GpuDetector;
      const before = this.#settled[place] ?? UNSETTLED;
      const after = settle(before, times[place] ?? detector, judgeOne(detector), atMs, dataAtMs);
      this.#settled[place] = after;
      onJudged(before.belief, after.belief);
    }
  }

  belief(place: number): Belief {
    return (this.#settled[place] ?? UNSETTLED).belief;
  }

  #toldBy(facts: BoxGpuFacts | null): ToldByLook {
    if (facts === null) return NOTHING_TOLD;
    if (facts === this.#told.look) return this.#told;
    if (facts === this.#toldBefore.look) return this.#toldBefore;
    const details = facts.gpus.find(({ uuid }) => uuid === this.#uuid) ?? null;
    return { look: facts, details, processes: this.#processesOf(facts) };
  }

  #processesOf(facts: BoxGpuFacts): GpuView['processes'] {
    if (facts.processes.kind === 'unknown') return null;
    const key = gpuKeyOf(this.#index, this.#uuid);
    return facts.processes.processes.filter(({ gpu }) => gpu === key);
  }
}

interface ToldByLook extends Pick<GpuView, 'details' | 'processes'> {
  readonly look: BoxGpuFacts | null;
}

const NOTHING_TOLD: ToldByLook = { look: null, details: null, processes: null };
