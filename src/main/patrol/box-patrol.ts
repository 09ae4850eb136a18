import { delayOf, judgePace } from '../../shared/patrol/pace.ts';
import type { LookBeside } from '../../shared/patrol/look-detector.ts';
import { dismissGone, type PatrolMemory } from '../../shared/patrol/patrol-memory.ts';
import {
  NO_PATROL,
  type PatrolPhase,
  type PatrolSeen,
  type PatrolState,
  type SeenRun,
} from '../../shared/patrol/patrol-state.ts';
import { recallSeen, selectSeen } from '../../shared/patrol/select-seen.ts';
import { isSameProcess, type ProcessRef } from '../../shared/runs/process-ref.ts';
import type { LatestFigures } from '../../shared/telemetry/latest-figures.ts';
import { followWork, NO_WORK } from '../../shared/telemetry/work-course.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { patrolStream } from '../../shared/streams/patrol-stream.ts';
import type { Connections } from '../boxes/box-roster.ts';
import type { Log } from '../log/log.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';
import { changeMemory, forgetMemory, readMemory, type Remembered } from './memory-file.ts';
import { patrolBox, type Patrolled } from './patrol-box.ts';

/** Around each delay, so that boxes which began together do not go on together. */
const JITTER = 0.1;
/** Cards that fall idle again and again, as between two parts of a job, are no reason to look more often. */
const DROP_PAUSE_MS = 60_000;

export interface BoxPatrolOptions {
  readonly boxId: string;
  readonly hub: StreamHub;
  readonly roster: Connections;
  readonly scripts: OnboxScripts;
  readonly dataFolder: string;
  /** Each part of the state as it changes. */
  readonly onPart: (part: Partial<PatrolState>) => void;
  /** What a look cannot know by itself. */
  readonly beside: () => LookBeside;
  /** How often, as the person chose it. */
  readonly everyMs: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** A count that goes on while this machine sleeps, and that nobody sets. */
  readonly upMs: () => number;
  readonly timeoutMs: number | undefined;
  /** What the person is to know of what is remembered. */
  readonly onProblem: (found: Problem) => void;
  readonly log: Pick<Log, 'warn'>;
}

/** The patrols of one box, one after the other while its link is up. */
export class BoxPatrol {
  readonly #options: BoxPatrolOptions;
  readonly #topic: Topic<PatrolState, Partial<PatrolState>>;
  #isUp = false;
  #isClosed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueUpMs = 0;
  #running: Promise<Result<null, Problem>> | null = null;
  #stopper: AbortController | null = null;
  /** Reads and changes of what is remembered that are under way. */
  #keeping: Promise<unknown>;
  #emptyLooks = 0;
  #work = NO_WORK;
  /** When cards that fell idle made it look last, by `upMs`. */
  #dropUpMs = -Infinity;
  /** They fell idle within the pause while a look was under way, which may have passed by what ended. */
  #isDropOpen = false;
  /** One for each machine that the box has been. */
  #life = 0;

  constructor(options: BoxPatrolOptions) {
    this.#options = options;
    const { hub, boxId } = options;
    this.#topic = hub.addTopic('patrol', boxId, { kind: patrolStream, initial: NO_PATROL });
    this.#keeping = this.#recall();
  }

  /** That run, as the newest look listed it. */
  runOf(process: ProcessRef): SeenRun | null {
    return this.#topic.state.seen?.runs.find((run) => isSameProcess(run, process)) ?? null;
  }

  get seen(): PatrolSeen | null {
    return this.#topic.state.seen;
  }

