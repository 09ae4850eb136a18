import type { Box } from '../../shared/boxes/box.ts';
import {
  NO_SPARKS,
  SPARK_MINUTES,
  sparksStream,
  type SparkMinute,
  type SparksDelta,
  type SparksState,
} from '../../shared/streams/sparks-stream.ts';
import type { LatestFigures } from '../../shared/telemetry/latest-figures.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import type { Followed, OfBox } from '../streams/source.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';

const MINUTE_MS = 60_000;

export interface SparkWatchOptions {
  readonly hub: StreamHub;
  readonly roster: BoxRoster;
  readonly figures: Followed<OfBox<LatestFigures>>;
  /** What earlier sessions kept of a box in this range; what cannot be read is missing. */
  readonly pastOf: (boxId: string, fromMs: number, toMs: number) => Promise<readonly SparkMinute[]>;
  readonly now?: () => number;
}

interface RunningMinute {
  readonly minute: number;
  sum: number;
  count: number;
}

/** The last hour of every box in a few numbers, for the fleet page. It asks nothing of any box. */
export class SparkWatch {
  readonly #options: SparkWatchOptions;
  readonly #topic: Topic<SparksState, SparksDelta>;
  readonly #running = new Map<string, RunningMinute | null>();
  /** Where each box is. */
  readonly #places = new Map<string, string>();
  readonly #stops: readonly (() => void)[];
  /** Read one after the other: a hundred boxes come at once. */
  #reading = Promise.resolve();

  constructor(options: SparkWatchOptions) {
    this.#options = options;
    const { hub, roster, figures } = options;
    this.#topic = hub.addTopic('sparks', '', { kind: sparksStream, initial: NO_SPARKS });
    this.#stops = [
      roster.follow({
        added: ({ box }) => this.#put(box),
        changed: ({ box }, before) => {
          if (box !== before.box) this.#put(box);
        },
        removed: (boxId) => {
          this.#running.delete(boxId);
          this.#places.delete(boxId);
          this.#topic.publish({ boxId, minutes: null });
        },
      }),
      figures.follow(({ boxId, value }) => this.#add(boxId, value)),
    ];
  }

  /** Resolves when the past of every box that came so far is read. */
  settled(): Promise<void> {
    return this.#reading;
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#running.clear();
    this.#places.clear();
  }

  #put({ id: boxId, address, route }: Box): void {
    const before = this.#places.get(boxId);
    const place = JSON.stringify([address, route]);
    this.#places.set(boxId, place);
    if (before === place) return;
    this.#running.set(boxId, null);
    // The load at another place was that of the old one.
    if (before !== undefined) this.#topic.publish({ boxId, minutes: null });
    else this.#reading = this.#reading.then(() => this.#readPast(boxId));
  }

  async #readPast(boxId: string): Promise<void> {
    const { pastOf, now = Date.now } = this.#options;
    if (!this.#running.has(boxId)) return;
    const nowMs = now();
    const minutes = await pastOf(boxId, nowMs - SPARK_MINUTES * MINUTE_MS, nowMs);
    if (!this.#running.has(boxId) || minutes.length === 0) return;
    this.#topic.publish({ boxId, minutes });
  }

  #add(boxId: string, { atMs, smPct }: LatestFigures): void {
    const minute = Math.floor(atMs / MINUTE_MS);
    let running = this.#running.get(boxId);
    if (running === undefined) return;
    if (running?.minute !== minute) {
      if (running !== null) this.#end(boxId, running);
      running = { minute, sum: 0, count: 0 };
      this.#running.set(boxId, running);
    }
    if (smPct === null) return;
    running.sum += smPct;
    running.count += 1;
  }

  #end(boxId: string, { minute, sum, count }: RunningMinute): void {
    const smPct = count === 0 ? null : Math.round((sum / count) * 10) / 10;
    this.#topic.publish({ boxId, minutes: [{ minute, smPct }] });
  }
}
