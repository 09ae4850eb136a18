import type { Problem } from '../../shared/problem.ts';
import {
  atStakeIn,
  isOver,
  type LaunchedRun,
  type LaunchedRuns,
} from '../../shared/runs/launch/launched-run.ts';
import { nameOf } from '../../shared/runs/launch/run-words.ts';
import type { BoxBehind, PullRate, RunBehind } from '../../shared/transfer/behind.ts';
import type { KeepRulesOf, SaidRule } from '../../shared/transfer/keep-rules.ts';
import { placeOfResults, type ResultRoot } from '../../shared/transfer/result-root.ts';
import { isVanished, VANISHED } from '../../shared/transfer/vanished.ts';
import { selectBehind } from '../../shared/transfer/select-behind.ts';
import { UNTOLD_WRITES, type RunProof } from '../../shared/transfer/pull.ts';
import type { Connections } from '../boxes/box-roster.ts';
import type { BoxWatch } from '../boxes/box-watches.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { listResults, type ListBounds } from '../runs/list-results.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';
import { SettledFiles } from './settled-files.ts';

/** A checkpoint is written about as often; what is over changes only where somebody works on it. */
const LIVE_EVERY_MS = 5 * 60_000;
const OVER_EVERY_MS = 60 * 60_000;
/** After a look that brought nothing. */
const FAILED_EVERY_MS = 5 * 60_000;
/** Of a hundred boxes each asks for one list at a time, and no list is long for main. */
const BOUNDS: ListBounds = { files: 20_000, bytes: 4_000_000, seconds: 15 };
const NOWHERE =
  'It names no results folder and has written nothing where it works, so where it saves is not known.';
/** What lies where it works may be all of it, or a stray file beside what it saved somewhere else. */
const ELSEWHERE =
  'It names no results folder: what it saved outside of where it works is not known.';
const CLOSED_FOLDER = 'The box has folders there that you have no permission to read.';
/** The newest; the others are told as not looked at. */
const MAX_RUNS = 20;

export interface BoxBehindOptions {
  readonly boxId: string;
  readonly roster: Connections;
  readonly scripts: OnboxScripts;
  readonly evidence: Pick<EvidenceTable, 'pullsOf'>;
  readonly keepRules: KeepRulesOf | undefined;
  readonly rate: PullRate | null;
  /** Folders that a person has named. */
  readonly named: readonly ResultRoot[];
  /** Null: nothing is known of it any more. */
  readonly onBehind: (behind: BoxBehind | null) => void;
  readonly onProblem: (found: Problem) => void;
}

interface ListedRun {
  readonly behind: RunBehind;
  /** By this machine's uptime: its clock may be set. Null: as soon as can be. */
  readonly dueMs: number | null;
  readonly wasOver: boolean;
  /** What was said of keeping then. */
  readonly rules: string;
  readonly newest: string | undefined;
}

/** `newest`: of those that share the folder, where it is another one. */
interface SharedRun extends LaunchedRun {
  readonly newest?: string;
}

/** What one box has of results that are not here. Asks it only where the look at its runs has just brought an answer. */
export class BoxBehindWatch implements BoxWatch {
  readonly #options: BoxBehindOptions;
  #named: readonly ResultRoot[];
  #launched: readonly SharedRun[] = [];
  #runs: readonly (ResultRoot | SharedRun)[] = [];
  #hasLooked = false;
  #unseenRuns = 0;
  #rate: PullRate | null;
  readonly #listed = new Map<string, ListedRun>();
  #settled: Promise<SettledFiles> | null = null;
  /** Of what asks the machine that the box is now. */
  #stopper = new AbortController();
  #isClosed = false;
  #busy: Promise<void> | null = null;

  constructor(options: BoxBehindOptions) {
    this.#options = options;
    this.#rate = options.rate;
    this.#named = options.named;
  }

  looked({ runs, leftOut }: LaunchedRuns): void {
    const begun = runs.filter(({ status }) => status.kind !== 'never-started');
    const apart = withoutSharing(begun);
    this.#launched = apart.slice(0, MAX_RUNS);
    this.#unseenRuns = apart.length - this.#launched.length + leftOut;
    this.#hasLooked = true;
    this.#choose();
  }

  /** A person has named folders, or no longer does. They are looked at once the box has answered for its runs. */
  named(roots: readonly ResultRoot[]): void {
    this.#named = roots;
    if (this.#hasLooked) this.#choose();
  }

  #choose(): void {
    this.#runs = [...this.#launched, ...this.#named];
    const ids = new Set(this.#runs.map(({ id }) => id));
    for (const id of this.#listed.keys()) if (!ids.has(id)) this.#listed.delete(id);
    this.#tell();
    this.#look();
  }

  /** A pull has ended: what it proved is here, and the box is asked once more what it has of that run. */
  async pulled(proof: RunProof, rate: PullRate | null): Promise<void> {
    const { report } = proof;
    this.#rate = rate ?? this.#rate;
    (await this.#read()).add(proof);
    const listed = this.#listed.get(report.runId);
    if (listed !== undefined) this.#listed.set(report.runId, { ...listed, dueMs: null });
    this.#tell();
    this.#look();
  }

  /** The box is another machine now. */
  moved(): void {
    this.#stopper.abort();
    this.#stopper = new AbortController();
    [this.#runs, this.#launched, this.#hasLooked] = [[], [], false];
    this.#listed.clear();
    this.#options.onBehind(null);
  }

  async close({ isForgotten }: { readonly isForgotten: boolean }): Promise<void> {
    this.#isClosed = true;
    this.#stopper.abort();
    if (isForgotten) this.#options.onBehind(null);
    await this.#busy;
  }

  #read(): Promise<SettledFiles> {
    const { evidence, boxId, onProblem } = this.#options;
    this.#settled ??= SettledFiles.read(evidence, boxId, onProblem);
    return this.#settled;
  }

  #look(): void {
    this.#busy ??= this.#lookAtDue().finally(() => {
      this.#busy = null;
    });
  }

