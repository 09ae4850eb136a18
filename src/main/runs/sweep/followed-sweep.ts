import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import {
  isOver,
  type LaunchedRun,
  type LaunchedRuns,
} from '../../../shared/runs/launch/launched-run.ts';
import { NO_QUEUE, type QueueView } from '../../../shared/runs/queue/queue-view.ts';
import { cellJudge, doneIn, type SeenShare } from '../../../shared/runs/sweep/judge-sweep.ts';
import type { SweepRoster } from '../../../shared/runs/sweep/sweep-roster.ts';
import {
  NO_SWEEP,
  sweepStream,
  type SharePresence,
  type ShareView,
  type SweepCell,
  type SweepDelta,
  type SweepView,
} from '../../../shared/runs/sweep/sweep-view.ts';
import { queueStream } from '../../../shared/streams/queue-stream.ts';
import { isArchived } from '../../../shared/boxes/archived.ts';
import type { BoxRoster } from '../../boxes/box-roster.ts';
import type { OnboxScripts } from '../../onbox/onbox-scripts.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';
import { mapInTurns, nextTurn } from '../../streams/in-turns.ts';
import type { StreamHub, Topic } from '../../streams/stream-hub.ts';
import { QueueTrail } from '../queue/queue-trail.ts';
import type { RunWatch } from '../run-watch.ts';
import { SharedLook } from '../shared-look.ts';
import type { KnownFiles } from './cell-files.ts';
import { lookForEmpty } from './look-at-results.ts';
import { newestTurn } from './newest-turn.ts';
import type { KeptShare, KeptSweep, SweepBook } from './sweep-book.ts';

const LOOK_EVERY_MS = 3000;
/** Of ten thousand cells it is a megabyte. */
const KEEP_EVERY_MS = 60_000;

export interface FollowedSweepOptions {
  readonly id: string;
  readonly hub: StreamHub;
  readonly roster: Pick<BoxRoster, 'connectionOf' | 'boxOf'>;
  readonly scripts: OnboxScripts;
  readonly watch: Pick<RunWatch, 'look' | 'seenOf'>;
  readonly book: SweepBook;
  /** SECURITY: takes secrets out of what is shown. */
  readonly redact: (text: string) => string;
  readonly everyMs?: number;
}

/** What the looks at one share came to. */
interface Followed {
  readonly trail: QueueTrail;
  queue: QueueView | null;
  presence: SharePresence;
  problem: Problem | null;
  /** The newest run that goes on with its queue. */
  newest: string | null;
  /** It was over when its journal was last read, and nothing of it was left: nothing writes there any more. */
  isWhole: boolean;
  /** As it was kept by an earlier life of this app, for as long as no look brought anything; undefined: not read. */
  told: SeenShare['queue'] | undefined;
  /** The looks have brought what is not kept. */
  isUnkept: boolean;
  keptAtMs: number;
}

/** One sweep over all its boxes: looked at while somebody looks, and held against its roster. */
export class FollowedSweep {
  /** Which files tell the figures of its cells. */
  readonly files: KnownFiles = new Map();
  readonly #options: FollowedSweepOptions;
  readonly #topic: Topic<SweepView, SweepDelta>;
  readonly #followed = new Map<string, Followed>();
  /** By the run that was to fill them: the cells whose results folders hold nothing. */
  readonly #empty = new Map<string, ReadonlySet<number>>();
  #plain: SweepRoster | null = null;
  /** The same as it is shown. */
  #shown: SweepRoster | null = null;
  #timer: NodeJS.Timeout | undefined;
  readonly #look = new SharedLook(() => this.#inTurn(() => this.#lookOnce()));
  /** Each box of a sweep that is to end asks for it, and it asks them all. */
  readonly #results = new SharedLook(() => this.#lookAtResults());
  /** One look at a time: each reads on where the last one stopped. */
  #turn: Promise<unknown> = Promise.resolve();
  #published: Promise<void> = Promise.resolve();
  /** The cells that were done, and by which run, when the results were last looked into. */
  #reconciled = '';
  #isClosed = false;

