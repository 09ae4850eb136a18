import { noSuchBox } from '../../shared/boxes/no-such-box.ts';
import type { RunNews } from '../../shared/news/kinds/run-news.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import {
  NO_LAUNCHED_RUNS,
  type LaunchedRun,
  type LaunchedRuns,
  type ResultFile,
} from '../../shared/runs/launch/launched-run.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import { BoxWatches } from '../boxes/box-watches.ts';
import { Source, type OfBox } from '../streams/source.ts';
import { AwaitedEnds } from './awaited-ends.ts';
import { BoxRuns, type BoxRunsOptions } from './box-runs.ts';
import { KeptRunIds } from './kept-run-ids.ts';
import type { LogName } from './log-bytes.ts';
import { lookAtRuns } from './look-at-runs.ts';
import { SeenRuns, type BecameOfLaunch, type SeenRun } from './seen-runs.ts';

/** Of boxes that come up together, so many are looked at in a second. */
const STARTS_PER_S = 10;

export interface RunWatchOptions extends Omit<
  BoxRunsOptions,
  'boxId' | 'ends' | 'onOver' | 'onLooked'
> {
  readonly roster: BoxRoster;
  readonly onOver: (news: RunNews) => void;
  readonly random?: () => number;
}

/** Which runs were launched on each box, and how they stand (stream `launched-runs`, and `run-log` for each run). */
export class RunWatch {
  readonly #options: RunWatchOptions;
  readonly #ends: AwaitedEnds;
  readonly #begun: KeptRunIds;
  readonly #seen: SeenRuns;
  readonly #watches: BoxWatches<BoxRuns>;
  /** The runs of each box, each time that it was asked for them. */
  readonly looked = new Source<OfBox<LaunchedRuns>>();

  constructor(options: RunWatchOptions) {
    this.#options = options;
    this.#ends = new AwaitedEnds(options);
    this.#begun = new KeptRunIds(options);
    this.#seen = new SeenRuns(options);
    this.#watches = new BoxWatches({
      roster: options.roster,
      open: (boxId) =>
        new BoxRuns({
          ...options,
          boxId,
          ends: this.#ends,
          onOver: (run) => this.#tell(boxId, run),
          onLooked: (runs) => {
            this.#seen.add(boxId, runs.runs);
            this.looked.tell({ boxId, value: runs });
          },
        }),
      linkIs: (runs, isUp) => runs.linkIs(isUp, this.#spreadMs()),
    });
    for (const stream of ['run-log', 'run-metrics'] as const) {
      options.hub.makeOnDemand(stream, (key) => this.#openCellLog(key));
    }
  }

  async look(boxId: string): Promise<Result<LaunchedRuns, Problem>> {
    return this.#watches.of(boxId)?.look() ?? noSuchBox();
  }

  /** With older ones that are over, which a look leaves out, and without those that never began. */
  async lookAtAll(boxId: string): Promise<Result<LaunchedRuns, Problem>> {
    await this.#settleUnheard(boxId);
    return this.#watches.of(boxId)?.lookAtAll() ?? noSuchBox();
  }

  /** The queue that a run of the box goes through, at once. */
  async lookAtQueue(boxId: string, id: string): Promise<void> {
    await this.#watches.of(boxId)?.lookAtQueue(id);
  }

  /** A run of the box as its newest look listed it. */
  runOf(boxId: string, id: string): LaunchedRun | null {
    return this.#watches.of(boxId)?.runOf(id) ?? null;
  }

  /** The box that is connected and shows this run alive by its newest look; null: none does. */
  aliveOn(id: string): string | null {
    return this.#watches.all.find((runs) => runs.showsAlive(id))?.boxId ?? null;
  }

  /** All runs of the box as its newest look listed them. */
  runsOf(boxId: string): readonly LaunchedRun[] {
    return this.seenOf(boxId).runs;
  }

  /** The same, and when that was. */
  seenOf(boxId: string): LaunchedRuns {
    return this.#watches.of(boxId)?.seen ?? NO_LAUNCHED_RUNS;
  }

  /** The log of a run, or of the cell with this index; null: of the run itself. */
  logOf(boxId: string, id: string, cell: number | null): LogName {
    return this.#watches.of(boxId)?.logOf(id, cell) ?? { runId: id };
  }

  /** The results of a run of the box were listed. */
  resultsListed(boxId: string, id: string, files: readonly ResultFile[]): void {
    this.#watches.of(boxId)?.resultsListed(id, files);
  }

  /** Where the figures of a run or of one cell come from; null: from its log. */
  chooseMetrics(boxId: string, id: string, cell: number | null, source: string | null): void {
    this.#watches.of(boxId)?.chooseMetrics(id, cell, source);
  }

  /** It is about to be launched: its end is to be told, however soon it comes. Returns how to say what came of it, where it did not begin. */
  expect(boxId: string, id: string): (became: BecameOfLaunch) => void {
    this.#ends.expect(boxId, id);
    return this.#seen.expect(boxId, id);
  }

  /** This computer launched it; of all other runs only the box says what they are. */
  hasBegun(boxId: string, id: string): boolean {
    return this.#begun.has(boxId, id);
  }

  /** All that any look at the box has ever told of, also where the box does not any more. */
  everSeenOn(boxId: string): Result<readonly SeenRun[], Problem> {
    return this.#seen.of(boxId);
  }

  /** Another machine is at its address. */
  isAnotherMachine(boxId: string): void {
    this.#seen.clear(boxId);
  }

  wake(): void {
    for (const runs of this.#watches.all) runs.wake();
  }

  /** Resolves when nothing is under way any more. */
  close(): Promise<void> {
    return this.#watches.close();
  }

  /** Of the logs of cells there may be thousands: one is followed from when a window asks for it (logKey). */
  #openCellLog(key: string): void {
    const [, boxId = '', id = '', index] = /^(\S+) (r-[a-z0-9-]+) ([1-9]\d{0,6})$/.exec(key) ?? [];
    if (index !== undefined) this.#watches.of(boxId)?.openCellLog(id, Number(index));
  }

  /** What cannot be settled now is missed on. */
  async #settleUnheard(boxId: string): Promise<void> {
    const { roster, scripts } = this.#options;
    const seen = this.#seen.of(boxId);
    for (const { id, isUnheard } of seen.ok ? seen.value : []) {
      const connection = roster.connectionOf(boxId);
      if (isUnheard !== true || connection === null) continue;
      const looked = await lookAtRuns(connection, scripts, { settle: id });
      if (looked.ok && looked.value.sealed.includes(id)) this.#seen.neverBegan(boxId, id);
    }
  }

  #spreadMs(): number {
    const { random = Math.random, roster } = this.#options;
    return (random() * roster.entries.length * 1000) / STARTS_PER_S;
  }

  #tell(boxId: string, run: LaunchedRun): void {
    const box = this.#options.roster.boxOf(boxId);
    if (box !== null) this.#options.onOver({ box, run });
  }
}