  /** One after the other, until none is due. */
  async #lookAtDue(): Promise<void> {
    while (!this.#isClosed) {
      const run = this.#runs.find((each) => this.#isDue(each));
      if (run === undefined) return;
      await this.#lookAt(run, this.#stopper.signal);
    }
  }

  get #rules(): readonly SaidRule[] | undefined {
    return this.#options.keepRules?.(this.#options.boxId);
  }

  #isDue(run: ResultRoot | SharedRun): boolean {
    const listed = this.#listed.get(run.id);
    if (listed === undefined || listed.dueMs === null) return true;
    if (listed.wasOver !== isAtRest(run) || listed.rules !== rulesIn(this.#rules)) return true;
    // A run that began and ended between two looks has left something, too.
    if (listed.newest !== newestOf(run)) return true;
    return performance.now() >= listed.dueMs;
  }

  async #lookAt(run: ResultRoot | SharedRun, signal: AbortSignal): Promise<void> {
    const { roster, boxId, scripts } = this.#options;
    const [nowMs, wasOver, rules] = [performance.now(), isAtRest(run), this.#rules];
    const stood = { wasOver, rules: rulesIn(rules), newest: newestOf(run) };
    const about = { runId: run.id, runName: nameOf(run) };
    const failed = (problem: string): void => {
      const seen = this.#listed.get(run.id)?.behind.seen ?? null;
      const dueMs = nowMs + FAILED_EVERY_MS;
      this.#listed.set(run.id, { ...stood, behind: { ...about, seen, problem }, dueMs });
      this.#tell();
    };
    const connection = roster.connectionOf(boxId);
    if (connection === null) {
      failed('The box is not connected.');
      return;
    }
    const list = await listResults(connection, scripts, placeOfResults(run), {
      bounds: BOUNDS,
      signal,
    });
    if (signal.aborted) return;
    if (!list.ok) {
      failed(list.error.message);
      return;
    }
    if (list.value.isCut) {
      failed('There are more files than one check lists.');
      return;
    }
    const known = await this.#read();
    const settled = await known.among(list.value);
    if (signal.aborted) return;
    const dueMs = nowMs + (wasOver ? OVER_EVERY_MS : LIVE_EVERY_MS);
    // What counts as settled by its stamp may be another version there.
    const isUnsure = !list.value.tellsWrites && settled.size > 0;
    const isClosed = list.value.others.some(({ kind }) => kind === 'closed');
    const isElsewhere = run.results === null && atStakeIn(list.value).length === 0;
    const seen = isElsewhere
      ? null
      : selectBehind(list.value, run, (file) => settled.has(file), rules);
    const hasVanished = isVanished(known.in(list.value.folder), list.value);
    const problem = hasVanished
      ? VANISHED
      : isElsewhere
        ? NOWHERE
        : isClosed
          ? CLOSED_FOLDER
          : run.results === null
            ? ELSEWHERE
            : isUnsure
              ? UNTOLD_WRITES
              : null;
    this.#listed.set(run.id, { ...stood, behind: { ...about, seen, problem }, dueMs });
    this.#tell();
  }

  #tell(): void {
    if (this.#isClosed) return;
    const runs = this.#runs.map(
      (run): RunBehind =>
        this.#listed.get(run.id)?.behind ?? {
          ...{ runId: run.id, runName: nameOf(run) },
          ...{ seen: null, problem: null },
        },
    );
    this.#options.onBehind({
      runs,
      unseenRuns: this.#unseenRuns,
      rate: this.#rate,
    });
  }
}

/** Whether anybody may still write there, nobody knows of a folder that a person has named. */
const isAtRest = (root: ResultRoot | LaunchedRun): boolean => 'status' in root && isOver(root);

const newestOf = (run: ResultRoot | SharedRun): string | undefined =>
  'newest' in run ? run.newest : undefined;

/** To tell whether they are others. */
const rulesIn = (rules: readonly SaidRule[] = []): string => JSON.stringify(rules);

/**
 * One of those that write into the same folder, as those do that go on after each other: the newest, or of those that name no results folder the
 * one that began first, since what was written since then is all that any of them left. That one lives as long as any of them does.
 */
function withoutSharing(runs: readonly LaunchedRun[]): readonly SharedRun[] {
  const places = new Map<string, SharedRun>();
  for (const run of runs) {
    // Those that nobody knows the place of may have left theirs anywhere, each for itself.
    const place = run.folder === '' ? run.id : `${run.folder}\0${run.results ?? ''}`;
    const newer = places.get(place);
    if (newer === undefined) places.set(place, run);
    else if (run.results === null) {
      const { status } = isOver(newer) ? run : newer;
      places.set(place, { ...run, status, newest: newestOf(newer) ?? newer.id });
    }
  }
  return [...places.values()];
}
