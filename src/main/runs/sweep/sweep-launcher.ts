import type { PlanRef } from '../../../shared/plan/plan.ts';
import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { sameCodeCheck } from '../../../shared/runs/launch/checks/same-code.ts';
import { originCheck } from '../../../shared/runs/launch/checks/origin-checks.ts';
import { stillBlocking } from '../../../shared/runs/launch/launch-plan.ts';
import type { PreflightCheck } from '../../../shared/runs/launch/launch-plan.ts';
import type { KnownBox } from '../../../shared/runs/launch/known-box.ts';
import { makeCellsInSteps } from '../../../shared/runs/sweep/make-cells.ts';
import { isCopyOnly, judgeAgain } from '../../../shared/runs/sweep/judge-sweep.ts';
import type {
  LaunchedShare,
  PlannedShare,
  SweepDraft,
  SweepLaunched,
  SweepPlan,
  WantedShare,
} from '../../../shared/runs/sweep/sweep-plan.ts';
import type { SweepRoster, SweepShare } from '../../../shared/runs/sweep/sweep-roster.ts';
import type { BoxRoster } from '../../boxes/box-roster.ts';
import type { OnboxScripts } from '../../onbox/onbox-scripts.ts';
import { doInTurns, nextTurn } from '../../streams/in-turns.ts';
import type { BoxPushes } from '../../transfer/box-pushes.ts';
import { PlanKeeper } from '../../plan/plan-keeper.ts';
import { newRunId } from '../make-plan.ts';
import { planOf, type PlannedLaunch } from '../plan-of.ts';
import { plannedSweepFile, type SweepPart } from '../queue/planned-queue.ts';
import { rehearsalIn, type WantedRehearsal } from '../request/rehearse.ts';
import type { RunLauncher } from '../run-launcher.ts';
import type { FollowedSweep } from './followed-sweep.ts';
import { codeOf, newSweepId, planShare, sweepPartOf } from './plan-share.ts';
import { digestOf } from './roster-digest.ts';
import type { SweepOrigin } from './sweep-book.ts';
import { noSuchSweep, type SweepWatch } from './sweep-watch.ts';
import { againChecks } from './twin-checks.ts';
import { sha256 } from '../../storage/sha256.ts';

export interface SweepLauncherOptions {
  readonly roster: Pick<BoxRoster, 'connectionOf' | 'boxOf'>;
  readonly knownBox: (boxId: string) => KnownBox;
  readonly scripts: OnboxScripts;
  readonly launcher: Pick<RunLauncher, 'carryOut'>;
  readonly pushes: Pick<BoxPushes, 'plan'>;
  readonly sweeps: SweepWatch;
}

/** What one box is to do, as main keeps it. */
interface KeptPlan extends SweepShare {
  readonly boxId: string;
  /** Null: the box could not be asked. */
  readonly planned: PlannedLaunch | null;
  readonly problem: Problem | null;
  /** Null: nothing was tried. What began is never tried again. */
  outcome: Result<null, Problem> | null;
  isUsedUp: boolean;
}

interface KeptSweepPlan {
  readonly roster: SweepRoster;
  readonly digest: string;
  readonly from: SweepOrigin;
  /** Cells of it run again. */
  readonly isAgain: boolean;
  readonly shares: readonly KeptPlan[];
}

/** How each share of a launch is made. */
interface Making {
  readonly roster: SweepRoster;
  readonly from: SweepOrigin;
  readonly isAgain: boolean;
  readonly wanted: readonly WantedShare[];
  readonly afterOf: (boxId: string) => Result<string | null, Problem>;
  readonly checksOf: (wanted: WantedShare, planned: PlannedLaunch) => readonly PreflightCheck[];
  /** Whether that cell has succeeded on that box, and only its copy did not. */
  readonly hasRun: (boxId: string, place: number) => boolean;
}

/** Plans sweeps over several boxes and launches them: each box by its own queue, each of which begins once. */
export class SweepLauncher {
  readonly #options: SweepLauncherOptions;
  readonly #plans = new PlanKeeper<KeptSweepPlan>();

