import { tellFindings, type Catalog } from '../../shared/detectors/alert-words.ts';
import type { Box } from '../../shared/boxes/box.ts';
import { isSameWay } from '../../shared/boxes/same-way.ts';
import { BoxDetectors } from '../../shared/detectors/box-detectors.ts';
import type { Money } from '../../shared/money.ts';
import type { PatrolState } from '../../shared/patrol/patrol-state.ts';
import {
  EMPTY_FINDINGS,
  findingsStream,
  type FindingsDelta,
  type FindingsState,
} from '../../shared/streams/findings-stream.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import type { ReadingsCycle } from '../../shared/streams/readings-stream.ts';
import type { GpuFactsState } from '../../shared/telemetry/gpu-facts.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import { Source, type Followed, type OfBox } from '../streams/source.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';

/** Silence is news too: a box that says nothing is judged all the same, and turns unknown. */
const LOOK_EVERY_MS = 5000;
/** Rows come every second, and rules look at means over 30 s: between two judgements they are only taken in. */
const JUDGE_ROWS_EVERY_MS = 2000;
/** Rows come a little early, too. */
const ROWS_EARLY_MS = 200;

export interface FindingsWatchOptions {
  readonly hub: StreamHub;
  readonly roster: BoxRoster;
  readonly readings: Followed<OfBox<ReadingsCycle>>;
  readonly facts: Followed<OfBox<GpuFactsState>>;
  readonly patrols: Followed<OfBox<Partial<PatrolState>>>;
  /** There is a box, so `useCatalog` is waited for: reading the entries takes main some time. */
  readonly needCatalog: () => void;
  readonly now?: () => number;
}

/** Runs the detectors over what is told of every box and publishes what they find. It asks nothing of any box itself. */
export class FindingsWatch {
  readonly findings = new Source<FindingsDelta>();
  readonly #needCatalog: () => void;
  readonly #now: () => number;
  readonly #topic: Topic<FindingsState, FindingsDelta>;
  readonly #boxes = new Map<string, WatchedBox>();
  /** What a box costs per hour; null: not known. */
  readonly #prices = new Map<string, Money | null>();
  readonly #stops: readonly (() => void)[];
  #timer: ReturnType<typeof setInterval> | null = null;
  #isCatalogAsked = false;
  /** Null: it is being read, and nothing can be told without it. */
  #catalog: Catalog | null = null;

  constructor(options: FindingsWatchOptions) {
    const { hub, roster, readings, facts, patrols, needCatalog, now = Date.now } = options;
    this.#needCatalog = needCatalog;
    this.#now = now;
    this.#topic = hub.addTopic('findings', '', { kind: findingsStream, initial: EMPTY_FINDINGS });
    this.#stops = [
      roster.follow({
        added: (entry) => this.#put(entry),
        changed: (entry, before) => {
          if (entry.box !== before.box) this.#put(entry);
          else if (entry.telemetry !== before.telemetry) this.#useTelemetry(entry);
        },
        removed: (boxId) => {
          this.#forget(boxId);
          this.#prices.delete(boxId);
        },
      }),
      readings.follow(({ boxId, value: { atMs, readings: read } }) => {
        const watched = this.#boxes.get(boxId);
        if (watched === undefined) return;
        watched.detectors.useReadings(atMs, read);
        const sinceMs = Math.abs(this.#now() - watched.judgedAtMs);
        if (sinceMs >= JUDGE_ROWS_EVERY_MS - ROWS_EARLY_MS) this.#judge(boxId, atMs);
      }),
      patrols.follow(({ boxId, value }) => {
        this.#boxes.get(boxId)?.detectors.usePatrol(value);
        this.#judge(boxId, this.#now());
      }),
      facts.follow(({ boxId, value }) => {
        const detectors = this.#boxes.get(boxId)?.detectors;
        detectors?.useFacts(value);
        detectors?.useCpu(value.facts?.cpu ?? null);
        this.#judge(boxId, this.#now());
      }),
    ];
  }

  get state(): FindingsState {
    return this.#topic.state;
  }

  /** What a box costs per hour was said, or taken back. */
  priceIs(boxId: string, perHour: Money | null): void {
    this.#prices.set(boxId, perHour);
    this.#boxes.get(boxId)?.detectors.usePrice(perHour);
    this.#judge(boxId, this.#now());
  }

  /** The entries as they are now: the person may have written other words. */
  useCatalog(catalog: Catalog): void {
    this.#catalog = catalog;
    for (const [boxId, { detectors }] of this.#boxes) this.#tell(boxId, detectors);
  }

  close(): void {
    for (const stop of this.#stops) stop();
    for (const boxId of [...this.#boxes.keys()]) this.#forget(boxId);
  }

  #useTelemetry({ box, telemetry }: FleetEntry): void {
    this.#boxes.get(box.id)?.detectors.useTelemetry(telemetry);
    this.#judge(box.id, this.#now());
  }

  #put({ box, telemetry }: FleetEntry): void {
    const known = this.#boxes.get(box.id);
    // What was believed was about the machine that stood at the old place.
    if (known === undefined || !isSameWay(known.box, box)) {
      this.#boxes.set(box.id, { box, detectors: new BoxDetectors(), judgedAtMs: 0 });
    } else known.box = box;
    const detectors = this.#boxes.get(box.id)?.detectors;
    detectors?.useTelemetry(telemetry);
    detectors?.usePrice(this.#prices.get(box.id) ?? null);
    this.#judge(box.id, this.#now());
    if (!this.#isCatalogAsked) {
      this.#isCatalogAsked = true;
      this.#needCatalog();
    }
    this.#timer ??= setInterval(() => this.#lookAtSilentBoxes(), LOOK_EVERY_MS);
  }

  #judge(boxId: string, atMs: number): void {
    const watched = this.#boxes.get(boxId);
    if (watched === undefined) return;
    watched.judgedAtMs = this.#now();
    if (watched.detectors.judge(atMs)) this.#tell(boxId, watched.detectors);
  }

  #publish(delta: FindingsDelta): void {
    this.#topic.publish(delta);
    this.findings.tell(delta);
  }

  #tell(boxId: string, detectors: BoxDetectors): void {
    if (this.#catalog === null) return;
    this.#publish({ boxId, findings: tellFindings(detectors.findings, this.#catalog) });
  }

  #lookAtSilentBoxes(): void {
    const now = this.#now();
    for (const [boxId, { judgedAtMs }] of this.#boxes) {
      if (Math.abs(now - judgedAtMs) >= LOOK_EVERY_MS - 1000) this.#judge(boxId, now);
    }
  }

  #forget(boxId: string): void {
    if (!this.#boxes.delete(boxId)) return;
    this.#publish({ boxId, findings: null });
    if (this.#boxes.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}

interface WatchedBox {
  box: Box;
  readonly detectors: BoxDetectors;
  judgedAtMs: number;
}