  constructor(options: FollowedSweepOptions) {
    this.#options = options;
    this.#topic = options.hub.addTopic('sweep', options.id, {
      kind: sweepStream,
      initial: NO_SWEEP,
      onOpened: () => void this.#watched(),
    });
  }

  get view(): SweepView {
    return this.#topic.state;
  }

  /** The roster as it runs, and not as it is shown; null: not read yet, or it cannot be. */
  get roster(): SweepRoster | null {
    return this.#plain;
  }

  /** The same, read where it was not. */
  async readRoster(): Promise<SweepRoster | null> {
    this.#plain ??= await this.#options.book.rosterOf(this.#options.id);
    return this.#plain;
  }

  /** At once, after what is under way: that may have asked before whatever this is about. */
  look(): Promise<void> {
    return this.#look.next();
  }

  /** How the cells of one share ended, kept for when its box tells no more. True: all of it was read, and there is nothing more to ask. */
  readEnd(boxId: string, run: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const { roster, watch } = this.#options;
      const connection = roster.connectionOf(boxId);
      // As the box has just told it: who asked for it here anew would be told of every other end as well, and never be done.
      const seen = watch.seenOf(boxId);
      const told = seen.runs.find(({ id }) => id === run);
      if (connection === null || told === undefined || this.#isClosed) return false;
      const followed = this.#of(run);
      await this.#lookAtShare(connection, followed, told, seen);
      this.#keep(run);
      return followed.isWhole;
    });
  }

  /** The same, and what lies in the results folders of cells that are done. */
  async reconcile(): Promise<Result<null, Problem>> {
    await this.look();
    return this.#results.next();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#options.hub.removeTopic('sweep', this.#options.id);
    await this.#look.settled();
    await this.#turn;
    for (const run of this.#followed.keys()) this.#keep(run, true);
  }

  async #watched(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#isClosed || !this.#topic.isWatched) return;
    await this.look();
    if (this.#isAtRest && this.#doneCells !== this.#reconciled) await this.#results.next();
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#watched(), this.#options.everyMs ?? LOOK_EVERY_MS);
  }

  get #isAtRest(): boolean {
    return !this.view.shares.some(({ presence }) => presence === 'alive');
  }

  get #doneCells(): string {
    return this.view.cells
      .flatMap(({ state, share }, at) =>
        state.kind === 'done' ? [`${String(at)} ${String(share)}`] : [],
      )
      .join();
  }

  #inTurn<T>(look: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(look);
    // Whoever asked is told how it went.
    this.#turn = Promise.allSettled([turn]);
    return turn;
  }

  async #lookOnce(): Promise<void> {
    const { book, id } = this.#options;
    // What opens it has just been given the whole view.
    await nextTurn();
    const plain = await this.readRoster();
    if (plain === null) return;
    await nextTurn();
    this.#shown ??= await this.#asShown(plain);
    const kept = book.of(id);
    if (kept === null) return;
    const boxes = new Set(kept.shares.map(({ boxId }) => boxId));
    await Promise.all(
      [...boxes].map(async (boxId) => {
        const shares = kept.shares.filter((share) => share.boxId === boxId);
        await this.#lookAtBox(boxId, shares);
      }),
    );
    for (const { run } of kept.shares) this.#keep(run);
    await this.#publish({ atMs: Date.now() });
  }

  async #lookAtBox(boxId: string | null, shares: readonly KeptShare[]): Promise<void> {
    const { roster, watch, book, id } = this.#options;
    const connection = boxId === null ? null : roster.connectionOf(boxId);
    const box = boxId === null ? null : roster.boxOf(boxId);
    const looked = boxId === null || connection === null ? null : await watch.look(boxId);
    for (const share of shares) {
      const followed = this.#of(share.run);
      if (box !== null && isArchived(box)) {
        followed.presence = 'gone';
        followed.problem = null;
        continue;
      }
      if (boxId === null || connection === null || looked?.ok !== true) {
        followed.presence = 'unseen';
        // What the end of the connection has stopped tells nothing: that the box is not reached does.
        const found = looked?.ok === false ? looked.error : null;
        followed.problem = found?.code === 'aborted' ? null : found;
        continue;
      }
      const run = looked.value.runs.find((each) => each.id === share.run);
      if (run !== undefined) book.seen(id, share.run, boxId);
      await this.#lookAtShare(connection, followed, run, looked.value);
    }
  }

  async #lookAtShare(
    connection: SshConnection,
    followed: Followed,
    run: LaunchedRun | undefined,
    { runs, leftOut }: LaunchedRuns,
  ): Promise<void> {
    if (run === undefined) {
      // It may be one of those that the look left out.
      followed.presence = leftOut > 0 ? 'unseen' : 'absent';
      followed.newest = null;
      return;
    }
    const newest = newestTurn(run, runs);
    const isDone = isOver(newest);
    // A queue that was resumed may be over again by the next look.
    if (followed.newest !== newest.id) followed.isWhole = false;
    followed.newest = newest.id;
    if (!isDone || !followed.isWhole || followed.queue === null) {
      const before = followed.queue ?? NO_QUEUE;
      const changed = await followed.trail.look(connection, newest.id, before);
      followed.problem = changed.ok ? null : changed.error;
      if (changed.ok) followed.queue = queueStream.apply(before, changed.value.delta);
      followed.isWhole = changed.ok && isDone && changed.value.isSettled;
      const { marks, cells, pruning } = changed.ok ? changed.value.delta : {};
      if (followed.isWhole || (marks ?? cells ?? pruning) !== undefined) followed.isUnkept = true;
    }
    // What another machine of the same home runs, its journal tells; whether it still does, that machine alone.
    const isUnsure = followed.problem !== null || newest.status.kind === 'elsewhere';
    followed.presence = isUnsure ? 'unseen' : isDone ? 'over' : 'alive';
  }

  /** Once a minute, when all is read, and before its box tells no more. */
  #keep(run: string, isLast = false): void {
    const followed = this.#followed.get(run);
    if (followed === undefined) return;
    const { queue, isUnkept, isWhole, presence, keptAtMs, newest } = followed;
    const isDue = isLast || isWhole || presence === 'unseen' || presence === 'gone';
    if (queue === null || !isUnkept || !(isDue || Date.now() - keptAtMs >= KEEP_EVERY_MS)) return;
    followed.isUnkept = false;
    followed.keptAtMs = Date.now();
    const commented = queue.cells.flatMap(({ isCommented }, at) => (isCommented ? [at + 1] : []));
    const { marks, pruning } = queue;
    this.#options.book.keepTold(run, {
      marks,
      pruning,
      commented,
      wholeAs: isWhole ? newest : null,
    });
  }

  /** What the looks brought of a share, or else what was kept of earlier ones. */
  #queueOf({ run, cells: places }: KeptShare, { cells }: SweepRoster): SeenShare['queue'] {
    const followed = this.#of(run);
    if (followed.queue !== null) return followed.queue;
    if (followed.told !== undefined) return followed.told;
    const told = this.#options.book.toldOf(run);
    const commented = new Set(told?.commented);
    followed.told = told && {
      ...{ marks: told.marks, pruning: told.pruning },
      // A queue begins with the cells of its share, in their order.
      cells: places.map((place, at) => ({
        ...{ name: cells[place]?.name ?? '', command: '', isCommented: commented.has(at + 1) },
      })),
    };
    return followed.told;
  }

  #seenShares({ shares }: KeptSweep, plain: SweepRoster): readonly (SeenShare & KeptShare)[] {
    return shares.map((share) => {
      const empty = this.#empty.get(share.run);
      return {
        ...share,
        ...{ presence: this.#of(share.run).presence, queue: this.#queueOf(share, plain) },
        ...(empty === undefined ? {} : { empty }),
      };
    });
  }

  #of(run: string): Followed {
    const known = this.#followed.get(run);
    if (known !== undefined) return known;
    const { scripts } = this.#options;
    const made: Followed = {
      // Only its states are shown, and a name that is redacted would be found in no roster.
      trail: new QueueTrail(scripts, run, (text) => text),
      ...{ queue: null, presence: 'unseen', problem: null, newest: null, isWhole: false },
      ...{ told: undefined, isUnkept: false, keptAtMs: 0 },
    };
    this.#followed.set(run, made);
    return made;
  }

  async #lookAtResults(): Promise<Result<null, Problem>> {
    const { roster, scripts } = this.#options;
    const plain = this.roster;
    const kept = this.#options.book.of(this.#options.id);
    if (plain === null || kept === null) return unread();
    const done = this.#doneCells;
    for (const share of this.#seenShares(kept, plain)) {
      const connection = share.boxId === null ? null : roster.connectionOf(share.boxId);
      const mine = doneIn(plain, share);
      await nextTurn();
      if (connection === null || mine.length === 0) continue;
      const folders = mine.map((cell) => plain.cells[cell]?.results ?? '');
      const empty = await lookForEmpty(connection, scripts, plain.base.folder, folders);
      if (!empty.ok) return empty;
      this.#empty.set(share.run, new Set(empty.value.flatMap((place) => mine[place] ?? [])));
    }
    this.#reconciled = done;
    await this.#publish({ reconciledAtMs: Date.now() });
    return ok(null);
  }

  /** One after another: each takes many turns of main, and what began later knows more. */
  async #publish(looked: Pick<SweepDelta, 'atMs' | 'reconciledAtMs'>): Promise<void> {
    this.#published = this.#published.then(() => this.#publishNow(looked));
    await this.#published;
  }

  async #publishNow(looked: Pick<SweepDelta, 'atMs' | 'reconciledAtMs'>): Promise<void> {
    await nextTurn();
    const kept = this.#options.book.of(this.#options.id);
    const [plain, shown] = [this.#plain, this.#shown];
    if (kept === null || plain === null || shown === null) return;
    const shares = kept.shares.map((share): ShareView & Pick<KeptShare, 'wasThere'> => {
      const { presence, problem: found, queue, newest } = this.#of(share.run);
      const { slots, isPaused, isStopping, left } = queue ?? NO_QUEUE;
      const ofQueue = { slots, isPaused, isStopping, hasLeft: left.length > 0 };
      return { ...share, ...ofQueue, presence, newest, problem: found };
    });
    const judge = cellJudge(plain, this.#seenShares(kept, plain));
    const before = this.view.cells;
    const changed: [number, SweepCell][] = [];
    await mapInTurns(plain.cells, (each, at) => {
      const cell = judge(each, at);
      if (!isSame(cell, before[at])) changed.push([at, cell]);
    });
    if (this.#isClosed) return;
    const isNew = this.view.roster === null;
    this.#topic.publish({
      ...looked,
      ...(JSON.stringify(shares) === JSON.stringify(this.view.shares) ? {} : { shares }),
      ...(changed.length === 0 ? {} : { changed: Object.fromEntries(changed) }),
    });
    // The cells of a roster stand before it is shown, and the way to the window is long enough for one of both at a time.
    if (isNew) this.#topic.publish({ roster: shown });
  }

  async #asShown(plain: SweepRoster): Promise<SweepRoster> {
    const { redact } = this.#options;
    const cells = await mapInTurns(plain.cells, ({ name, command, results }) => ({
      name: redact(name),
      command: redact(command),
      results: redact(results),
    }));
    // The values of the environment are nobody's business here.
    return { ...plain, name: redact(plain.name), base: { ...plain.base, env: {} }, cells };
  }
}

function isSame(cell: SweepCell, before: SweepCell | undefined): boolean {
  if (before === undefined) return false;
  const { state, share, index, isTwice, mayBeTwice, isEmpty } = cell;
  if (share !== before.share || index !== before.index) return false;
  if (isTwice !== before.isTwice || mayBeTwice !== before.mayBeTwice) return false;
  if (isEmpty !== before.isEmpty) return false;
  // Of ten thousand cells most are in a state that has nothing but its kind.
  if (state.kind !== before.state.kind) return false;
  return Object.keys(state).length === 1 || JSON.stringify(state) === JSON.stringify(before.state);
}

const unread = (): Result<never, Problem> =>
  err(problem('sweep-not-read', 'The cells of this sweep cannot be read on this computer.'));