  constructor(options: SweepLauncherOptions) {
    this.#options = options;
  }

  /** Looks at every box and answers everything that a launch would do there. Changes nothing. */
  async plan(
    draft: SweepDraft,
    wanted: readonly WantedShare[],
  ): Promise<Result<SweepPlan, Problem>> {
    const { name, base, source, pattern, push = null } = draft;
    const { cells, faults } = await doInTurns(makeCellsInSteps(source, pattern));
    await nextTurn();
    const wrong = Object.values(faults)[0] ?? partError(wanted, cells.length, true);
    if (wrong !== null) return refused(wrong);
    return this.#make({
      roster: { id: newSweepId(), name, base, cells },
      ...{ from: { push, readFrom: null }, wanted, isAgain: false },
      afterOf: () => ok(null),
      checksOf: () => [],
      hasRun: () => false,
    });
  }

  /** The same for cells that run again: the identical command, from the roster. */
  async planAgain(id: string, wanted: readonly WantedShare[]): Promise<Result<SweepPlan, Problem>> {
    const sweep = this.#options.sweeps.of(id);
    const kept = this.#options.sweeps.book.of(id);
    if (sweep === null || kept === null) return noSuchSweep();
    await sweep.look();
    const { roster } = sweep;
    if (roster === null) return noSuchSweep();
    const wrong = partError(wanted, roster.cells.length, false) ?? liveError(sweep, wanted);
    if (wrong !== null) return refused(wrong);
    return this.#make({
      roster,
      ...{ from: kept, wanted, isAgain: true },
      afterOf: (boxId) => afterOn(sweep, boxId),
      hasRun: (boxId, place) => {
        const cell = sweep.view.cells[place];
        return cell !== undefined && isCopyOnly(cell, sweep.view.shares, boxId);
      },
      checksOf: (share, { push }) => [
        ...this.#originOf(kept, share),
        ...againChecks(sweep, share),
        ...sameCodeCheck(kept.code, push?.shown ?? null),
      ],
    });
  }

  /** What a box told is a person's to read before it runs, on that box or on another. */
  #originOf({ readFrom }: SweepOrigin, { cells }: WantedShare): readonly PreflightCheck[] {
    if (readFrom === null) return [];
    const box = readFrom === undefined ? null : this.#options.roster.boxOf(readFrom);
    return [originCheck({ what: 'sweep', commands: cells.length, from: box?.name ?? null })];
  }

  /** What must have passed on this computer before a share of the sweep that was shown. */
  rehearsalOf(id: string, boxId: string, shown: PlanRef): Result<WantedRehearsal, Problem> {
    const kept = this.#plans.peek(id, shown);
    if (!kept.ok) return kept;
    const planned = kept.value.shares.find((share) => share.boxId === boxId)?.planned ?? null;
    return planned === null ? noSuchSweep() : rehearsalIn(planned.request);
  }

  /** Launches what was shown on every box, or on those where an earlier try with the same plan did not. */
  async launch(
    id: string,
    shown: PlanRef,
    overridden: Readonly<Record<string, readonly string[]>>,
  ): Promise<Result<SweepLaunched, Problem>> {
    let told: SweepLaunched | null = null;
    const carried = await this.#plans.carryOut<null>(id, shown, async (plan) => {
      const wrong = await this.#whyNot(plan, overridden);
      if (wrong !== null) return err(wrong);
      this.#options.sweeps.book.begin(
        plan.roster,
        { ...plan.from, digest: plan.digest },
        plan.shares.map(({ run, place, cells, boxId }) => ({
          ...{ run, place, cells, boxId },
          wasThere: false,
        })),
      );
      await nextTurn();
      await Promise.all(
        plan.shares.map((share) => this.#launchOn(share, overridden[share.boxId] ?? [])),
      );
      const canRepeat = plan.shares.some(
        ({ outcome, isUsedUp }) => outcome?.ok === false && !isUsedUp,
      );
      told = { sweepId: id, canRepeat, shares: plan.shares.map(launchedOf) };
      // As long as one box can be tried again, the same plan can.
      return canRepeat ? err(problem('run-not-launched', 'Not every box has begun.')) : ok(null);
    });
    await this.#options.sweeps.of(id)?.look();
    if (told !== null) return ok(told);
    return carried.ok ? noSuchSweep() : carried;
  }

  close(): void {
    this.#plans.close();
  }

  async #make(making: Making): Promise<Result<SweepPlan, Problem>> {
    const { roster, from, isAgain, wanted } = making;
    const shares = wanted.map(({ boxId, cells }) => ({
      ...{ boxId, cells, run: newRunId() },
      place: this.#options.roster.boxOf(boxId)?.name ?? 'a box that is gone',
    }));
    const digest = digestOf(roster);
    await nextTurn();
    const part = sweepPartOf(roster, digest, shares);
    await nextTurn();
    const kept = await Promise.all(
      shares.map(async (share): Promise<KeptPlan> => {
        const after = making.afterOf(share.boxId);
        const made = after.ok
          ? await this.#planOn(share, making, {
              ...{ ...part, id: share.run },
              ...{ after: after.value, isAgain },
            })
          : after;
        return {
          ...share,
          planned: made.ok ? made.value : null,
          problem: made.ok ? null : made.error,
          ...{ outcome: null, isUsedUp: false },
        };
      }),
    );
    const script = await this.#options.scripts.textOf('run-launch.sh');
    const shown: PlannedShare[] = [];
    const file = plannedSweepFile(part.file);
    const digests = [sha256(JSON.stringify(file))];
    for (const { boxId, place, cells, planned, problem: found } of kept) {
      const plan = planned === null ? null : withoutFile(planOf(planned, script), file.name);
      const share = { boxId, place, cells: cells.length, problem: found, plan };
      shown.push(share);
      // What a person sees of ten thousand cells is some megabytes a box.
      await nextTurn();
      const text = JSON.stringify(share);
      await nextTurn();
      digests.push(sha256(text));
    }
    await nextTurn();
    const content = {
      ...{ roster, digest, isAgain, shares: kept },
      from: isAgain ? from : { ...from, code: codeOf(kept.map(({ planned }) => planned)) },
    };
    const plan = this.#plans.keep(roster.id, content, digests.join());
    return ok({ plan, sweepId: roster.id, name: roster.name, file, shares: shown });
  }

  async #planOn(
    { boxId, cells }: WantedShare,
    { roster, from: { push }, checksOf, hasRun }: Making,
    sweep: Omit<SweepPart, 'folders'>,
  ): Promise<Result<PlannedLaunch, Problem>> {
    const { scripts, pushes, knownBox } = this.#options;
    const connection = this.#options.roster.connectionOf(boxId);
    if (connection === null) return err(problem('not-connected', 'The box is not connected.'));
    const known = knownBox(boxId);
    const copyOnly = new Set(cells.filter((place) => hasRun(boxId, place)));
    const made = await planShare(connection, {
      ...{ scripts, pushes, known, roster, push, cells, copyOnly, sweep },
    });
    if (!made.ok) return made;
    const more = checksOf({ boxId, cells }, made.value);
    return ok({ ...made.value, checks: [...more, ...made.value.checks] });
  }

  /** Nothing starts anywhere unless everything may. What has begun by an earlier try is not asked again. */
  async #whyNot(
    { shares, isAgain, roster }: KeptSweepPlan,
    overridden: Readonly<Record<string, readonly string[]>>,
  ): Promise<Problem | null> {
    const open = shares.filter(({ outcome }) => outcome?.ok !== true);
    for (const { boxId, place, planned, problem: found } of open) {
      if (planned === null) return found;
      const [blocking] = stillBlocking(planned, new Set(overridden[boxId]));
      if (blocking !== undefined) {
        return problem('run-blocked', `This blocks the launch on ${place}: ${blocking.says}`);
      }
      if (this.#options.roster.connectionOf(boxId) === null) {
        return problem('not-connected', `${place} is not connected. Nothing was launched.`);
      }
    }
    const sweep = this.#options.sweeps.of(roster.id);
    // A try that failed in part has changed how cells stand; only a first one is held against it.
    if (!isAgain || sweep === null || open.length < shares.length) return null;
    await sweep.look();
    const wrong = liveError(sweep, shares);
    return wrong === null ? null : problem('sweep-not-planned', wrong);
  }

  async #launchOn(share: KeptPlan, overridden: readonly string[]): Promise<void> {
    if (share.outcome?.ok === true || share.isUsedUp || share.planned === null) return;
    const connection = this.#options.roster.connectionOf(share.boxId);
    if (connection === null) {
      share.outcome = err(problem('not-connected', `${share.place} is not connected.`));
      return;
    }
    const done = await this.#options.launcher.carryOut(
      share.boxId,
      connection,
      share.planned,
      new Set(overridden),
    );
    share.outcome = done.ok ? done.value : done;
    share.isUsedUp = done.ok;
  }
}

