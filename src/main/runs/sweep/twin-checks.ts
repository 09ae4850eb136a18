import type { PreflightCheck } from '../../../shared/runs/launch/launch-plan.ts';
import { plainLine } from '../../../shared/questions/hostile-text.ts';
import { judgeAgain } from '../../../shared/runs/sweep/judge-sweep.ts';
import type { WantedShare } from '../../../shared/runs/sweep/sweep-plan.ts';
import type { SweepView } from '../../../shared/runs/sweep/sweep-view.ts';
import type { FollowedSweep } from './followed-sweep.ts';

type Known = Pick<FollowedSweep, 'view' | 'roster'>;

/** What the person should know of cells that run again on this box, before they do. */
export const againChecks = ({ view }: Known, wanted: WantedShare): readonly PreflightCheck[] => [
  ...twinChecks(view, wanted),
  ...prunedChecks(view, wanted),
];

/** Only its own queue knows what it has removed of results, and it cannot be resumed once another one goes after it on its box. */
function prunedChecks(
  { cells, shares }: SweepView,
  { boxId, cells: places }: WantedShare,
): readonly PreflightCheck[] {
  const pruned = cells.flatMap(({ state, share }, place) => {
    const of = shares[share ?? -1];
    const isTouched = of?.boxId === boxId || places.includes(place);
    return state.kind === 'uncopied' && state.hasPruned === true && isTouched
      ? [of?.place ?? '']
      : [];
  });
  if (pruned.length === 0) return [];
  const says = `The results of ${countOf(pruned.length)} were copied, and their queue was cut off while it removed some of them. Resume it on ${listOf(new Set(pruned))} first: it checks the copies and runs none of these cells again. After this launch that may not be possible.`;
  return [
    {
      id: 'sweep-pruned',
      title: 'Copies that are there',
      answer: 'warn',
      says,
      gotcha: null,
      anyway: null,
    },
  ];
}

/** What a box that is not reached may still be doing is the person's risk to take. */
function twinChecks(
  { cells, shares }: SweepView,
  { cells: places }: WantedShare,
): readonly PreflightCheck[] {
  const risky = places.flatMap((place) => {
    const cell = cells[place];
    return cell !== undefined && judgeAgain(cell, shares).kind === 'risk' ? [cell] : [];
  });
  if (risky.length === 0) return [];
  const had = risky.flatMap(({ share }) => shares[share ?? -1] ?? []);
  const where = listOf(new Set(had.map(({ place }) => place)));
  // Of a box that this list does not have, or that never got its share.
  const isNowhere = had.every(({ boxId }) => boxId === null);
  return [
    blocks(
      isNowhere
        ? `${countOf(risky.length)} may have been launched on ${where}: no box of your list has shown their run.`
        : `${countOf(risky.length)} may still run on ${where}, which cannot be asked now.`,
      `that box ${isNowhere ? 'never got them or ' : ''}is gone for good, or it does not matter that these cells run twice.`,
    ),
  ];
}

/** The same for going on with an old queue, whose cells were given to another run meanwhile. */
export function resumeChecks(
  { view: { cells, shares }, roster }: Known,
  queue: string,
  names: ReadonlySet<string>,
): readonly PreflightCheck[] {
  const taken = (roster?.cells ?? []).flatMap(({ name }, place) => {
    const cell = cells[place];
    if (!names.has(name) || cell === undefined || cell.share === null) return [];
    const share = shares[cell.share];
    const isTaken = share?.run !== queue && judgeAgain(cell, shares).kind !== 'free';
    return isTaken ? [share?.place ?? ''] : [];
  });
  if (taken.length === 0) return [];
  return [
    blocks(
      `${countOf(taken.length)} of this queue ${taken.length === 1 ? 'was' : 'were'} run again on ${listOf(new Set(taken))}, or may be running there.`,
      'these cells run twice.',
    ),
  ];
}

const countOf = (count: number): string => (count === 1 ? '1 cell' : `${String(count)} cells`);
const listOf = (places: ReadonlySet<string>): string =>
  [...places].map((place) => plainLine(place, 100)).join(', ');

function blocks(says: string, anyway: string): PreflightCheck {
  const title = 'Runs nowhere else';
  return { id: 'sweep-twin', title, answer: 'block', says, gotcha: null, anyway };
}
