import type { Box } from '../../shared/boxes/box.ts';
import { isSameWay } from '../../shared/boxes/same-way.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, type Result } from '../../shared/result.ts';
import type { LookBeside } from '../../shared/patrol/look-detector.ts';
import type { SeenRun } from '../../shared/patrol/patrol-state.ts';
import type { FleetDelta } from '../../shared/streams/fleet-stream.ts';
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
  box: Box;
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

  /** A run of the box as its newest look listed it. */
  runOf(boxId: string, key: string): SeenRun | null {
    return this.#boxes.get(boxId)?.patrol.runOf(key) ?? null;
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
      const { box, link } = delta.entry;
      const known = this.#boxes.get(box.id);
      if (known === undefined) this.#boxes.set(box.id, this.#open(box));
      else {
        if (!isSameWay(known.box, box)) known.patrol.moved();
        known.box = box;
      }
      this.#linkIs(box.id, link.kind === 'up');
      return;
    }
    if (delta.part.link !== undefined) {
      this.#linkIs(delta.boxId, delta.part.link.kind === 'up');
    }
  }

  #open(box: Box): WatchedBox {
    const { random = Math.random, timeoutMs, ...options } = this.#options;
    // Whether the cards work is not followed here: a silent log is then judged by what the look itself sees.
    const beside = (): LookBeside => ({
      platform: this.#boxes.get(box.id)?.box.platform ?? null,
      isGpuWorking: null,
    });
    return { box, patrol: new BoxPatrol({ ...options, boxId: box.id, beside, random, timeoutMs }) };
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
