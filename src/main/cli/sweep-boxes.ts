import { wholeSum, estimateFor } from '../../shared/meter/estimate.ts';
import { HOUR_MS } from '../../shared/meter/rate.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { KnownBox } from '../../shared/runs/launch/known-box.ts';
import type { LaunchPlan } from '../../shared/runs/launch/launch-plan.ts';
import type { PushRequest } from '../../shared/runs/launch/run-request.ts';
import { dealCells, splitCells, type SplitPlace } from '../../shared/runs/sweep/split-cells.ts';
import type { SweepRoster, SweepShare } from '../../shared/runs/sweep/sweep-roster.ts';
import { planOf, type PlannedLaunch } from '../runs/plan-of.ts';
import { planShare, runOfSweep, sweepPartOf } from '../runs/sweep/plan-share.ts';
import { digestOf } from '../runs/sweep/roster-digest.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { CodePusher } from '../transfer/code-pusher.ts';
import { planWith, toldProfiles } from './box-plan.ts';
import type { CommandContext } from './command.ts';
import { Meeting } from './meeting.ts';
import type { NamedBox } from './named-box.ts';
import { planLines } from './plan-lines.ts';

/** A sweep that is planned over boxes. */
export interface SweepWish {
  readonly roster: SweepRoster;
  readonly push: PushRequest | null;
  /** What each box was given by an earlier start, by their places; null: it is dealt out now. */
  readonly given: readonly SweepShare[] | null;
}

/** What one box is to do. */
export interface PlannedBox {
  readonly box: string;
  /** Of its queue, whether it gets cells or not. */
  readonly run: string;
  /** By their place among all cells. */
  readonly cells: readonly number[];
  /** Why it was not reached, or what it does not do; null: it is planned, or has begun. */
  readonly problem: Problem | null;
  /** Null: it was not reached, gets no cell, or has begun. */
  readonly plan: Omit<LaunchPlan, 'plan'> | null;
  /** An earlier start began it: it is left alone. */
  readonly hasBegun: boolean;
}

export interface PlannedSweep extends Pick<SweepRoster, 'id' | 'name' | 'cells'> {
  /** Why the cells are dealt out like this; null: there is nothing to deal out. */
  readonly split: string | null;
  readonly boxes: readonly PlannedBox[];
}

/** What a box has to do with a sweep before it is planned there: begun means that nothing is planned any more. */
export type BeforePlanning = (
  connection: SshConnection,
  named: NamedBox,
  run: string,
) => Promise<Result<'begun' | 'open', Problem>>;

/** What becomes of a plan while its box is still reached: every one of them is there, or is known not to be. */
export interface SweepActs<T> {
  readonly lookBefore: BeforePlanning;
  /** Once, when all boxes were asked. */
  readonly decide: (planned: PlannedSweep, kept: readonly (PlannedLaunch | null)[]) => Promise<T>;
  /** On each box that is planned. */
  readonly act: (
    named: NamedBox,
    connection: SshConnection,
    planned: PlannedLaunch,
    decided: T,
  ) => Promise<void>;
}

/** Stays at the plan, and of no box was anything asked before. */
export const ONLY_PLANNED: SweepActs<null> = {
  lookBefore: () => Promise.resolve(ok('open')),
  decide: () => Promise.resolve(null),
  act: () => Promise.resolve(),
};

interface MadePlan {
  readonly told: PlannedBox;
  readonly kept: PlannedLaunch | null;
}

/**
 * Every box is reached at once; what each gets is known only when all were, or were not. What fails after a box was planned is
 * `act`'s to tell.
 */
