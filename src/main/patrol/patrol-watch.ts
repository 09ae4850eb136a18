import { isSameWay } from '../../shared/boxes/same-way.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, type Result } from '../../shared/result.ts';
import type { LookBeside } from '../../shared/patrol/look-detector.ts';
import type { FleetDelta, FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { judgeWork } from '../../shared/telemetry/current-figures.ts';
import type { StreamHub } from '../streams/stream-hub.ts';
import { BoxPatrol, type BoxPatrolOptions } from './box-patrol.ts';

/** The first readings go before. */
const START_MS = 10_000;
/** Of boxes that come up or wake together, so many begin in a second. */
const STARTS_PER_S = 3;

export interface PatrolWatchOptions extends Pick<
  BoxPatrolOptions,
  'connectionOf' | 'scripts' | 'dataFolder' | 'everyMs' | 'upMs' | 'log'
> {
  readonly hub: StreamHub;
  readonly random?: () => number;
  /** How long one look may take. */
  readonly timeoutMs?: number;
}

interface WatchedBox {
  entry: FleetEntry;
  readonly patrol: BoxPatrol;
}

/** Looks at every connected box on a cadence, and publishes what runs there and what is gone (stream `patrol`). */
export class PatrolWatch {
  readonly #options: PatrolWatchOptions;
  readonly #boxes = new Map<string, WatchedBox>();
  readonly #closing = new Set<Promise<void>>();
  readonly #stopFollowing: () => void;
  #everyMs: number;

  constructor(options: PatrolWatchOptions) {
    this.#options = options;
    this.#everyMs = options.everyMs();
    this.#stopFollowing = options.hub.follow('fleet', '', (delta) => this.#take(delta));
  }

  /** One patrol at once; answers when it is over, or why it brought nothing. */
  async now(boxId: string): Promise<Result<null, Problem>> {
    return this.#boxes.get(boxId)?.patrol.now() ?? noSuchBox();
  }

  /** The person is done with a run that is gone. */
  async dismiss(boxId: string, key: string): Promise<Result<null, Problem>> {
    return this.#boxes.get(boxId)?.patrol.dismiss(key) ?? noSuchBox();
  }

  wake(): void {
    for (const { patrol } of this.#boxes.values()) patrol.wake(this.#spreadMs);
  }

  /** The person chose something, perhaps how often is looked. */
  settingsChanged(): void {
    const everyMs = this.#options.everyMs();
    if (everyMs === this.#everyMs) return;
    this.#everyMs = everyMs;
    for (const { patrol } of this.#boxes.values()) patrol.everyChanged();
  }

  /** Resolves when nothing is under way any more. What is remembered stays. */
  async close(): Promise<void> {
    this.#stopFollowing();
    for (const boxId of [...this.#boxes.keys()]) this.#drop(boxId, false);
    await Promise.all(this.#closing);
  }

  get #spreadMs(): number {
    return (this.#boxes.size * 1000) / STARTS_PER_S;
  }

  #take(delta: FleetDelta): void {
    if (delta.kind === 'remove') {
      this.#drop(delta.boxId, true);
      return;
    }
    if (delta.kind === 'put') {
      const { entry } = delta;
      const { box, link } = entry;
      const known = this.#boxes.get(box.id);
      if (known === undefined) this.#boxes.set(box.id, this.#open(entry));
      else {
        if (!isSameWay(known.entry.box, box)) known.patrol.moved();
        known.entry = entry;
      }
      this.#linkIs(box.id, link.kind === 'up');
      return;
    }
    const changed = this.#boxes.get(delta.boxId);
    if (changed !== undefined) changed.entry = { ...changed.entry, ...delta.part };
    if (delta.part.link !== undefined) {
      this.#linkIs(delta.boxId, delta.part.link.kind === 'up');
    }
  }

  #open(entry: FleetEntry): WatchedBox {
    const { random = Math.random, timeoutMs, ...options } = this.#options;
    const boxId = entry.box.id;
    const beside = (): LookBeside => {
      const now = this.#boxes.get(boxId)?.entry ?? null;
      return {
        platform: now?.box.platform ?? null,
        // Which card is a run's own is not known here: only where all do the same, its own does.
        isGpuWorking: now === null ? null : judgeWork(now, Date.now()),
      };
    };
    return { entry, patrol: new BoxPatrol({ ...options, boxId, beside, random, timeoutMs }) };
  }

  #linkIs(boxId: string, isUp: boolean): void {
    this.#boxes.get(boxId)?.patrol.linkIs(isUp, START_MS, this.#spreadMs);
  }

  #drop(boxId: string, isForgotten: boolean): void {
    const watched = this.#boxes.get(boxId);
    if (watched === undefined) return;
    this.#boxes.delete(boxId);
    const closing = watched.patrol
      .close({ isForgotten })
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

function noSuchBox(): Result<never, Problem> {
  return err(problem('no-such-box', 'This box is not in the list any more.'));
}