  /** `withinMs`: the first patrol comes at some moment of that time, so that many boxes share it. */
  linkIs(isUp: boolean, startMs: number, withinMs: number): void {
    if (isUp === this.#isUp) return;
    this.#isUp = isUp;
    if (isUp) this.#wait(startMs + this.#options.random() * withinMs);
    else this.#halt(problem('link-lost', 'The connection to the box was lost during the check.'));
  }

  /** At once; one that is under way is the answer. */
  now(): Promise<Result<null, Problem>> {
    if (this.#running !== null) return this.#running;
    if (!this.#isUp) return Promise.resolve(notConnected());
    clearTimeout(this.#timer);
    this.#running = this.#patrol().finally(() => {
      this.#running = null;
      if (this.#isUp && !this.#isClosed) this.#wait(this.#untilNextMs());
    });
    return this.#running;
  }

  /** What its cards do now. All of them idle after work is how the end of a run looks first: it is looked at once. */
  figuresAre(figures: LatestFigures): void {
    const before = this.#work;
    this.#work = followWork(before, figures);
    const { fellIdleAtMs } = this.#work;
    if (fellIdleAtMs === null || fellIdleAtMs === before.fellIdleAtMs || !this.#isUp) return;
    const upMs = this.#options.upMs();
    const restMs = Math.max(0, this.#dropUpMs + DROP_PAUSE_MS - upMs);
    if (restMs > 0) {
      if (this.#running !== null) this.#isDropOpen = true;
      else if (this.#isWaiting && upMs + restMs < this.#dueUpMs) this.#wait(restMs);
      return;
    }
    this.#dropUpMs = upMs;
    void this.afresh();
  }

  /** One that begins now: whatever is under way may have passed by what has begun since. */
  async afresh(): Promise<Result<null, Problem>> {
    await this.#running;
    return this.now();
  }

  /** This machine woke, or its clock was set: what was due meanwhile is made up for, within that time. */
  wake(withinMs: number): void {
    if (!this.#isWaiting) return;
    const leftMs = this.#dueUpMs - this.#options.upMs();
    this.#wait(leftMs > 0 ? leftMs : this.#options.random() * withinMs);
  }

  /** The person chose how often. */
  everyChanged(): void {
    if (this.#isWaiting) this.#wait(this.#delayMs());
  }

  /** The person is done with a run that is gone. */
  async dismiss(key: string): Promise<Result<null, Problem>> {
    const changing = this.#change((current) =>
      current === null ? null : dismissGone(current, key),
    );
    this.#keeping = Promise.allSettled([this.#keeping, changing]);
    const changed = await changing;
    if (!changed.ok) return changed;
    this.#publish({ gone: this.#topic.state.gone.filter((each) => each.key !== key) });
    return ok(null);
  }

  /** The box is reached another way: what is remembered was seen on another machine. */
  moved(): void {
    this.#halt(problem('aborted', 'The box was given another address.'));
    this.#isUp = false;
    this.#life += 1;
    this.#emptyLooks = 0;
    this.#work = NO_WORK;
    this.#publish(NO_PATROL);
    this.#keeping = this.#forget();
  }

  /** Ends what is under way; `isForgotten`: the box is not in the list any more, and nothing of it stays. */
  async close({ isForgotten }: { readonly isForgotten: boolean }): Promise<void> {
    this.#isClosed = true;
    this.#halt(problem('aborted', 'The check was stopped.'));
    const { hub, boxId } = this.#options;
    hub.removeTopic('patrol', boxId);
    await (isForgotten ? this.#forget() : this.#settled());
  }

  get #isWaiting(): boolean {
    return this.#topic.state.phase.kind === 'waiting';
  }

  async #recall(): Promise<void> {
    const { dataFolder, boxId } = this.#options;
    const life = this.#life;
    const { memory, fault } = await readMemory(dataFolder, boxId);
    // Put aside and told at once: until the box is connected, nobody else reads it.
    const settled = fault === null ? null : await this.#change((current) => current);
    if (settled?.ok === false) this.#options.onProblem(settled.error);
    if (memory === null || life !== this.#life) return;
    this.#publish({ seen: recallSeen(memory), gone: memory.gone });
  }

  async #change<M extends PatrolMemory | null>(
    change: (current: PatrolMemory | null) => M,
  ): Promise<Result<Remembered<M>, Problem>> {
    const { dataFolder, boxId, onProblem } = this.#options;
    const changed = await changeMemory(dataFolder, boxId, change);
    if (changed.ok && changed.value.fault !== null) onProblem(changed.value.fault);
    return changed;
  }

  async #patrol(): Promise<Result<null, Problem>> {
    const { roster, boxId, scripts, dataFolder, timeoutMs } = this.#options;
    const connection = roster.connectionOf(boxId);
    if (connection === null) return notConnected();
    const life = this.#life;
    const { signal } = (this.#stopper = new AbortController());
    const beganMs = performance.now();
    this.#publish({ phase: { kind: 'looking', sinceMs: Date.now() } });
    await this.#keeping;
    const patrolled = await patrolBox(
      {
        connection,
        boxId,
        beside: this.#options.beside(),
        fellIdleAtMs: this.#work.fellIdleAtMs,
        hasAlerts: true,
      },
      { scripts, dataFolder },
      { signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
    );
    this.#stopper = null;
    // Why it was stopped says more than that it was.
    if (patrolled.ok && !signal.aborted) {
      this.#take(patrolled.value);
      return ok(null);
    }
    const because = patrolled.ok || signal.aborted ? (signal.reason as Problem) : patrolled.error;
    if (life === this.#life) this.#fail(because, performance.now() - beganMs);
    return err(because);
  }

  #take({ look, alive, judgedLook, took, memory, notKept, fault }: Patrolled): void {
    const looked = selectSeen(look, alive, took);
    if (fault !== null && notKept === null) this.#options.onProblem(fault);
    const lost = [
      ...(fault === null ? [] : [{ what: 'What was seen before', because: fault.message }]),
      ...(notKept === null
        ? []
        : [{ what: 'What the next check needs', because: notKept.message }]),
    ];
    const seen = { ...looked, unread: [...lost, ...looked.unread] };
    this.#emptyLooks = seen.isWhole && seen.runs.length === 0 ? this.#emptyLooks + 1 : 0;
    this.#publish({ seen, judged: judgedLook, failed: null, gone: memory.gone });
  }

  #fail(because: Problem, tookMs: number): void {
    const times = (this.#topic.state.failed?.times ?? 0) + 1;
    this.#publish({ failed: { atMs: Date.now(), tookMs, problem: because, times } });
  }

  #untilNextMs(): number {
    const delayMs = this.#delayMs();
    if (!this.#isDropOpen) return delayMs;
    this.#isDropOpen = false;
    return Math.min(delayMs, Math.max(0, this.#dropUpMs + DROP_PAUSE_MS - this.#options.upMs()));
  }

  #delayMs(): number {
    const { everyMs, random } = this.#options;
    const { failed } = this.#topic.state;
    const ms = delayOf(this.#pace, everyMs(), failed?.times ?? 0);
    return ms * (1 + (random() * 2 - 1) * JITTER);
  }

  get #pace(): 'usual' | 'wrong' | 'idle' | 'failed' {
    const { seen, failed, gone } = this.#topic.state;
    const lost = gone.find(({ cause }) => cause !== 'finished');
    return judgePace({
      seen,
      lostAtMs: lost?.missedMs ?? null,
      emptyLooks: this.#emptyLooks,
      failures: failed?.times ?? 0,
    });
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#dueUpMs = this.#options.upMs() + ms;
    this.#timer = setTimeout(() => void this.now(), ms);
    this.#enter({ kind: 'waiting', nextAtMs: Date.now() + ms, pace: this.#pace });
  }

  #halt(because: Problem): void {
    this.#isDropOpen = false;
    clearTimeout(this.#timer);
    this.#stopper?.abort(because);
    this.#publish({ phase: { kind: 'off' }, judged: null });
  }

  #enter(phase: PatrolPhase): void {
    this.#publish({ phase });
  }

  #publish(part: Partial<PatrolState>): void {
    if (this.#isClosed) return;
    this.#topic.publish(part);
    this.#options.onPart(part);
  }

  async #settled(): Promise<void> {
    await Promise.allSettled([this.#running, this.#keeping]);
  }

  async #forget(): Promise<void> {
    await this.#settled();
    const { dataFolder, boxId, log } = this.#options;
    const forgotten = await forgetMemory(dataFolder, boxId);
    if (!forgotten.ok) log.warn(forgotten.error.message, { detail: forgotten.error.detail });
  }
}

function notConnected(): Result<never, Problem> {
  return err(problem('not-connected', 'The box is not connected.'));
}
