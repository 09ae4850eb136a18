import type { Problem } from '../../../shared/problem.ts';
import type { Result } from '../../../shared/result.ts';
import type { LaunchedRun, LaunchedRuns } from '../../../shared/runs/launch/launched-run.ts';
import type { ContinuousPull } from '../../../shared/transfer/continuous/continuous-pull.ts';
import type { RunProof } from '../../../shared/transfer/pull.ts';
import type { Connections } from '../../boxes/box-roster.ts';
import type { BoxWatch } from '../../boxes/box-watches.ts';
import { readKept, writeKept, type KeptContinuous, type KeptPullsOptions } from './kept-pulls.ts';
import { OneContinuous, type RoundMeans } from './one-continuous.ts';

export interface BoxContinuousOptions extends KeptPullsOptions, RoundMeans {
  readonly roster: Connections;
  /** Has the box asked for its runs, which `looked` is then told. */
  readonly look: (boxId: string) => Promise<unknown>;
  /** Null: nothing is known of it any more. */
  readonly onPulls: (pulls: readonly ContinuousPull[] | null) => void;
  /** Rounds of it fail, and a person is to hear of that. */
  readonly onLongFailure: (pull: ContinuousPull) => void;
}

/** After a look that brought nothing, or where nothing could be asked. */
const ASK_AGAIN_MS = 60_000;

/** The continuous pulls of one box, one round at a time. A round begins where the look at its runs has just brought an answer. */
export class BoxContinuous implements BoxWatch {
  readonly #options: BoxContinuousOptions;
  #pulls: readonly OneContinuous[];
  #runs: readonly LaunchedRun[] = [];
  #isClosed = false;
  #busy: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BoxContinuousOptions) {
    this.#options = options;
    this.#pulls = readKept(options).map((kept) => this.#one(kept));
    this.#tell();
    this.#wait(0);
  }

  looked({ runs }: LaunchedRuns): void {
    this.#runs = runs;
    for (const each of this.#pulls) {
      const run = this.#runOf(each);
      if (run !== undefined) each.runIs(run);
    }
    this.#busy ??= this.#rounds().finally(() => {
      this.#busy = null;
      this.#wait(ASK_AGAIN_MS);
    });
  }

  async pulled(proof: RunProof): Promise<void> {
    await Promise.all(this.#pulls.map((each) => each.pulled(proof)));
  }

  /** In place of an earlier one of that run. */
  put(kept: KeptContinuous): Result<null, Problem> {
    if (this.#pulls.some((each) => each.kept.runId === kept.runId && each.isUnderWay)) {
      this.#stopRound();
    }
    return this.#change([...this.#without(kept.runId), this.#one(kept)]);
  }

  /** What a round has brought by then stays. */
  drop(runId: string): Result<null, Problem> {
    const dropped = this.#pulls.find(({ kept }) => kept.runId === runId);
    const changed = this.#change(this.#without(runId));
    if (changed.ok && dropped?.isUnderWay === true) this.#stopRound();
    return changed;
  }

  roundNow(runId: string): void {
    this.#pulls.find(({ kept }) => kept.runId === runId)?.makeDue();
    this.#tell();
  }

  /** The box is another machine now; its runs are looked at anew. */
  moved(): void {
    this.#runs = [];
  }

  async close({ isForgotten }: { readonly isForgotten: boolean }): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (isForgotten) this.#options.onPulls(null);
    if (this.#pulls.some(({ isUnderWay }) => isUnderWay)) this.#stopRound();
    await this.#busy;
  }

  #stopRound(): void {
    this.#options.pulls.stopRound(this.#options.boxId);
  }

  #one(kept: KeptContinuous): OneContinuous {
    return new OneContinuous(this.#options.boxId, kept, this.#options);
  }

  #without(runId: string): readonly OneContinuous[] {
    return this.#pulls.filter(({ kept }) => kept.runId !== runId);
  }

  #change(next: readonly OneContinuous[]): Result<null, Problem> {
    const kept = next.map((each) => each.kept);
    const written = writeKept(this.#options, kept, this.#options.now());
    if (!written.ok) return written;
    this.#pulls = next;
    this.#tell();
    this.#wait(0);
    return written;
  }

  #runOf({ kept }: OneContinuous): LaunchedRun | undefined {
    return this.#runs.find(({ id }) => id === kept.runId);
  }

  /** Where no run lives, nobody else looks at the box. */
  #wait(leastMs: number): void {
    clearTimeout(this.#timer);
    const leftMs = Math.min(...this.#pulls.map((each) => each.leftMs));
    if (this.#isClosed || leftMs === Infinity) return;
    this.#timer = setTimeout(() => void this.#ask(), Math.max(leftMs, leastMs));
  }

  async #ask(): Promise<void> {
    const { roster, boxId, look } = this.#options;
    if (roster.connectionOf(boxId) !== null) await look(boxId);
    this.#wait(ASK_AGAIN_MS);
  }

  async #rounds(): Promise<void> {
    for (const each of this.#pulls.filter(({ leftMs }) => leftMs === 0)) {
      // Switched off meanwhile.
      if (this.#isClosed || !this.#pulls.includes(each)) continue;
      await this.#round(each);
    }
  }

  async #round(each: OneContinuous): Promise<void> {
    const { roster, boxId, pulls, onLongFailure, onProblem } = this.#options;
    const run = this.#runOf(each);
    const heldBy =
      roster.connectionOf(boxId) === null
        ? 'link'
        : pulls.isBusy(boxId)
          ? 'person'
          : run === undefined
            ? 'unlisted'
            : null;
    if (heldBy !== null || run === undefined) {
      each.holdFor(heldBy ?? 'unlisted');
      this.#tell();
      return;
    }
    const isLong = await each.round(run, () => this.#tell());
    if (this.#isClosed || !this.#pulls.includes(each)) return;
    const written = this.#change(this.#pulls);
    if (!written.ok) onProblem(written.error);
    if (isLong) onLongFailure(each.shown);
  }

  #tell(): void {
    if (!this.#isClosed) this.#options.onPulls(this.#pulls.map(({ shown }) => shown));
  }
}
