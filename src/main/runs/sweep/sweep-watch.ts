import { isArchived } from '../../../shared/boxes/archived.ts';
import type { Problem } from '../../../shared/problem.ts';
import { problem } from '../../../shared/problem.ts';
import { plainLine } from '../../../shared/questions/hostile-text.ts';
import { err, type Result } from '../../../shared/result.ts';
import type { PreflightCheck } from '../../../shared/runs/launch/launch-plan.ts';
import { isOver, type LaunchedRun } from '../../../shared/runs/launch/launched-run.ts';
import type { CellFigures } from '../../../shared/runs/sweep/cell-figures.ts';
import { sweepsStream, type SweepLine } from '../../../shared/runs/sweep/sweep-view.ts';
import type { ResultPlace } from '../../../shared/transfer/result-root.ts';
import { nextTurn } from '../../streams/in-turns.ts';
import type { StreamHub, Topic } from '../../streams/stream-hub.ts';
import type { RunWatch } from '../run-watch.ts';
import { readFigures } from './cell-figures.ts';
import { FollowedSweep, type FollowedSweepOptions } from './followed-sweep.ts';
import { newestTurn } from './newest-turn.ts';
import { readSweep, type CheckSweep } from './read-sweep.ts';
import { resumeChecks } from './twin-checks.ts';
import { SweepBook, type KeptShare, type SweepBookOptions } from './sweep-book.ts';

export interface SweepWatchOptions
  extends Omit<FollowedSweepOptions, 'id' | 'book' | 'watch'>, Omit<SweepBookOptions, 'onChanged'> {
  readonly watch: Pick<RunWatch, 'look' | 'looked' | 'seenOf' | 'aliveOn'>;
  readonly check: CheckSweep;
}

/** The sweeps that this app knows, and those that it finds on its boxes (streams `sweeps` and `sweep`). */
export class SweepWatch {
  readonly book: SweepBook;
  readonly #options: SweepWatchOptions;
  readonly #topic: Topic<readonly SweepLine[], readonly SweepLine[]>;
  readonly #hub: StreamHub;
  readonly #sweeps = new Map<string, FollowedSweep>();
  readonly #reading = new Map<string, Promise<void>>();
  /** Of a box, one file at a time: it may have a thousand, each of some megabytes. */
  readonly #turns = new Map<string, Promise<void>>();
  /** Runs whose file told nothing usable: asked once. */
  readonly #refused = new Set<string>();
  /** Runs that are over, whose cells were read to their end, or are being. */
  readonly #ended = new Set<string>();
  #ends: Promise<void> = Promise.resolve();
  #isClosed = false;
  readonly #stop: () => void;

