import type { LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import { isIn, SWEEP_GROUPS, tallySweep } from '../../shared/runs/sweep/judge-sweep.ts';
import type { FoundSweep } from '../../shared/teardown/found-on-box.ts';
import type { SweepWatch } from '../runs/sweep/sweep-watch.ts';

/** The sweeps of which the box has a part, each held against its roster over all its boxes now. */
export async function findSweeps(
  boxId: string,
  runs: readonly LaunchedRun[],
  sweeps: Pick<SweepWatch, 'book' | 'of' | 'reconcile'>,
): Promise<readonly FoundSweep[]> {
  const told = new Set(runs.flatMap(({ sweep }) => sweep?.id ?? []));
  const known = sweeps.book.lines.filter(
    ({ id, boxIds }) => told.has(id) || boxIds.includes(boxId),
  );
  const found: FoundSweep[] = [];
  for (const { id, name, cells } of known) {
    told.delete(id);
    const reconciled = await sweeps.reconcile(id);
    const view = sweeps.of(id)?.view;
    const isRead = view !== undefined && view.roster !== null;
    const each = view?.cells ?? [];
    const tally = tallySweep(each);
    found.push({
      ...{ id, name, cells },
      open: SWEEP_GROUPS.flatMap((group) =>
        group === 'done' || tally[group] === 0 ? [] : [[group, tally[group]] as const],
      ),
      which: each.flatMap((cell, at) =>
        SWEEP_GROUPS.flatMap((group) =>
          group !== 'done' && isIn(group, cell) ? [[at, group] as const] : [],
        ),
      ),
      because: !reconciled.ok
        ? reconciled.error.message
        : isRead
          ? null
          : 'Its cells cannot be read on this computer.',
    });
  }
  for (const id of told) {
    const because = 'Another computer launched it, and its cells have not been read here.';
    found.push({ id, name: id, cells: 0, open: [], which: [], because });
  }
  return found;
}