export async function overSweepBoxes<T>(
  boxes: readonly NamedBox[],
  wish: SweepWish,
  context: CommandContext,
  { lookBefore, decide, act }: SweepActs<T>,
): Promise<PlannedSweep> {
  const { roster, push } = wish;
  const { id, name, cells } = roster;
  const runs = boxes.map(({ box }) => runOfSweep(id, box.id));
  const meeting = new Meeting<SplitPlace>(boxes.length);
  const dealing = meeting.all.then((places) => dealOver(wish, boxes, runs, places));
  const making = new Meeting<MadePlan>(boxes.length);
  const planning = making.all.then(async (made): Promise<PlannedSweep> => {
    const told = made.flatMap((each) => each?.told ?? []);
    return { id, name, cells, split: (await dealing).says, boxes: told };
  });
  const deciding = planning.then(async (planned) => {
    const made = await making.all;
    return decide(
      planned,
      made.map((each) => each?.kept ?? null),
    );
  });
  const profiles = await toldProfiles(context);
  await Promise.all(
    boxes.map(async (named, at) => {
      const { box, scripts, hashes } = named;
      const run = runs[at] ?? '';
      const arrive = async (more: Partial<PlannedBox>, kept: PlannedLaunch | null = null) => {
        const { shares } = await dealing;
        const none = { problem: null, plan: null, hasBegun: false };
        const told = { box: box.name, run, cells: shares[at] ?? [], ...none, ...more };
        making.arrive(at, { told, kept });
      };
      const reached = await planWith<null>(named, profiles, async (connection, known) => {
        meeting.arrive(at, placeOf(box.name, known));
        const { part, shares } = await dealing;
        const share = shares[at] ?? [];
        const before: Awaited<ReturnType<BeforePlanning>> =
          share.length === 0 ? ok('open') : await lookBefore(connection, named, run);
        if (!before.ok) return before;
        if (share.length === 0 || before.value === 'begun') {
          await arrive({ hasBegun: before.value === 'begun' });
          return ok(null);
        }
        const made = await planShare(connection, {
          ...{ scripts, known, roster, cells: share, push },
          pushes: new CodePusher(scripts, hashes),
          sweep: { ...part, id: run, after: null, isAgain: false },
        });
        if (!made.ok) return made;
        await arrive(
          { plan: planOf(made.value, await scripts.textOf('run-launch.sh')) },
          made.value,
        );
        await act(named, connection, made.value, await deciding);
        return ok(null);
      });
      meeting.arrive(at, null); // of one that was not reached
      if (!reached.ok) await arrive({ problem: reached.error });
    }),
  );
  await deciding;
  return planning;
}

const placeOf = (name: string, { charges, gpus }: KnownBox): SplitPlace => ({
  name,
  pricePerHour: charges === null ? null : wholeSum(estimateFor(charges, HOUR_MS)),
  // How fast a box is shows only while it runs.
  speed: null,
  gpus: gpus.facts?.gpus.length ?? null,
});

interface Dealt {
  readonly says: string | null;
  /** Of each box; none where it was not reached. */
  readonly shares: readonly (readonly number[])[];
  readonly part: ReturnType<typeof sweepPartOf>;
}

function dealOver(
  { roster, given }: SweepWish,
  boxes: readonly NamedBox[],
  runs: readonly string[],
  places: readonly (SplitPlace | null)[],
): Dealt {
  const digest = digestOf(roster);
  if (given !== null) {
    const cellsOf = (run: string): readonly number[] =>
      given.find((share) => share.run === run)?.cells ?? [];
    return { says: null, shares: runs.map(cellsOf), part: sweepPartOf(roster, digest, given) };
  }
  const reached = places.flatMap((place, at) => (place === null ? [] : [{ place, at }]));
  const all = roster.cells.map((_, place) => place);
  const { counts, says } = splitCells(
    all.length,
    reached.map(({ place }) => place),
  );
  const dealt = reached.length === 0 ? [] : dealCells(all, counts);
  const shares = places.map((_, at) => dealt[reached.findIndex((each) => each.at === at)] ?? []);
  const told = shares.map((cells, at) => ({
    ...{ run: runs[at] ?? '', place: boxes[at]?.box.name ?? '', cells },
  }));
  return {
    says: reached.length < 2 ? null : says,
    shares,
    part: sweepPartOf(
      roster,
      digest,
      told.filter(({ cells }) => cells.length > 0),
    ),
  };
}

/** As a person reads it in a terminal. `isWhole`: each file to the letter. */
export function sweepPlanLines(
  { name, cells, split, boxes }: PlannedSweep,
  isWhole: boolean,
): readonly string[] {
  return [
    `${name} · ${countOf(cells.length)} on ${boxes.length === 1 ? '1 box' : `${String(boxes.length)} boxes`}`,
    ...boxes.map((each) => `  ${each.box}: ${whatOf(each)}`),
    ...(split === null ? [] : [split]),
    ...boxes.flatMap(({ box, plan }) =>
      plan === null ? [] : ['', ...planLines(box, plan, isWhole)],
    ),
  ];
}

function whatOf({ cells, problem, hasBegun }: PlannedBox): string {
  if (problem !== null)
    return `not planned: ${problem.message} ${problem.nextStep ?? ''}`.trimEnd();
  return hasBegun ? `${countOf(cells.length)}, begun by an earlier start` : countOf(cells.length);
}

export const countOf = (count: number): string =>
  count === 1 ? '1 cell' : `${String(count)} cells`;
