import type { PlanRef } from '../../shared/plan/plan.ts';
import type { Problem, ProblemCode } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { BoxChange, ByBox } from '../../shared/streams/meter-stream.ts';
import { pullsStream } from '../../shared/streams/runs-stream.ts';
import { measuredRate, type PullRate } from '../../shared/transfer/behind.ts';
import type { KeepRulesOf } from '../../shared/transfer/keep-rules.ts';
import type { LeftFiles } from '../../shared/transfer/left-files.ts';
import type { PullPlan, PullProgress, RunProof } from '../../shared/transfer/pull.ts';
import type { ResultRoot } from '../../shared/transfer/result-root.ts';
import { lacksRoom } from '../../shared/transfer/room.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import type { Manifests } from '../manifest/manifests.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { PlanKeeper } from '../plan/plan-keeper.ts';
import type { RunWatch } from '../runs/run-watch.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';
import { Source, type OfBox } from '../streams/source.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';
import type { Workers } from '../workers/workers.ts';
import { goingOn } from './continuous/going-on.ts';
import { fatesOn } from './box-fates.ts';
import { idOf, whyOtherFolder } from './folder-id.ts';
import { makeRoot } from './make-folders.ts';
import { isCut } from './over-retries.ts';
import { slowestOf, type Pace } from './pace.ts';
import {
  begunAt,
  pausedAt,
  pausedProgress,
  PausedPulls,
  stillLeft,
  type AskedPull,
  type PausedPull,
} from './paused-pulls.ts';
import { digestOfShown, fullHere, withoutThese, type KeptPull } from './plan-pull.ts';
import { gone, isPaused, stopped } from './pull-refused.ts';
import { PullTurns } from './pull-turns.ts';
import { keepProof } from './read-proof.ts';
import type { NamedFolders } from './named-folders.ts';
import { ResultPuller, type PullOver } from './result-puller.ts';
import { proofOfRun } from './run-proof.ts';

/** Pieces come by the thousand; a bar moves smoothly with this. */
const TOLD_EVERY_MS = 50;

/** What is over by itself or by a person, without another word about the pull. */
const CAN_GO_ON: ReadonlySet<ProblemCode> = new Set(['disk-full', 'target-taken']);

/** A pull that came to its end. */
export interface Pulled {
  readonly proof: RunProof;
  /** Null: it sent too little to tell, or was cut off meanwhile. */
  readonly rate: PullRate | null;
}

/** What a round of a continuous pull goes over, and when it is to end. */
export interface Round {
  readonly connection: SshConnection;
  readonly signal: AbortSignal;
}

interface OwnPull extends Pick<Round, 'signal'> {
  readonly kept: KeptPull;
  readonly left: readonly LeftFiles[];
}

interface CarryOut extends Pick<Round, 'signal'> {
  readonly paces: readonly Pace[];
  /** Absent: as every pull waits. */
  readonly waitsMs?: readonly number[];
}

export interface BoxPullsOptions {
  readonly hub: StreamHub;
  readonly roster: Pick<BoxRoster, 'connectionOf' | 'follow' | 'boxOf'>;
  /** Of a platform; null: there is none. */
  readonly profileOf: (platform: string) => Profile | null;
  readonly scripts: OnboxScripts;
  readonly workers: Pick<Workers, 'run'>;
  readonly manifests: Pick<Manifests, 'keepPulled'>;
  readonly targets: string;
  /** Beside launched runs. */
  readonly folders: Pick<NamedFolders, 'root'>;
  readonly watch: Pick<RunWatch, 'runOf' | 'looked'>;
  /** A person's own; absent: none. */
  readonly keepRules?: KeepRulesOf;
  readonly evidence: EvidenceTable;
  readonly entries: Pick<EntriesTable, 'read' | 'write' | 'writeRelaxed'>;
  readonly onProblem: (found: Problem) => void;
  /** The system's own dialog; null: cancelled. */
  readonly chooseFolder: () => Promise<string | null>;
  /** Of all pulls of the app together; absent: as fast as it goes. */
  readonly pace?: Pace;
  /** A test hears of each step. */
  readonly toldEveryMs?: number;
  readonly retryWaitsMs?: readonly number[];
}

