import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { isOver, type LaunchedRun } from '../../../shared/runs/launch/launched-run.ts';
import { isSameFile } from '../../../shared/transfer/file-version.ts';
import {
  isTooFull,
  type ContinuousPull,
  type EarlierCopies,
  type RoundDone,
  type RoundState,
} from '../../../shared/transfer/continuous/continuous-pull.ts';
import { pulledState } from '../../../shared/transfer/home.ts';
import type { PulledFile, PullFile, RunProof } from '../../../shared/transfer/pull.ts';
import type { OnboxScripts } from '../../onbox/onbox-scripts.ts';
import { placeOfResults } from '../../../shared/transfer/result-root.ts';
import { listResults, LONG_LIST } from '../../runs/list-results.ts';
import type { EntriesTable } from '../../storage/entries-table.ts';
import type { EvidenceTable } from '../../storage/evidence-table.ts';
import { listApart } from '../apart.ts';
import type { BoxPulls, Round } from '../box-pulls.ts';
import { whyOtherFolder } from '../folder-id.ts';
import { isCut } from '../over-retries.ts';
import { bytesPerS, Pace } from '../pace.ts';
import type { KeepRulesOf } from '../../../shared/transfer/keep-rules.ts';
import type { KeptPull } from '../plan-pull.ts';
import { BroughtFiles } from './brought-files.ts';
import { countEarlier } from './earlier-copies.ts';
import type { KeptContinuous } from './kept-pulls.ts';
import { planRound } from './plan-round.ts';

const MINUTE_MS = 60_000;
/** What failed is tried again after this, or sooner where rounds come sooner. */
const FAILED_AGAIN_MS = 5 * MINUTE_MS;
/** A person hears of what has failed for so long. */
const LONG_MS = 60 * MINUTE_MS;

export interface RoundMeans {
  readonly scripts: OnboxScripts;
  readonly pulls: Pick<BoxPulls, 'round' | 'isBusy' | 'stopRound'>;
  readonly evidence: Pick<EvidenceTable, 'pullsOf'>;
  readonly entries: Pick<EntriesTable, 'read' | 'write'>;
  readonly keepRules?: KeepRulesOf | undefined;
  /** Between the two looks of a round: what is written to shows itself by then. */
  readonly betweenLooks: (signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  /** In milliseconds too, and never back: a clock that is set makes no round come twice, or never. */
  readonly uptime: () => number;
  readonly onProblem: (found: Problem) => void;
}

/** The continuous pull of one run: when its next round is due, and what the last one has done. */
export class OneContinuous {
  readonly #boxId: string;
  readonly #means: RoundMeans;
  readonly #pace: Pace;
  #kept: KeptContinuous;
  #dueMs: number;
  #sawOver = false;
  #now: RoundState['kind'] = 'waiting';
  #heldBy: 'link' | 'person' | 'unlisted' = 'link';
  #brought: {
    readonly from: string;
    readonly files: Promise<BroughtFiles>;
  } | null = null;
  #earlier: EarlierCopies | null = null;
  /** What the last round asked for and did not get: asked again when something has changed. */
  #short: ReadonlyMap<string, PulledFile> = new Map();

  constructor(boxId: string, kept: KeptContinuous, means: RoundMeans) {
    this.#boxId = boxId;
    this.#kept = kept;
    this.#means = means;
    this.#pace = new Pace(() => bytesPerS(kept.limitMBps));
    const { last, failure, everyMin } = kept;
    const lastMs = Math.max(last?.atMs ?? 0, failure?.atMs ?? 0);
    // A clock that was set back since then would put it off for as long.
    const restMs = Math.min(everyMin * MINUTE_MS, lastMs + everyMin * MINUTE_MS - means.now());
    this.#dueMs = means.uptime() + Math.max(0, restMs);
    if (kept.isFinished) this.#now = 'finished';
  }

  get kept(): KeptContinuous {
    return this.#kept;
  }

