import type { LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import { isIn, SWEEP_GROUPS, tallySweep } from '../../shared/runs/sweep/judge-sweep.ts';
import type { FoundSweep } from '../../shared/teardown/found-on-box.ts';
import { pulledState, type PulledState } from '../../shared/transfer/home.ts';
import type { RunProof } from '../../shared/transfer/pull.ts';
import { folderAbove } from '../../shared/runs/sweep/cell-folders.ts';
import type { SweepShare } from '../../shared/runs/sweep/sweep-roster.ts';
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

/**
 * Where cells are done whose results are not proven to be here. A proof that cannot be read is none. When a cell ended is told by the clock of its box,
 * which may have been set meanwhile: so a cell of which the pull found nothing has not come home, whenever it says that it ended.
 */
async function findAway(
  boxId: string,
  { roster, shares, cells }: Pick<SweepView, 'roster' | 'shares' | 'cells'>,
  { nameOf, proof }: Pick<SweepSources, 'nameOf' | 'proof'>,
): Promise<FoundSweep['away']> {
  const away = new Map<string, number>();
  for (const [at, share] of shares.entries()) {
    const { boxId: there, newest, run } = share;
    if (there === null || there === boxId) continue;
    const done = cells.flatMap(({ share: of, state, isEmpty }, place) =>
      of === at && state.kind === 'done' ? [{ ...state, place, isEmpty: isEmpty === true }] : [],
    );
    if (done.length === 0) continue;
    const proven = await proof(there, newest ?? run);
    const known = proven.ok ? proven.value : null;
    const fromMs = known === null ? NEVER_MS : wholeUntilMs(known);
    const folderOf = foldersOf(roster, share);
    const found = foldersIn(known);
    const hasCome = (place: number): boolean => {
      const folder = folderOf(place);
      return folder === null || found.has(folder);
    };
    const missed = done.filter(
      // What an empty folder means is told of the cell itself.
      ({ atMs, place, isEmpty }) => atMs > fromMs || !(isEmpty || hasCome(place)),
    ).length;
    if (missed > 0) away.set(there, (away.get(there) ?? 0) + missed);
  }
  return [...away].map(([id, count]) => ({ boxName: nameOf(id), cells: count }));
}

/** The folder of each cell, below the one that a pull of its share brings home; null: not known. */
function foldersOf(
  roster: SweepView['roster'],
  { cells: places }: Pick<SweepShare, 'cells'>,
): (place: number) => string | null {
  const cells = places.flatMap((place) => roster?.cells[place] ?? []);
  const above = folderAbove(cells);
  return (place) => {
    const results = roster?.cells[place]?.results;
    if (results === undefined || above === null || !results.startsWith(`${above}/`)) return null;
    const parts = results.slice(above.length).split('/').filter(isPart);
    return parts.length === 0 || parts.includes('..') ? null : parts.join('/');
  };
}

const isPart = (part: string): boolean => part !== '' && part !== '.';

/** All folders in which a pull has found something. */
function foldersIn(proof: RunProof | null): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { path } of proof?.report.files ?? []) {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

const NEVER_MS = Number.NEGATIVE_INFINITY;
const DECIDED: ReadonlySet<PulledState> = new Set<PulledState>(['home', 'accepted', 'left']);

/** What ended later no pull has looked for. Of which cell a file is that is missing here, nothing tells. */
const wholeUntilMs = ({ atMs, report }: RunProof): number =>
  report.files.every((file) => DECIDED.has(pulledState(file))) ? atMs : NEVER_MS;
