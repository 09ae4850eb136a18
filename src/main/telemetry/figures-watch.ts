import {
  emptyFigures,
  figuresStream,
  figuresToWire,
  type FiguresDelta,
  type FiguresState,
} from '../../shared/streams/figures-stream.ts';
import type { ReadingsCycle } from '../../shared/streams/readings-stream.ts';
import { judgeLoad } from '../../shared/telemetry/box-load.ts';
import { FRESH_MS, readCurrent } from '../../shared/telemetry/current-figures.ts';
import { foldReadings, type LatestFigures } from '../../shared/telemetry/latest-figures.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import { Source, type Followed, type OfBox } from '../streams/source.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';

const LOOK_EVERY_MS = 1000;
/** Loads that only became more or less are told together after so many looks: a list that changes each second cannot be read. */
const LOOKS_TO_LOADS = 5;

export interface FiguresWatchOptions {
  readonly hub: StreamHub;
  readonly roster: BoxRoster;
  readonly readings: Followed<OfBox<ReadingsCycle>>;
  readonly now?: () => number;
}

/**
 * Folds each sample over the cards of its box. With each sample it tells who follows the figures (stream `figures`, open
 * while somebody looks at them); the roster, which every window follows, hears only what the rail says of a load.
 */
export class FiguresWatch {
  readonly figures = new Source<OfBox<LatestFigures>>();
  readonly #roster: BoxRoster;
  readonly #now: () => number;
  readonly #topic: Topic<FiguresState, FiguresDelta>;
  readonly #stops: readonly (() => void)[];
  readonly #timer: ReturnType<typeof setInterval>;
  #looks = 0;

  constructor({ hub, roster, readings, now = Date.now }: FiguresWatchOptions) {
    this.#roster = roster;
    this.#now = now;
    this.#topic = hub.addTopic('figures', '', {
      kind: figuresStream,
      initial: emptyFigures(),
      toWire: figuresToWire,
    });
    this.#stops = [
      roster.follow({ removed: (boxId) => this.#topic.publish({ boxId, figures: null }) }),
      readings.follow(({ boxId, value: { atMs, readings: read } }) =>
        this.#take(boxId, foldReadings(atMs, read)),
      ),
    ];
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  /** Null: there are none that still describe the present. */
  currentOf(boxId: string): LatestFigures | null {
    const entry = this.#roster.entryOf(boxId);
    return entry === null ? null : readCurrent(entry, this.#topic.state.boxes.get(boxId));
  }

  close(): void {
    clearInterval(this.#timer);
    for (const stop of this.#stops) stop();
  }

  #take(boxId: string, figures: LatestFigures): void {
    this.#topic.publish({ boxId, figures });
    this.figures.tell({ boxId, value: figures });
    const load = judgeLoad(figures);
    if (load.kind !== this.#roster.entryOf(boxId)?.load?.kind) this.#roster.change(boxId, { load });
  }

  /** What stops coming tells nobody so. */
  #look(): void {
    this.#looks += 1;
    const isTimeForLoads = this.#looks % LOOKS_TO_LOADS === 0;
    const nowMs = this.#now();
    for (const { box, load } of this.#roster.entries) {
      const figures = this.#topic.state.boxes.get(box.id);
      if (load === null || load.kind === 'stale' || figures === undefined) continue;
      if (nowMs - figures.atMs > FRESH_MS) {
        this.#roster.change(box.id, { load: { kind: 'stale', seenAtMs: figures.atMs } });
      } else if (isTimeForLoads && load.kind === 'working' && load.smPct !== figures.smPct) {
        this.#roster.change(box.id, { load: judgeLoad(figures) });
      }
    }
  }
}