  get shown(): ContinuousPull {
    const { toId: _toId, isFinished: _finished, isTold: _told, ...shown } = this.#kept;
    const { now, uptime } = this.#means;
    const state: RoundState =
      this.#now === 'waiting'
        ? {
            kind: 'waiting',
            nextAtMs: now() + Math.max(0, this.#dueMs - uptime()),
          }
        : this.#now === 'held'
          ? { kind: 'held', by: this.#heldBy }
          : { kind: this.#now };
    return { ...shown, now: state, earlier: this.#earlier };
  }

  /** Until its next round; none comes where it has finished. */
  get leftMs(): number {
    return this.#now === 'finished' ? Infinity : Math.max(0, this.#dueMs - this.#means.uptime());
  }

  /** As its box tells it now: what a run has left when it ends is not waited for. */
  runIs(run: LaunchedRun): void {
    if (this.#sawOver || !isOver(run)) return;
    this.#sawOver = true;
    this.#dueMs = this.#means.uptime();
  }

  get isUnderWay(): boolean {
    return this.#now === 'under-way';
  }

  /** At the next look at its box. */
  makeDue(): void {
    this.#dueMs = this.#means.uptime();
    if (this.#now === 'finished') this.#now = 'waiting';
  }

  holdFor(by: 'link' | 'person' | 'unlisted'): void {
    [this.#now, this.#heldBy] = ['held', by];
  }

  /** A pull of this box has ended, whoever began it. */
  async pulled(proof: RunProof): Promise<void> {
    (await this.#brought?.files)?.add(proof);
  }

  /** True: a person is to hear of it. */
  async round(run: LaunchedRun, onTold: () => void): Promise<boolean> {
    const { pulls, now } = this.#means;
    this.#now = 'under-way';
    onTold();
    let asked: KeptPull | null = null;
    let isMore = true;
    const done = await pulls.round(
      this.#boxId,
      async (round) => {
        const planned = await this.#plan(run, round);
        if (planned.ok) asked = planned.value;
        isMore = !planned.ok || planned.value !== null;
        return planned;
      },
      this.#pace,
    );
    this.#now = 'waiting';
    if (!done.ok) return this.#failed(done.error);
    const came = done.value === null ? NOTHING : cameOf(asked, done.value);
    const last: RoundDone = { atMs: now(), ...came };
    const isFinished = isOver(run) && !isMore;
    this.#kept = {
      ...{ ...this.#kept, last, failure: null, isFinished, isTold: false },
      brought: came.files > 0 ? last : this.#kept.brought,
    };
    if (done.value !== null) this.#short = shortOf(done.value);
    if (isFinished) this.#now = 'finished';
    const endedMeanwhile = this.#sawOver && !isOver(run);
    this.#dueMs = this.#means.uptime() + (endedMeanwhile ? 0 : this.#kept.everyMin * MINUTE_MS);
    this.#earlier = await countEarlier(this.#kept.to);
    return false;
  }

  async #plan(
    run: LaunchedRun,
    { connection, signal }: Round,
  ): Promise<Result<KeptPull | null, Problem>> {
    const { scripts, betweenLooks } = this.#means;
    const other = await whyOtherFolder(this.#kept.to, this.#kept.toId);
    if (other !== null) return err(other);
    const list = () =>
      listResults(connection, scripts, placeOfResults(run), { bounds: LONG_LIST, signal });
    const before = await list();
    if (!before.ok) return before;
    await betweenLooks(signal);
    if (signal.aborted) return ok(null);
    const now = await listApart(this.#kept.to, list);
    if (!now.ok) return now;
    const brought = await this.#broughtFrom(now.value.folder);
    const planned = await planRound(
      run,
      { before: before.value, now: now.value },
      { to: this.#kept.to, brought, rules: this.#means.keepRules?.(this.#boxId) },
    );
    if (!planned.ok || planned.value === null) return planned;
    const { files, freeBytes, missingBytes } = planned.value.shown;
    if (files.every((file) => file.refused !== null || this.#isShort(file))) return ok(null);
    return isTooFull(freeBytes, missingBytes) ? err(tooFull(this.#kept.to)) : planned;
  }

  #isShort(file: PullFile): boolean {
    const then = this.#short.get(file.path);
    return then !== undefined && isSameFile(then, file);
  }

  #broughtFrom(from: string): Promise<BroughtFiles> {
    const { evidence, entries, onProblem } = this.#means;
    if (this.#brought?.from !== from) {
      const of = { boxId: this.#boxId, runId: this.#kept.runId, from, to: this.#kept.to };
      this.#brought = {
        from,
        files: BroughtFiles.read(evidence, entries, of, onProblem),
      };
    }
    return this.#brought.files;
  }

  #failed(found: Problem): boolean {
    const { now, uptime } = this.#means;
    if (found.code === 'aborted') {
      // A person's own pull came between, or a person stopped it.
      this.#dueMs = uptime() + this.#kept.everyMin * MINUTE_MS;
      return false;
    }
    if (isCut(found)) {
      // It goes on as soon as the box is looked at again.
      this.holdFor('link');
      return false;
    }
    const atMs = now();
    const { failure: before, everyMin, isTold } = this.#kept;
    // Of a clock that was set back the time before is not known.
    const sinceMs = before === null || before.sinceMs > atMs ? atMs : before.sinceMs;
    const failure = {
      sinceMs,
      atMs,
      rounds: (before?.rounds ?? 0) + 1,
      says: found.message,
    };
    const isLong = found.code === 'disk-full' || atMs - sinceMs >= LONG_MS;
    this.#kept = { ...this.#kept, failure, isTold: isTold || isLong };
    this.#dueMs = uptime() + Math.min(FAILED_AGAIN_MS, everyMin * MINUTE_MS);
    return isLong && !isTold;
  }
}

const NOTHING: Omit<RoundDone, 'atMs'> = { files: 0, bytes: 0 };

const isNewlyHere = ({ mark, provenIn }: PulledFile): boolean =>
  mark === 'equal' && provenIn === undefined;

function cameOf(asked: KeptPull | null, { report }: RunProof): Omit<RoundDone, 'atMs'> {
  const missing = new Map(asked?.shown.files.map((file) => [file.path, file.missingBytes]));
  const came = report.files.filter(isNewlyHere);
  const bytes = came.reduce((sum, { path }) => sum + (missing.get(path) ?? 0), 0);
  return { files: came.length, bytes };
}

const shortOf = ({ report }: RunProof): ReadonlyMap<string, PulledFile> =>
  new Map(
    report.files.filter((file) => pulledState(file) === 'short').map((file) => [file.path, file]),
  );

function tooFull(to: string): Problem {
  return problem('disk-full', `The disk of ${to} would be nearly full after it.`);
}