  constructor(options: SweepWatchOptions) {
    this.#options = options;
    this.#hub = options.hub;
    this.book = new SweepBook({ ...options, onChanged: () => this.#changed() });
    this.#topic = this.#hub.addTopic('sweeps', '', { kind: sweepsStream, initial: [] });
    this.#changed();
    this.#stop = options.watch.looked.follow(({ boxId, value }) => this.#found(boxId, value.runs));
  }

  of(id: string): FollowedSweep | null {
    return this.#sweeps.get(id) ?? null;
  }

  reconcile(id: string): Promise<Result<null, Problem>> {
    return this.of(id)?.reconcile() ?? Promise.resolve(noSuchSweep());
  }

  figures(
    id: string,
    places: readonly number[],
  ): Promise<Result<Readonly<Record<number, CellFigures>>, Problem>> {
    const sweep = this.of(id);
    return sweep === null
      ? Promise.resolve(noSuchSweep())
      : readFigures(sweep.view, places, {
          ...this.#options,
          plain: sweep.roster,
          known: sweep.files,
          nowMs: Date.now(),
        });
  }

  /** Where a cell of this queue keeps its results; null: the queue is part of no sweep, or the cell was added to it by hand. */
  async resultsOf(queue: string, index: number): Promise<ResultPlace | null> {
    const kept = this.book.sweeps.find(({ shares }) => shares.some(({ run }) => run === queue));
    const share = kept?.shares.find(({ run }) => run === queue);
    // A queue begins with the cells of its share, in their order, and is only ever added to.
    const place = share?.cells[index - 1];
    const sweep = kept === undefined ? null : this.of(kept.id);
    const plain = place === undefined ? null : ((await sweep?.readRoster()) ?? null);
    const cell = place === undefined ? undefined : plain?.cells[place];
    if (plain === null || cell === undefined) return null;
    return { folder: plain.base.folder, results: cell.results };
  }

  /** Whether cells that a queue is about to go on with have run elsewhere in the sweep, or may. */
  async checksOfCells(queue: string, names: readonly string[]): Promise<readonly PreflightCheck[]> {
    const kept = this.book.sweeps.find(({ shares }) => shares.some(({ run }) => run === queue));
    const sweep = kept === undefined ? null : this.of(kept.id);
    if (sweep === null) return [];
    await sweep.look();
    return resumeChecks(sweep, queue, new Set(names));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    this.#hub.removeTopic('sweeps', '');
    await Promise.allSettled([
      ...this.#reading.values(),
      this.#ends,
      ...[...this.#sweeps.values()].map((sweep) => sweep.close()),
    ]);
  }

  #changed(): void {
    for (const { id } of this.book.sweeps) {
      if (this.#sweeps.has(id)) continue;
      this.#sweeps.set(id, new FollowedSweep({ ...this.#options, id, book: this.book }));
    }
    const { redact } = this.#options;
    this.#topic.publish(this.book.lines.map((line) => ({ ...line, name: redact(line.name) })));
  }

  /** A box told its runs: those of a sweep are this app's, or another computer's that it adopts. */
  #found(boxId: string, runs: readonly LaunchedRun[]): void {
    for (const run of runs) {
      const { sweep, queue } = run;
      // Who goes on with a queue has no file of its own.
      if (sweep === undefined || queue?.id !== run.id) continue;
      const known = this.book.of(sweep.id);
      const isOther = known !== null && known.digest !== sweep.digest;
      const share = known?.shares.find((each) => each.run === run.id);
      if (share !== undefined && !isOther) {
        const newest = newestTurn(run, runs);
        if (!this.#tells(boxId, share, newest)) continue;
        this.book.seen(sweep.id, run.id, boxId);
        if (isOver(newest)) this.#readEnd(sweep.id, run.id, { newest: newest.id, boxId });
      } else if (isOther) {
        // What such a run has done was none of these cells, whatever it says.
        this.#refuse(run.id, otherSweep(known.name));
      } else if (!this.#reading.has(run.id) && !this.#refused.has(run.id)) {
        const before = this.#turns.get(boxId);
        const turn = Promise.allSettled([before]).then(() => this.#adopt(boxId, run, sweep));
        this.#turns.set(boxId, turn);
        this.#reading.set(
          run.id,
          turn.finally(() => this.#reading.delete(run.id)),
        );
      }
    }
  }

  /**
   * Whether this box is the one to say how a share goes on. Where machines have one home, all of them show its run, and all but one know
   * nothing of it, or take it for lost where none of them tells its name: it is the box's that it was launched on, or else the first that
   * showed it, until another runs it or knows more, or that one is gone.
   */
  #tells(boxId: string, { boxId: holder }: KeptShare, { id, status }: LaunchedRun): boolean {
    if (holder === null || holder === boxId || status.kind === 'running') return true;
    if (status.kind === 'elsewhere') return false;
    const before = this.#options.watch.seenOf(holder).runs.find((run) => run.id === id);
    if (before?.status.kind === 'elsewhere') return true;
    // A person has said that the machine is gone which launched it, and the box that showed it does not show it alive.
    if (status.kind === 'lost' && status.because === 'machine-gone')
      return this.#options.watch.aliveOn(id) === null;
    const box = this.#options.roster.boxOf(holder);
    return box === null
      ? !(status.kind === 'lost' && status.because === 'restart')
      : isArchived(box);
  }

  /** How its cells ended is read and kept while the box can tell, also where nobody looks at the sweep: again until all was read. */
  #readEnd(
    id: string,
    run: string,
    { newest, boxId }: Readonly<Record<'newest' | 'boxId', string>>,
  ): void {
    if (this.#ended.has(newest)) return;
    this.#ended.add(newest);
    this.#ends = this.#ends.then(async () => {
      await nextTurn();
      if (this.#isClosed || this.book.toldOf(run)?.wholeAs === newest) return;
      const isWhole = await this.of(id)?.readEnd(boxId, run);
      if (isWhole !== true) this.#ended.delete(newest);
    });
  }

  async #adopt(
    boxId: string,
    run: LaunchedRun,
    ref: NonNullable<LaunchedRun['sweep']>,
  ): Promise<void> {
    const { roster, scripts, check } = this.#options;
    const connection = roster.connectionOf(boxId);
    if (connection === null) return;
    const read = await readSweep(connection, scripts, run.id, { ref, check });
    if (!read.ok) {
      if (read.error.code !== 'sweep-not-read') return; // the link broke: the next look asks again
      this.#refuse(run.id, read.error);
      return;
    }
    // What a worker answers is ten thousand cells to take, and they are as many to keep.
    await nextTurn();
    const { roster: plain, shares } = read.value;
    const known = this.book.of(ref.id);
    if (known !== null && known.digest !== ref.digest) {
      this.#refuse(run.id, otherSweep(known.name)); // another box told it meanwhile
      return;
    }
    this.book.begin(
      plain,
      { push: null, readFrom: boxId, code: run.code ?? null, digest: ref.digest },
      shares.map((share) => ({ ...share, boxId: null, wasThere: false })),
    );
    await nextTurn();
    const share = this.book.of(ref.id)?.shares.find((each) => each.run === run.id);
    if (share !== undefined && this.#tells(boxId, share, run))
      this.book.seen(ref.id, run.id, boxId);
  }

  /** Told once. */
  #refuse(run: string, because: Problem): void {
    if (this.#refused.has(run)) return;
    this.#refused.add(run);
    this.#options.onProblem(because);
  }
}

const otherSweep = (name: string): Problem =>
  problem(
    'sweep-not-read',
    `A run on a box says that it is part of the sweep “${plainLine(name, 100)}”, but has other cells: it is not counted.`,
  );

export const noSuchSweep = (): Result<never, Problem> =>
  err(problem('sweep-not-read', 'This sweep is not known on this computer.'));
