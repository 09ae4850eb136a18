import type { LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import { isIn, SWEEP_GROUPS, tallySweep } from '../../shared/runs/sweep/judge-sweep.ts';
import type { FoundSweep } from '../../shared/teardown/found-on-box.ts';
import { pulledState, type PulledState } from '../../shared/transfer/home.ts';
import type { RunProof } from '../../shared/transfer/pull.ts';
import type { SweepView } from '../../shared/runs/sweep/sweep-view.ts';
import type { RunsKnown } from '../files/run-roots.ts';
import type { SweepWatch } from '../runs/sweep/sweep-watch.ts';

export interface SweepSources extends Pick<RunsKnown, 'proof'> {
  readonly sweeps: Pick<SweepWatch, 'book' | 'of' | 'reconcile'>;
  readonly nameOf: (boxId: string) => string;
}

/** The sweeps of which the box has a part, each held against its roster over all its boxes now. */
export async function findSweeps(
  boxId: string,
  runs: readonly LaunchedRun[],
  { sweeps, nameOf, proof }: SweepSources,
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
      away: view === undefined ? [] : await findAway(boxId, view, { nameOf, proof }),
      because: !reconciled.ok
        ? reconciled.error.message
        : isRead
          ? null
          : 'Its cells cannot be read on this computer.',
    });
  }
  for (const id of told) {
    const because = 'Another computer launched it, and its cells have not been read here.';
    found.push({ id, name: id, cells: 0, open: [], which: [], away: [], because });
  }
  return found;
}

/** Where cells are done whose results are not proven to be here. A proof that cannot be read is none. */
async function findAway(
  boxId: string,
  { shares, cells }: Pick<SweepView, 'shares' | 'cells'>,
  { nameOf, proof }: Pick<SweepSources, 'nameOf' | 'proof'>,
): Promise<FoundSweep['away']> {
  const away = new Map<string, number>();
  for (const [at, { boxId: there, newest, run }] of shares.entries()) {
    if (there === null || there === boxId) continue;
    const done = cells.flatMap(({ share, state }) =>
      share === at && state.kind === 'done' ? [state] : [],
    );
    if (done.length === 0) continue;
    const proven = await proof(there, newest ?? run);
    const fromMs = proven.ok && proven.value !== null ? wholeUntilMs(proven.value) : NEVER_MS;
    const missed = done.filter(({ atMs }) => atMs > fromMs).length;
    if (missed > 0) away.set(there, (away.get(there) ?? 0) + missed);
  }
  return [...away].map(([id, count]) => ({ boxName: nameOf(id), cells: count }));
}

const NEVER_MS = Number.NEGATIVE_INFINITY;
const DECIDED: ReadonlySet<PulledState> = new Set<PulledState>(['home', 'accepted', 'left']);

/** What ended later no pull has looked for. Of which cell a file is that is missing here, nothing tells. */
const wholeUntilMs = ({ atMs, report }: RunProof): number =>
  report.files.every((file) => DECIDED.has(pulledState(file))) ? atMs : NEVER_MS;