const withoutFile = (
  plan: NonNullable<PlannedShare['plan']>,
  left: string,
): PlannedShare['plan'] => ({ ...plan, files: plan.files.filter(({ name }) => name !== left) });

function launchedOf({ boxId, place, run, outcome }: KeptPlan): LaunchedShare {
  return { boxId, place, run, problem: outcome?.ok === false ? outcome.error : null };
}

/** Null: each box and each cell is there once, and, of a new sweep, every cell is. */
function partError(wanted: readonly WantedShare[], count: number, isWhole: boolean): string | null {
  if (new Set(wanted.map(({ boxId }) => boxId)).size < wanted.length) {
    return 'A box is there twice.';
  }
  const cells = wanted.flatMap((share) => share.cells);
  const once = new Set(cells);
  if (wanted.length === 0 || wanted.some((share) => share.cells.length === 0)) {
    return 'A box without cells has nothing to do: leave it out.';
  }
  if (once.size < cells.length) return 'A cell is given to two boxes.';
  if (cells.some((cell) => cell >= count)) return 'A cell is not in the sweep.';
  return isWhole && once.size < count ? 'Not every cell is given to a box.' : null;
}

const MAX_NAMED = 5;

/** Null: nothing that is known still does one of these cells, or has done it. */
function liveError(sweep: FollowedSweep, wanted: readonly WantedShare[]): string | null {
  const { cells, shares } = sweep.view;
  const alive = wanted.flatMap((share) =>
    share.cells.flatMap((place) => {
      const cell = cells[place];
      const again = cell === undefined ? null : judgeAgain(cell, shares);
      const name = sweep.roster?.cells[place]?.name ?? '';
      return again?.kind === 'no' ? [`“${name}” ${again.because}`] : [];
    }),
  );
  if (alive.length === 0) return null;
  const more = alive.length > MAX_NAMED ? ` and ${String(alive.length - MAX_NAMED)} more` : '';
  return `${alive.slice(0, MAX_NAMED).join(', ')}${more}: running it again would do it twice.`;
}

/**
 * The run that a new queue on this box goes after: nobody can then resume the old one, nor go on with it from another computer, so that
 * no two queues of a sweep live on one box.
 */
function afterOn(sweep: FollowedSweep, boxId: string): Result<string | null, Problem> {
  const mine = sweep.view.shares.filter((share) => share.boxId === boxId);
  const alive = mine.find(({ presence }) => presence === 'alive');
  if (alive !== undefined) {
    return refused(
      `The queue of this sweep on ${alive.place} still goes on. Run these cells on another box, or wait until it is over.`,
    );
  }
  const left = mine.find(({ hasLeft }) => hasLeft);
  if (left !== undefined) {
    return refused(
      `On ${left.place} a process of an interrupted cell still runs. End it on the box, then plan again.`,
    );
  }
  return ok(mine.flatMap(({ newest }) => newest ?? []).at(-1) ?? null);
}

const refused = (because: string): Result<never, Problem> =>
  err(problem('sweep-not-planned', because));
