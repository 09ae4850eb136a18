import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import {
  isOver,
  NO_LAUNCHED_RUNS,
  type LaunchedRun,
  type LaunchedRuns,
  type ResultFile,
} from '../../shared/runs/launch/launched-run.ts';
import { isAlive } from '../../shared/runs/launch/run-words.ts';
import type { RunLook } from '../../shared/runs/launch/run-look.ts';
import { launchedRunsStream } from '../../shared/streams/runs-stream.ts';
import { placeOfResults, type ResultPlace } from '../../shared/transfer/result-root.ts';
import type { Connections } from '../boxes/box-roster.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';
import type { AwaitedEnds } from './awaited-ends.ts';
import { FollowedLog } from './followed-log.ts';
import { NotedEvents, type NotedEventsOptions } from './noted-events.ts';
import type { LogName } from './log-bytes.ts';
import { CellLogs, type CellLogsOptions } from './queue/cell-logs.ts';
import { FollowedQueue } from './queue/followed-queue.ts';
import { lookAtQueue } from './queue/look-at-queue.ts';
import { lookAtAllRuns, lookAtRuns } from './look-at-runs.ts';

/** How often a box is looked at on which a run lives: in front of the eyes, and else. */
const WATCHED_MS = 10_000;
const UNWATCHED_MS = 60_000;
/** After looks that brought nothing (GEN8). */
const MAX_PAUSE_MS = 5 * 60_000;
/** What is newer is fresh enough for somebody who comes to look. */
const FRESH_MS = 5000;

const NOT_CONNECTED = problem('not-connected', 'The box is not connected.');
const STOPPED = problem('aborted', 'The check of the runs was stopped.');

export interface BoxRunsOptions {
  readonly boxId: string;
  readonly hub: StreamHub;
  readonly roster: Connections;
  readonly scripts: OnboxScripts;
  /** SECURITY: takes secrets out of what stands on the box, before anything is shown or told. */
  readonly redact: (text: string) => string;
  /** Of a cell of a sweep. */
  readonly cellResultsOf: CellLogsOptions['cellResultsOf'];
  readonly entries: NotedEventsOptions['entries'];
  readonly onProblem: (found: Problem) => void;
  readonly ends: AwaitedEnds;
  readonly onOver: (run: LaunchedRun) => void;
  /** The box was asked, and these are its runs. */
  readonly onLooked: (runs: LaunchedRuns) => void;
  readonly watchedMs?: number;
  readonly unwatchedMs?: number;
}

/** The runs that were launched on one box: looked at when its link comes up, and again and again while one lives. */
export class BoxRuns {
  readonly boxId: string;
  readonly #options: BoxRunsOptions;
  readonly #topic: Topic<LaunchedRuns, LaunchedRuns>;
  readonly #logs = new Map<string, FollowedLog>();
  readonly #queues = new Map<string, FollowedQueue>();
  readonly #cellLogs: CellLogs;
  /** Of cells that somebody has opened: the box is asked for all cells of a queue at once, and no cell of it ever changes. */
  readonly #cellPlaces = new Map<string, ResultPlace>();
  readonly #events: NotedEvents;
  readonly #closingLogs = new Set<Promise<void>>();
  #isUp = false;
  #isClosed = false;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<Result<LaunchedRuns, Problem>> | null = null;
  #stopper: AbortController | null = null;
  /** One for each machine that the box has been. */
  #life = 0;

