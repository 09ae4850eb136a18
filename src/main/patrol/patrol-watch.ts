import { noSuchBox } from '../../shared/boxes/no-such-box.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import type { LookBeside } from '../../shared/patrol/look-detector.ts';
import type { PatrolState, PatrolSeen, SeenRun } from '../../shared/patrol/patrol-state.ts';
import type { ProcessRef } from '../../shared/runs/process-ref.ts';
import { judgeWork } from '../../shared/telemetry/current-figures.ts';
import type { LatestFigures } from '../../shared/telemetry/latest-figures.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import { BoxWatches } from '../boxes/box-watches.ts';
import type { ProfileBook } from '../profiles/profile-book.ts';
import { Source, type Followed, type OfBox } from '../streams/source.ts';
import { BoxPatrol, type BoxPatrolOptions } from './box-patrol.ts';

/** The first readings go before. */
const START_MS = 10_000;
/** Of boxes that come up or wake together, so many begin in a second. */
const STARTS_PER_S = 3;

export interface PatrolWatchOptions extends Pick<
  BoxPatrolOptions,
  'hub' | 'scripts' | 'dataFolder' | 'everyMs' | 'upMs' | 'onProblem' | 'log'
> {
  readonly roster: BoxRoster;
  /** What the cards of the boxes do, sample by sample. */
  readonly figures: Followed<OfBox<LatestFigures>>;
  /** What a box's cards do at present; null: not known. */
  readonly figuresOf: (boxId: string) => LatestFigures | null;
  readonly watchedOn: ProfileBook['watchedOn'];
  readonly random?: () => number;
  /** How long one look may take. */
  readonly timeoutMs?: number;
}

/** Looks at every connected box on a cadence, and publishes what runs there and what is gone (stream `patrol`). */
export class PatrolWatch {
  readonly parts = new Source<OfBox<Partial<PatrolState>>>();
  readonly #options: PatrolWatchOptions;
  readonly #watches: BoxWatches<BoxPatrol>;
  #everyMs: number;
  readonly #stopFollowing: () => void;

  constructor(options: PatrolWatchOptions) {
    this.#options = options;
    this.#everyMs = options.everyMs();
    this.#watches = new BoxWatches({
      roster: options.roster,
      open: (boxId) => this.#open(boxId),
      linkIs: (patrol, isUp) => patrol.linkIs(isUp, START_MS, this.#spreadMs),
    });
    this.#stopFollowing = options.figures.follow(({ boxId, value }) =>
      this.#watches.of(boxId)?.figuresAre(value),
    );
  }

  /** One patrol at once; answers when it is over, or why it brought nothing. */
  async now(boxId: string): Promise<Result<null, Problem>> {
    return this.#watches.of(boxId)?.now() ?? noSuchBox();
  }

  /** The same, and one that began before it was asked for does not do. */
  async afresh(boxId: string): Promise<Result<null, Problem>> {
    return this.#watches.of(boxId)?.afresh() ?? noSuchBox();
  }

  /** The person is done with a run that is gone. */
  async dismiss(boxId: string, key: string): Promise<Result<null, Problem>> {
    return this.#watches.of(boxId)?.dismiss(key) ?? noSuchBox();
  }

  /** A run of the box as its newest look listed it. */
  runOf(boxId: string, process: ProcessRef): SeenRun | null {
    return this.#watches.of(boxId)?.runOf(process) ?? null;
  }

  /** What the newest look listed; null: there was none. */
  seenOn(boxId: string): PatrolSeen | null {
    return this.#watches.of(boxId)?.seen ?? null;
  }

  wake(): void {
    for (const patrol of this.#watches.all) patrol.wake(this.#spreadMs);
  }

  /** The person chose something, perhaps how often is looked. */
  settingsChanged(): void {
    const everyMs = this.#options.everyMs();
    if (everyMs === this.#everyMs) return;
    this.#everyMs = everyMs;
    for (const patrol of this.#watches.all) patrol.everyChanged();
  }

  /** Resolves when nothing is under way any more. What is remembered stays. */
  close(): Promise<void> {
    this.#stopFollowing();
    return this.#watches.close();
  }

  get #spreadMs(): number {
    return (this.#watches.all.length * 1000) / STARTS_PER_S;
  }

  #open(boxId: string): BoxPatrol {
    const { random = Math.random, timeoutMs, watchedOn, figuresOf, ...options } = this.#options;
    const beside = (): LookBeside => {
      return {
        ...watchedOn(options.roster.boxOf(boxId)?.platform ?? null),
        // Which card is a run's own is not known here: only where all do the same, its own does.
        isGpuWorking: judgeWork(figuresOf(boxId)),
      };
    };
    const onProblem = (found: Problem): void => {
      const name = options.roster.boxOf(boxId)?.name ?? boxId;
      options.onProblem({ ...found, message: `${name}: ${found.message}` });
    };
    return new BoxPatrol({
      ...options,
      boxId,
      beside,
      random,
      timeoutMs,
      onProblem,
      onPart: (value) => this.parts.tell({ boxId, value }),
    });
  }
}
