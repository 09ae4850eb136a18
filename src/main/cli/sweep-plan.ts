import { wholeSum, estimateFor } from '../../shared/meter/estimate.ts';
import { HOUR_MS } from '../../shared/meter/rate.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { KnownBox } from '../../shared/runs/launch/known-box.ts';
import type { LaunchPlan } from '../../shared/runs/launch/launch-plan.ts';
import type { WantedRun } from '../../shared/runs/request/wanted-run.ts';
import { sweepBaseOf, type WantedSweep } from '../../shared/runs/request/wanted-sweep.ts';
import { makeCells } from '../../shared/runs/sweep/make-cells.ts';
import { dealCells, splitCells, type SplitPlace } from '../../shared/runs/sweep/split-cells.ts';
import type { SweepRoster } from '../../shared/runs/sweep/sweep-roster.ts';
import { newRunId } from '../runs/make-plan.ts';
import { planOf } from '../runs/plan-of.ts';
import { readRequestFile } from '../runs/request/read-request.ts';
import { newSweepId, planShare, sweepPartOf } from '../runs/sweep/plan-share.ts';
import { faultSentence } from '../yaml/schema-faults.ts';
import { planWith, toldProfiles } from './box-plan.ts';
import type { Command, CommandContext, ExitCode } from './command.ts';
import { Meeting } from './meeting.ts';
import { REACHES_A_BOX, withNamedBoxes, type NamedBox } from './named-box.ts';
import { planLines } from './plan-lines.ts';
import { printable } from './printable.ts';

export const sweepPlan: Command = {
  name: 'sweep plan',
  summary: 'says all that launching a sweep would do on each of its boxes, and launches nothing',
  operands: ['<file>'],
  flags: {
    boxes: {
      value: 'names',
      help: 'the boxes, with commas between; without it, those of the file',
    },
    files: { value: null, help: 'prints each file that would be put there, to the letter' },
  },
  details: [
    'The plan that the window shows: how the cells are dealt out and why, and of each box the checks, cells, folders, time and cost.',
    'The cells are dealt out over the boxes that answer, by what one costs there. Changes nothing on any box.',
    ...REACHES_A_BOX,
    'Exit code 1: something blocks on a box, or one did not answer. 2: the file cannot be used, or a box is not in the list.',
  ],
  async run({ operands: [file = ''], flags, isJson }, context) {
    const wanted = await readRequestFile(file);
    if (!wanted.ok) {
      return { refused: wanted.error.map((fault) => printable(faultSentence(fault))).join('\n') };
    }
    const { sweep } = wanted.value;
    if (sweep === undefined) {
      return { refused: `${printable(file)} is no sweep: “request plan” tells what it does.` };
    }
    const named =
      flags
        .get('boxes')
        ?.split(',')
        .map((name) => name.trim()) ??
      sweep.boxes ??
      [];
    const names = [...new Set(named.filter((name) => name !== ''))];
    if (names.length === 0) {
      return { refused: 'the file names no boxes: give them with --boxes.' };
    }
    return withNamedBoxes(names, context, async (boxes) => {
      const planned = await planOver(boxes, wanted.value, sweep, context);
      if (isJson) await context.out.json(planned);
      else await context.out.lines(linesOf(planned, flags.has('files')));
      return exitCodeOf(planned);
    });
  },
};

interface PlannedBox {
  readonly box: string;
  /** By their place among all cells. */
  readonly cells: readonly number[];
  /** Why it was not reached; null: it was. */
  readonly problem: Problem | null;
  /** Null: it was not reached, or gets no cell. */
  readonly plan: Omit<LaunchPlan, 'plan'> | null;
}

interface Planned extends Pick<SweepRoster, 'name' | 'cells'> {
  /** Why the cells are dealt out like this; null: there is nothing to deal out. */
  readonly split: string | null;
  readonly boxes: readonly PlannedBox[];
}

/** Every box is reached at once; what each gets is known only when all were, or were not. */
async function planOver(
  boxes: readonly NamedBox[],
  { request }: WantedRun,
  { source, pattern }: WantedSweep,
  context: CommandContext,
): Promise<Planned> {
  const { cells } = makeCells(source, pattern);
  const base = sweepBaseOf(request);
  const roster: SweepRoster = { id: newSweepId(), name: request.name, base, cells };
  const runs = boxes.map(() => newRunId());
  const meeting = new Meeting<SplitPlace>(boxes.length);
  const dealing = meeting.all.then((places) => dealOver(roster, boxes, runs, places));
  const profiles = await toldProfiles(context);
  const planned = await Promise.all(
    boxes.map(async (named, at): Promise<PlannedBox> => {
      const { box, scripts } = named;
      const made = await planWith<Omit<LaunchPlan, 'plan'> | null>(
        named,
        profiles,
        async (connection, known) => {
          meeting.arrive(at, placeOf(box.name, known));
          const { part, shares } = await dealing;
          const share = shares[at] ?? [];
          if (share.length === 0) return ok(null);
          const launch = await planShare(connection, {
            ...{ scripts, known, roster, cells: share, push: request.push ?? null },
            sweep: { ...part, id: runs[at] ?? '', after: null },
          });
          return launch.ok
            ? ok(planOf(launch.value, await scripts.textOf('run-launch.sh')))
            : launch;
        },
      );
      meeting.arrive(at, null); // of one that was not reached
      const { shares } = await dealing;
      return { box: box.name, cells: shares[at] ?? [], ...toldOf(made) };
    }),
  );
  return { name: roster.name, cells, split: (await dealing).says, boxes: planned };
}

function toldOf(
  made: Result<Omit<LaunchPlan, 'plan'> | null, Problem>,
): Pick<PlannedBox, 'problem' | 'plan'> {
  return made.ok ? { problem: null, plan: made.value } : { problem: made.error, plan: null };
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
  roster: SweepRoster,
  boxes: readonly NamedBox[],
  runs: readonly string[],
  places: readonly (SplitPlace | null)[],
): Dealt {
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
      told.filter(({ cells }) => cells.length > 0),
    ),
  };
}

function linesOf({ name, cells, split, boxes }: Planned, isWhole: boolean): readonly string[] {
  return [
    `${name} · ${countOf(cells.length)} on ${boxes.length === 1 ? '1 box' : `${String(boxes.length)} boxes`}`,
    ...boxes.map((each) => `  ${each.box}: ${whatOf(each)}`),
    ...(split === null ? [] : [split]),
    ...boxes.flatMap(({ box, plan }) =>
      plan === null ? [] : ['', ...planLines(box, plan, isWhole)],
    ),
  ];
}

function whatOf({ cells, problem }: PlannedBox): string {
  return problem === null
    ? countOf(cells.length)
    : ['not planned:', problem.message, problem.nextStep ?? ''].join(' ').trimEnd();
}

const countOf = (count: number): string => (count === 1 ? '1 cell' : `${String(count)} cells`);

function exitCodeOf({ boxes }: Planned): ExitCode {
  const isClear = boxes.every(
    ({ problem, plan }) =>
      problem === null && plan?.checks.some(({ answer }) => answer === 'block') !== true,
  );
  return isClear ? 0 : 1;
}