  constructor(options: BoxRunsOptions) {
    this.#options = options;
    this.boxId = options.boxId;
    this.#cellLogs = new CellLogs({
      ...options,
      cellResultsOf: (queue, index) => this.#resultsOfCell(queue, index),
    });
    this.#events = new NotedEvents(options);
    this.#topic = options.hub.addTopic('launched-runs', options.boxId, {
      kind: launchedRunsStream,
      initial: NO_LAUNCHED_RUNS,
      onOpened: () => this.#opened(),
    });
  }

  /** What its newest look brought. */
  get seen(): LaunchedRuns {
    return this.#topic.state;
  }

  runOf(id: string): LaunchedRun | null {
    return this.#topic.state.runs.find((run) => run.id === id) ?? null;
  }

  /** By its newest look, which brought something, while it is connected. */
  showsAlive(id: string): boolean {
    const run = this.runOf(id);
    return this.#isUp && this.#topic.state.problem === null && run !== null && isAlive(run);
  }

  /** `withinMs`: boxes that come up together share that time. */
  linkIs(isUp: boolean, withinMs: number): void {
    if (isUp === this.#isUp) return;
    this.#isUp = isUp;
    if (isUp) {
      this.#timer = setTimeout(() => void this.look(), withinMs);
      for (const log of this.#logs.values()) log.look();
      this.#cellLogs.look();
      for (const queue of this.#queues.values()) void queue.look();
    } else this.#halt();
  }

  /** The queue that a run goes through, at once. */
  async lookAtQueue(id: string): Promise<void> {
    await this.#queues.get(id)?.look();
  }

  /** The log of a run, or of the cell with this index; null: of the run itself. */
  logOf(id: string, index: number | null): LogName {
    const queueId = this.runOf(id)?.queue?.id;
    return index === null || queueId === undefined
      ? { runId: id }
      : { runId: id, cell: { queueId, index } };
  }

  /** Follows the log of one cell, where the run goes through a queue. */
  openCellLog(id: string, index: number): void {
    const log = this.logOf(id, index);
    if (log.cell !== undefined) this.#cellLogs.open(log, () => this.runOf(id)?.progress ?? []);
  }

  /** The results of a run were listed. */
  resultsListed(id: string, files: readonly ResultFile[]): void {
    const run = this.runOf(id);
    if (run !== null) this.#events.listed(run, files);
  }

  /** Where the figures of a run or of one cell come from; null: from its log. */
  chooseMetrics(id: string, cell: number | null, source: string | null): void {
    const log = this.logOf(id, cell);
    if (log.cell === undefined) this.#logs.get(id)?.chooseMetrics(source);
    else this.#cellLogs.chooseMetrics(log, source);
  }

  /** At once. One that is under way may have asked before whatever this is about: it is waited for, and then asked again. */
  async look(): Promise<Result<LaunchedRuns, Problem>> {
    await this.#looking;
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** The same, with older ones that are over, which a look leaves out. */
  async lookAtAll(): Promise<Result<LaunchedRuns, Problem>> {
    const looked = await this.look();
    if (!looked.ok || looked.value.leftOut === 0) return looked;
    const { roster, scripts } = this.#options;
    const connection = roster.connectionOf(this.boxId);
    if (connection === null) return err(NOT_CONNECTED);
    const life = this.#life;
    const newest = await lookAtRuns(connection, scripts);
    const all = newest.ok ? await lookAtAllRuns(connection, scripts, newest.value) : newest;
    if (life !== this.#life) return err(STOPPED);
    return all.ok ? ok(this.#toldAs(all.value)) : all;
  }

  /** This machine woke: what ended meanwhile is told now. */
  wake(): void {
    if (this.#isUp && this.#hasLive) void this.look();
  }

  moved(): void {
    this.#halt();
    this.#isUp = false;
    this.#life += 1;
    this.#options.ends.moved(this.boxId);
    this.#events.keepOnly(new Set());
    this.#publish(NO_LAUNCHED_RUNS);
    for (const id of [...this.#logs.keys()]) this.#dropLog(id);
    this.#cellLogs.drop();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#halt();
    this.#options.hub.removeTopic('launched-runs', this.boxId);
    this.#events.close();
    for (const id of [...this.#logs.keys()]) this.#dropLog(id);
    await Promise.allSettled([this.#looking, this.#cellLogs.close(), ...this.#closingLogs]);
  }

  get #hasLive(): boolean {
    return this.#topic.state.runs.some((run) => !isOver(run));
  }

  /** A box that cannot tell its runs is left alone where nobody waits for any. */
  get #isWorthAsking(): boolean {
    const isMissed = this.#topic.isWatched || this.#options.ends.isAwaiting(this.boxId);
    return this.#hasLive || (this.#failures > 0 && isMissed);
  }

  async #lookOnce(): Promise<Result<LaunchedRuns, Problem>> {
    clearTimeout(this.#timer);
    const connection = this.#options.roster.connectionOf(this.boxId);
    if (connection === null || this.#isClosed) {
      return err(NOT_CONNECTED);
    }
    const life = this.#life;
    const { signal } = (this.#stopper = new AbortController());
    const looked = await lookAtRuns(connection, this.#options.scripts, { signal });
    this.#stopper = null;
    if (life !== this.#life || this.#isClosed || signal.aborted) {
      return err(STOPPED);
    }
    const taken = looked.ok ? this.#take(looked.value) : looked;
    if (!looked.ok) this.#publish({ ...this.#topic.state, problem: looked.error });
    this.#failures = looked.ok ? 0 : this.#failures + 1;
    this.#wait();
    return taken;
  }

  #take(look: RunLook): Result<LaunchedRuns, Problem> {
    const { ends, onOver, onLooked } = this.#options;
    const state = this.#toldAs(look);
    // The logs first: who sees a run may open its log at once.
    this.#followLogs(state.runs);
    if (state.leftOut === 0) this.#events.keepOnly(new Set(state.runs.map(({ id }) => id)));
    this.#publish(state);
    ends.take(this.boxId, state.runs, onOver);
    onLooked(state);
    return ok(state);
  }

  #toldAs({ atMs, runs, leftOut, behind }: RunLook): LaunchedRuns {
    const { redact } = this.#options;
    return {
      ...{ atMs, leftOut, problem: null },
      ...(behind === null ? {} : { behind }),
      runs: runs.map((run) => ({ ...run, name: redact(run.name), command: redact(run.command) })),
    };
  }

  #followLogs(runs: readonly LaunchedRun[]): void {
    const listed = new Set(runs.map(({ id }) => id));
    for (const id of [...this.#logs.keys()]) if (!listed.has(id)) this.#dropLog(id);
    this.#followQueues(runs);
    const { hub, roster, scripts, redact } = this.#options;
    for (const runId of listed) {
      if (this.#logs.has(runId)) continue;
      const { boxId } = this;
      this.#logs.set(
        runId,
        new FollowedLog({
          ...{ boxId, hub, roster, scripts, redact },
          log: { runId },
          resultsOf: () => Promise.resolve(this.#resultsOf(runId)),
          onListed: (files) => this.resultsListed(runId, files),
          onError: (text, atMs) => this.#events.failed(runId, text, atMs),
          isOver: () => {
            const run = this.runOf(runId);
            return run === null || isOver(run);
          },
          progressOf: () => this.runOf(runId)?.progress ?? [],
        }),
      );
    }
  }

  #resultsOf(id: string): ResultPlace | null {
    const run = this.runOf(id);
    return run === null ? null : placeOfResults(run);
  }

  /** A sweep knows it; of another queue whose cells have folders of their own its folder on the box tells. */
  async #resultsOfCell(queue: string, index: number): Promise<ResultPlace | null> {
    const { cellResultsOf, roster, scripts } = this.#options;
    const key = `${queue} ${String(index)}`;
    const known = this.#cellPlaces.get(key) ?? (await cellResultsOf(queue, index));
    if (known !== null) return known;
    const run = this.#topic.state.runs.find((each) => each.queue?.id === queue);
    const connection = roster.connectionOf(this.boxId);
    if (run?.cellResults === undefined || connection === null) return null;
    const looked = await lookAtQueue(connection, scripts, { queue, run: run.id });
    const results = looked.ok ? looked.value.cells?.[index - 1]?.results : undefined;
    if (results === undefined) return null;
    const place = { folder: run.folder, results };
    this.#cellPlaces.set(key, place);
    return place;
  }

  #followQueues(runs: readonly LaunchedRun[]): void {
    const { hub, roster, scripts, redact, watchedMs } = this.#options;
    for (const run of runs) {
      if (run.queue === undefined) continue;
      const known = this.#queues.get(run.id);
      const queue =
        known ??
        new FollowedQueue({
          ...{ boxId: this.boxId, runId: run.id, queueId: run.queue.id },
          ...{ hub, roster, scripts, redact },
          ...(watchedMs === undefined ? {} : { everyMs: watchedMs }),
        });
      this.#queues.set(run.id, queue);
      queue.isOver(isOver(run));
    }
  }

  #dropLog(id: string): void {
    for (const followed of [this.#logs, this.#queues]) {
      const closing = followed
        .get(id)
        ?.close()
        .finally(() => this.#closingLogs.delete(closing as Promise<void>));
      followed.delete(id);
      if (closing !== undefined) this.#closingLogs.add(closing);
    }
  }

  #opened(): void {
    const { atMs } = this.#topic.state;
    if (!this.#isUp) return;
    if (atMs === null || Date.now() - atMs > FRESH_MS) void this.look();
    else this.#wait();
  }

  /** Nothing is asked again where nothing lives. */
  #wait(): void {
    clearTimeout(this.#timer);
    if (!this.#isUp || this.#isClosed || !this.#isWorthAsking) return;
    const { watchedMs = WATCHED_MS, unwatchedMs = UNWATCHED_MS } = this.#options;
    const usualMs = this.#topic.isWatched ? watchedMs : unwatchedMs;
    const ms =
      this.#failures === 0
        ? usualMs
        : Math.min(unwatchedMs * 2 ** (this.#failures - 1), MAX_PAUSE_MS);
    this.#timer = setTimeout(() => void this.look(), ms);
  }

  #halt(): void {
    clearTimeout(this.#timer);
    this.#stopper?.abort();
  }

  #publish(state: LaunchedRuns): void {
    if (!this.#isClosed) this.#topic.publish(state);
  }
}