/** Results on their way home, one pull for each box (stream `pulls`), and what was proven of them. */
export class BoxPulls {
  readonly #options: BoxPullsOptions;
  readonly #puller: ResultPuller;
  readonly #plans = new PlanKeeper<KeptPull>();
  readonly #topic: Topic<ByBox<PullProgress>, BoxChange<PullProgress>>;
  readonly #turns = new PullTurns((boxId) => {
    this.#goOn.delete(boxId);
    this.#tell(boxId);
  });
  readonly #paused: PausedPulls;
  readonly #stops: readonly (() => void)[];
  #isClosed = false;
  /** Ends the wait for the next try. */
  readonly #goOn = new Map<string, () => void>();
  /** Each pull whose proof was kept. */
  readonly pulled = new Source<OfBox<Pulled>>();

  constructor(options: BoxPullsOptions) {
    this.#options = options;
    this.#puller = new ResultPuller({
      scripts: options.scripts,
      workers: options.workers,
      manifests: options.manifests,
      targets: options.targets,
    });
    this.#topic = options.hub.addTopic('pulls', '', {
      kind: pullsStream,
      initial: { boxes: {} },
    });
    this.#paused = new PausedPulls(options.entries);
    this.#stops = [
      options.roster.follow({
        added: ({ box }) => {
          const recalled = this.#paused.recall(box.id);
          if (!recalled.ok) options.onProblem(recalled.error);
          else if (recalled.value !== null) this.#tell(box.id);
        },
      }),
      options.watch.looked.follow(({ boxId }) => void this.#goOnByItself(boxId)),
    ];
  }

  /** SECURITY: where to is asked here, in the system's own dialog, so that no page can name a folder. Null: cancelled. */
  async plan(boxId: string, runId: string): Promise<Result<PullPlan | null, Problem>> {
    const to = await this.#options.chooseFolder();
    if (to === null) return ok(null);
    const [connection, run] = this.#find(boxId, runId);
    if (connection === null || run === null) return err(gone());
    const planned = await this.#plan(boxId, connection, run, to);
    if (!planned.ok) return planned;
    const { shown } = planned.value;
    return ok({
      ...shown,
      plan: this.#plans.keep(boxId, planned.value, await digestOfShown(shown)),
    });
  }

  async #plan(
    boxId: string,
    connection: SshConnection,
    run: ResultRoot,
    to: string,
  ): Promise<Result<KeptPull, Problem>> {
    const { scripts, roster, profileOf, keepRules } = this.#options;
    const profile = profileOf(roster.boxOf(boxId)?.platform ?? '');
    const fates = fatesOn(connection, scripts, profile);
    const planned = await this.#puller.plan(connection, run, to, fates, keepRules?.(boxId));
    return planned.ok ? ok(await goingOn(boxId, planned.value, this.#options)) : planned;
  }

  /** Brings home what the plan has shown but for what is left on the box, and keeps what was proven as evidence. */
  async pull(
    boxId: string,
    shown: PlanRef,
    left: readonly LeftFiles[] = [],
  ): Promise<Result<RunProof, Problem>> {
    const connection = this.#options.roster.connectionOf(boxId);
    if (connection === null) return err(gone());
    const before = this.#turns.of(boxId);
    if (before?.isRound === true) {
      before.stopper.abort();
      await before.ended;
    }
    if (!this.#turns.has(boxId) && this.#paused.of(boxId) !== null) return err(isPaused());
    return this.#turns.alone(boxId, false, async (signal) => {
      const done = await this.#plans.carryOut<Result<RunProof, Problem>>(
        boxId,
        shown,
        async (kept) => {
          const wanted = withoutThese(kept, left);
          if (!wanted.ok) return wanted;
          return ok(await this.#own(boxId, connection, { kept: wanted.value, left, signal }));
        },
      );
      return done.ok ? done.value : done;
    });
  }

  /** Of a person's pull: what has arrived stays, and `resume` goes on with it, also after a restart. */
  pause(boxId: string): Result<null, Problem> {
    const underWay = this.#turns.of(boxId);
    const { asked = null, progress = null } = underWay ?? {};
    if (underWay === undefined || asked === null || progress === null) return ok(null);
    const kept = this.#paused.put(boxId, pausedAt(progress, asked), Date.now());
    if (kept.ok) underWay.stopper.abort();
    return kept;
  }

  /** Goes on into the same folder, with what the box has now; what was left there stays left. */
  async resume(boxId: string): Promise<Result<RunProof, Problem>> {
    const done = await this.#resume(boxId);
    const paused = this.#paused.of(boxId);
    if (done.ok || paused === null || paused.isUnderWay === true) return done;
    if (done.error.code !== 'aborted') this.#hold(boxId, paused, done.error);
    return done;
  }

  async #resume(boxId: string): Promise<Result<RunProof, Problem>> {
    const paused = this.#paused.of(boxId);
    if (paused === null) return err(gone());
    const [connection, run] = this.#find(boxId, paused.runId);
    if (connection === null || run === null) return err(gone());
    return this.#turns.alone(boxId, false, async (signal) => {
      const other = await whyOtherFolder(paused.to, paused.toId);
      if (other !== null) return err(other);
      const planned = await this.#plan(boxId, connection, run, paused.to);
      if (!planned.ok) return planned;
      const left = stillLeft(paused.left, planned.value.shown.files);
      const kept = withoutThese(planned.value, left);
      if (!kept.ok) return kept;
      const { shown } = kept.value;
      if (lacksRoom(shown)) return err(fullHere(shown.to, shown));
      return this.#own(boxId, connection, { kept: kept.value, left, signal });
    });
  }

  /** Also a person's that is paused: they want the line for themselves. */
  isBusy(boxId: string): boolean {
    return this.#turns.has(boxId) || this.#paused.of(boxId) !== null;
  }

  /** A round of a continuous pull, which nobody is asked about. It does not wait for a lost connection: the next round does. */
  round(
    boxId: string,
    work: (round: Round) => Promise<Result<KeptPull | null, Problem>>,
    pace: Pace,
  ): Promise<Result<RunProof | null, Problem>> {
    return this.#turns.alone<RunProof | null>(boxId, true, async (signal) => {
      const connection = this.#options.roster.connectionOf(boxId);
      if (connection === null) return err(gone());
      const kept = await work({ connection, signal });
      if (signal.aborted) return err(stopped());
      if (!kept.ok) return kept;
      if (kept.value === null) return ok(null);
      return this.#carryOut(boxId, connection, kept.value, {
        signal,
        paces: [pace],
        waitsMs: [],
      });
    });
  }

  /** What has arrived by then is not sent twice. */
  stop(boxId: string): Result<null, Problem> {
    this.#turns.of(boxId)?.stopper.abort();
    if (this.#paused.of(boxId) === null) return ok(null);
    const dropped = this.#paused.put(boxId, null, Date.now());
    if (dropped.ok) this.#tell(boxId);
    return dropped;
  }

  /** A round alone: a person's pull goes on. */
  stopRound(boxId: string): void {
    const underWay = this.#turns.of(boxId);
    if (underWay?.isRound === true) underWay.stopper.abort();
  }

  /** After a lost connection: tries the next one at once. */
  tryNow(boxId: string): void {
    this.#goOn.get(boxId)?.();
  }

  /** What was proven of a run's results when they were last brought home; null: they never were. */
  proof(boxId: string, runId: string): Promise<Result<RunProof | null, Problem>> {
    return proofOfRun(this.#options.evidence, boxId, runId);
  }

  /** For quitting. */
  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    for (const [boxId, { stopper, asked, progress }] of this.#turns.all) {
      if (asked !== null && progress !== null) {
        const at = { ...pausedAt(progress, asked), isUnderWay: true } as const;
        const kept = this.#paused.put(boxId, at, Date.now());
        if (!kept.ok) this.#options.onProblem(kept.error);
      }
      stopper.abort();
    }
    this.#plans.close();
    this.#options.hub.removeTopic('pulls', '');
  }

  /** What is known of a box while nothing comes from it. */
  #tell(boxId: string): void {
    const paused = this.#paused.of(boxId);
    this.#topic.publish({ boxId, value: paused === null ? null : pausedProgress(paused) });
  }

  /** Remembered until it is over, so that it goes on where the app ended before, in whichever way. */
  async #own(
    boxId: string,
    connection: SshConnection,
    { kept, left, signal }: OwnPull,
  ): Promise<Result<RunProof, Problem>> {
    const { to } = kept.shown;
    const made = await makeRoot(to);
    if (!made.ok) return made;
    const toId = await idOf(to);
    const asked: AskedPull = { to, left, ...(toId !== null && { toId }) };
    const begun = this.#paused.put(boxId, begunAt(kept, asked), Date.now());
    if (!begun.ok) return begun;
    const underWay = this.#turns.of(boxId);
    if (underWay !== undefined) underWay.asked = asked;
    const done = await this.#carryOut(boxId, connection, kept, { signal, paces: [] });
    if (this.#isClosed || this.#paused.of(boxId)?.isUnderWay !== true) return done;
    if (!done.ok && CAN_GO_ON.has(done.error.code)) {
      const at = underWay?.progress ?? begunAt(kept, asked);
      this.#hold(boxId, pausedAt(at, asked), done.error);
      return done;
    }
    const over = this.#paused.put(boxId, null, Date.now());
    if (!over.ok) this.#options.onProblem(over.error);
    return done;
  }

  /** Paused, and by no person: it goes on when one resumes it. */
  #hold(boxId: string, paused: PausedPull, { message: because }: Problem): void {
    const held = this.#paused.put(boxId, { ...paused, because }, Date.now());
    if (!held.ok) this.#options.onProblem(held.error);
    this.#tell(boxId);
  }

  /** What was cut off by the end of the app. Where it cannot, a person hears why once they resume it. */
  async #goOnByItself(boxId: string): Promise<void> {
    const cutOff = this.#paused.of(boxId);
    if (cutOff?.isUnderWay !== true || this.#turns.has(boxId)) return;
    const done = await this.#resume(boxId);
    if (done.ok || this.#isClosed || done.error.code === 'aborted') return;
    const isKnown = this.#rootOf(boxId, cutOff.runId) !== null;
    if (isKnown && (isCut(done.error) || done.error.code === 'target-taken')) {
      // The link went again, or another pull is at its folder for now: it goes on after a later look.
      const kept = this.#paused.put(boxId, cutOff, Date.now());
      if (!kept.ok) this.#options.onProblem(kept.error);
      this.#tell(boxId);
      return;
    }
    const { isUnderWay: _, ...paused } = cutOff;
    this.#hold(boxId, paused, done.error);
    this.#options.onProblem(done.error);
  }

  async #carryOut(
    boxId: string,
    connection: SshConnection,
    kept: KeptPull,
    { signal, paces, waitsMs }: CarryOut,
  ): Promise<Result<RunProof, Problem>> {
    const { toldEveryMs = TOLD_EVERY_MS, pace, roster } = this.#options;
    const retryWaitsMs = waitsMs ?? this.#options.retryWaitsMs;
    let [stage, toldAtMs] = ['', 0];
    let hasWaited = false;
    const beganMs = performance.now();
    const over: PullOver = {
      connection,
      // The link comes back by itself, and asks a person where it must.
      connect: () => {
        const next = roster.connectionOf(boxId);
        return Promise.resolve(next === null ? err(gone()) : ok(next));
      },
      ...(retryWaitsMs === undefined ? {} : { waitsMs: retryWaitsMs }),
    };
    const limits = [...paces, ...(pace === undefined ? [] : [pace])];
    const pulled = await this.#puller.pull(kept, over, {
      ...{ boxId, signal, paces: limits },
      onWait: (goOn) => this.#goOn.set(boxId, goOn),
      onProgress: (value) => {
        const nowMs = performance.now();
        hasWaited ||= value.stage === 'waiting';
        if (value.stage === stage && nowMs - toldAtMs < toldEveryMs) return;
        [stage, toldAtMs] = [value.stage, nowMs];
        this.#topic.publish({ boxId, value });
        const underWay = this.#turns.of(boxId);
        if (underWay !== undefined) underWay.progress = value;
      },
    });
    if (signal.aborted) return err(stopped());
    if (!pulled.ok) return pulled;
    const proof = await keepProof(this.#options.evidence, boxId, pulled.value);
    if (!proof.ok) return proof;
    kept.byHand?.proven(proof.value);
    const tookMs = performance.now() - beganMs;
    const { atMs } = proof.value;
    const isMeasured = !hasWaited && slowestOf(limits) === null;
    const rate = !isMeasured ? null : measuredRate(kept.shown.missingBytes, tookMs, atMs);
    this.pulled.tell({ boxId, value: { proof: proof.value, rate } });
    return proof;
  }

  #find(boxId: string, runId: string) {
    return [this.#options.roster.connectionOf(boxId), this.#rootOf(boxId, runId)] as const;
  }

  #rootOf(boxId: string, id: string): ResultRoot | null {
    const { watch, folders } = this.#options;
    return watch.runOf(boxId, id) ?? folders.root(boxId, id);
  }
}
