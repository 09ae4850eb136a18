import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { stillBlocking, type Overridden } from '../../shared/runs/launch/launch-plan.ts';
import { SeenRuns } from '../runs/seen-runs.ts';
import { carryOut } from '../runs/carry-out.ts';
import { launchRefused } from '../runs/launch-refused.ts';
import { lookAtRuns } from '../runs/look-at-runs.ts';
import type { PlannedLaunch } from '../runs/plan-of.ts';
import { codeOf, runOfSweep } from '../runs/sweep/plan-share.ts';
import { digestOf } from '../runs/sweep/roster-digest.ts';
import { SweepBook } from '../runs/sweep/sweep-book.ts';
import type { CommandContext } from './command.ts';
import type { NamedBox } from './named-box.ts';
import { withPushes } from './named-pushes.ts';
import {
  overSweepBoxes,
  type BeforePlanning,
  type PlannedSweep,
  type SweepWish,
} from './sweep-boxes.ts';

/** What became of a sweep. */
export interface SweepStarted {
  readonly planned: PlannedSweep;
  /** Why nothing was tried on any box; null: it was tried. */
  readonly refusal: string | null;
  /** Of each box, by its name, that has begun (null) or where it was tried and failed. */
  readonly outcomes: ReadonlyMap<string, Problem | null>;
}

export interface LaunchSweepOptions {
  readonly context: CommandContext;
  readonly over: Overridden;
  /** Shows the plan and why it cannot be done as it is; null: it can, and true does it. */
  readonly confirm: (planned: PlannedSweep, stands: string | null) => Promise<boolean>;
}

/**
 * Plans a sweep on its boxes and launches what was planned, on all of them or on none. What is to be done is written down on this
 * computer before anything is sent, so that the same id finds the same cells on the same boxes, and the window finds the sweep.
 */
export async function launchSweep(
  [first, ...others]: readonly [NamedBox, ...NamedBox[]],
  wish: SweepWish,
  { context, over, confirm }: LaunchSweepOptions,
): Promise<Result<SweepStarted, string>> {
  const boxes = [first, ...others];
  const unkept: Problem[] = [];
  const kept = {
    entries: first.database.entries,
    onProblem: (found: Problem): void => void unkept.push(found),
  };
  const book = new SweepBook({ ...kept, onChanged: () => undefined });
  const seen = new SeenRuns(kept);
  const given = givenBefore(book, wish, boxes);
  if (!given.ok) return given;
  const outcomes = new Map<string, Problem | null>();
  let refusal: string | null = null;
  return withPushes(first, async (pushes) => {
    const planned = await overSweepBoxes(boxes, { ...wish, given: given.value }, context, {
      lookBefore: lookForRun,
      decide: async (sweep, plans) => {
        const stands = whyNot(sweep, plans, over);
        const isWanted = await confirm(sweep, stands);
        refusal = stands ?? (isWanted ? null : 'It was not confirmed.');
        if (refusal !== null) return false;
        keep(book, wish, boxes, sweep, plans);
        // What is not written down could be begun twice.
        if (unkept.length > 0) refusal = unkept.map(({ message }) => message).join(' ');
        return unkept.length === 0;
      },
      act: async ({ box, scripts }, connection, plan, isDecided) => {
        if (!isDecided) return;
        const done = await carryOut({ scripts, pushes, seen }, box.id, connection, plan, over);
        const ended = done.ok ? done.value : done;
        outcomes.set(box.name, ended.ok ? null : ended.error);
      },
    });
    for (const { box, hasBegun } of planned.boxes) if (hasBegun) outcomes.set(box, null);
    return ok({ planned, refusal, outcomes });
  });
}

/** What an earlier start with this id gave to each box; null: there was none. The error is a sentence for people. */
function givenBefore(
  book: SweepBook,
  { roster }: SweepWish,
  boxes: readonly NamedBox[],
): Result<SweepWish['given'], string> {
  const { id } = roster;
  const known = book.of(id);
  if (known === null) return ok(null);
  if (known.digest !== digestOf(roster)) {
    return err(`${id} was launched with other cells: leave --id out for a new sweep.`);
  }
  const runs = new Set(boxes.map(({ box }) => runOfSweep(id, box.id)));
  const missing = known.shares.filter(({ run }) => !runs.has(run));
  return missing.length === 0
    ? ok(known.shares.map(({ run, place, cells }) => ({ run, place, cells })))
    : err(
        `${id} has cells on ${missing.map(({ place }) => place).join(', ')}, too, or was begun anew in the window: name the boxes of its start, or go on there.`,
      );
}

/** SECURITY: what began is never planned again, and what the box has ruled out is not tried in vain. */
const lookForRun: BeforePlanning = async (connection, { scripts }, run) => {
  const looked = await lookAtRuns(connection, scripts);
  if (!looked.ok) return looked;
  const { runs, sealed } = looked.value;
  if (sealed.includes(run)) return err(launchRefused('lost'));
  return ok(runs.some(({ id }) => id === run) ? 'begun' : 'open');
};

/** Nothing starts anywhere unless everything may; null: it may. */
function whyNot(
  { boxes }: PlannedSweep,
  plans: readonly (PlannedLaunch | null)[],
  over: Overridden,
): string | null {
  for (const [at, { box, problem: found }] of boxes.entries()) {
    if (found !== null) return `${box}: ${found.message}`;
    const plan = plans[at];
    const [blocking] = plan === null || plan === undefined ? [] : stillBlocking(plan, over);
    if (blocking !== undefined) return `This blocks it on ${box}: ${blocking.says}`;
  }
  return boxes.every(({ hasBegun, cells }) => hasBegun || cells.length === 0)
    ? 'Every box has begun already.'
    : null;
}

function keep(
  book: SweepBook,
  { roster, push }: SweepWish,
  boxes: readonly NamedBox[],
  planned: PlannedSweep,
  plans: readonly (PlannedLaunch | null)[],
): void {
  book.begin(
    roster,
    { push, readFrom: null, code: codeOf(plans), digest: digestOf(roster) },
    planned.boxes.flatMap(({ run, box: place, cells }, at) =>
      cells.length === 0
        ? []
        : [{ run, place, cells, boxId: boxes[at]?.box.id ?? null, wasThere: false }],
    ),
  );
}
