import type { Box } from '../../shared/boxes/box.ts';
import { isSameWay } from '../../shared/boxes/same-way.ts';
import { BoxDetectors } from '../../shared/detectors/box-detectors.ts';
import type { Money } from '../../shared/money.ts';
import {
  EMPTY_FINDINGS,
  findingsStream,
  type FindingsDelta,
  type FindingsState,
} from '../../shared/streams/findings-stream.ts';
import type { FleetDelta, FleetEntry } from '../../shared/streams/fleet-stream.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';

/** Silence is news too: a box that says nothing is judged all the same, and turns unknown. */
const LOOK_EVERY_MS = 5000;

export interface FindingsWatchOptions {
  readonly hub: StreamHub;
  /** What a box costs per hour; null: not known. */
  readonly priceOf: (boxId: string) => Money | null;
  readonly now?: () => number;
}

/** Runs the detectors over every box's streams and publishes what they find. It asks nothing of any box itself. */
export class FindingsWatch {
  readonly #hub: StreamHub;
  readonly #priceOf: (boxId: string) => Money | null;
  readonly #now: () => number;
  readonly #topic: Topic<FindingsState, FindingsDelta>;
  readonly #boxes = new Map<string, WatchedBox>();
  readonly #stopFollowing: () => void;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor({ hub, priceOf, now = Date.now }: FindingsWatchOptions) {
    this.#hub = hub;
    this.#priceOf = priceOf;
    this.#now = now;
    this.#topic = hub.addTopic('findings', '', { kind: findingsStream, initial: EMPTY_FINDINGS });
    this.#stopFollowing = hub.follow('fleet', '', (delta) => this.#followFleet(delta));
  }

  get state(): FindingsState {
    return this.#topic.state;
  }

  /** The price of a box was said, or taken back. */
  priceChanged(boxId: string): void {
    const watched = this.#boxes.get(boxId);
    if (watched === undefined) return;
    watched.detectors.usePrice(this.#priceOf(boxId));
    this.#judge(boxId, this.#now());
  }

  close(): void {
    this.#stopFollowing();
    for (const boxId of [...this.#boxes.keys()]) this.#forget(boxId);
  }

  #followFleet(delta: FleetDelta): void {
    switch (delta.kind) {
      case 'put':
        this.#put(delta.entry);
        return;
      case 'change':
        if (delta.part.telemetry === undefined) return;
        this.#boxes.get(delta.boxId)?.detectors.useTelemetry(delta.part.telemetry);
        this.#judge(delta.boxId, this.#now());
        return;
      case 'remove':
        this.#forget(delta.boxId);
    }
  }

  #put({ box, telemetry }: FleetEntry): void {
    const known = this.#boxes.get(box.id);
    // What was believed was about the machine that stood at the old place.
    if (known === undefined || !isSameWay(known.box, box)) {
      known?.stop();
      this.#boxes.set(box.id, this.#watch(box));
    } else known.box = box;
    const detectors = this.#boxes.get(box.id)?.detectors;
    detectors?.useTelemetry(telemetry);
    detectors?.usePrice(this.#priceOf(box.id));
    this.#judge(box.id, this.#now());
    this.#timer ??= setInterval(() => this.#lookAtSilentBoxes(), LOOK_EVERY_MS);
  }

  #watch(box: Box): WatchedBox {
    const boxId = box.id;
    const detectors = new BoxDetectors();
    const stops = [
      this.#hub.follow('readings', boxId, (delta) => {
        if (delta.kind !== 'cycle') return;
        detectors.useReadings(delta.atMs, delta.readings);
        this.#judge(boxId, delta.atMs);
      }),
      this.#hub.follow('patrol', boxId, (part) => {
        detectors.usePatrol(part);
        this.#judge(boxId, this.#now());
      }),
      this.#hub.follow('gpu-facts', boxId, (state) => {
        detectors.useFacts(state);
        detectors.useCpu(state.facts?.cpu ?? null);
        this.#judge(boxId, this.#now());
      }),
    ];
    return {
      box,
      detectors,
      judgedAtMs: 0,
      stop: () => {
        for (const stop of stops) stop();
      },
    };
  }

  #judge(boxId: string, atMs: number): void {
    const watched = this.#boxes.get(boxId);
    if (watched === undefined) return;
    watched.judgedAtMs = this.#now();
    if (!watched.detectors.judge(atMs)) return;
    this.#topic.publish({ boxId, findings: watched.detectors.findings });
  }

  #lookAtSilentBoxes(): void {
    const now = this.#now();
    for (const [boxId, { judgedAtMs }] of this.#boxes) {
      if (Math.abs(now - judgedAtMs) >= LOOK_EVERY_MS - 1000) this.#judge(boxId, now);
    }
  }

  #forget(boxId: string): void {
    const watched = this.#boxes.get(boxId);
    if (watched === undefined) return;
    watched.stop();
    this.#boxes.delete(boxId);
    this.#topic.publish({ boxId, findings: null });
    if (this.#boxes.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}

interface WatchedBox {
  box: Box;
  readonly detectors: BoxDetectors;
  judgedAtMs: number;
  readonly stop: () => void;
}
