import { BOX_GONE, COPY_GONE } from '../launch/copy-words.ts';
import { judgeCell, type QueueView } from '../queue/queue-view.ts';
import type { RosterCell, SweepRoster, SweepShare } from './sweep-roster.ts';
import type { SharePresence, SweepCell, SweepCellKind, SweepCellState } from './sweep-view.ts';

/** What one share is known by. */
export interface SeenShare extends SweepShare {
  readonly presence: SharePresence;
  /** The run was on the box once: where it is not any more, its cells are missing and not unbegun. */
  readonly wasThere: boolean;
  /** Of the queue as it was last seen; null: never. */
  readonly queue: Pick<QueueView, 'cells' | 'marks' | 'pruning'> | null;
  /** Cells of it whose results folder held nothing where this one ran them, by their place in the roster; absent: nobody looked. */
  readonly empty?: ReadonlySet<number>;
}

interface Attempt {
  readonly state: SweepCellState;
  /** Its box told it by the last look. */
  readonly isSeen: boolean;
  /** It is done, and left nothing. */
  readonly isEmpty: boolean;
  readonly share: number;
  readonly index: number | null;
}

/** Every cell of the roster against what its runs say, the newest share last. */
export function judgeSweep(
  roster: Pick<SweepRoster, 'cells'>,
  shares: readonly SeenShare[],
): readonly SweepCell[] {
  return roster.cells.map(cellJudge(roster, shares));
}

/** The same one cell after another, by their place: ten thousand are too many for one turn of main. */
export function cellJudge(
  { cells }: Pick<SweepRoster, 'cells'>,
  shares: readonly SeenShare[],
): (cell: Pick<RosterCell, 'name'>, at: number) => SweepCell {
  const indices = shares.map(({ queue }) => indexByName(queue));
  const sharesOf = cells.map((): number[] => []);
  for (const [share, seen] of shares.entries()) {
    for (const at of seen.cells) sharesOf[at]?.push(share);
  }
  return ({ name }, at) => {
    const tries = (sharesOf[at] ?? []).flatMap((share): readonly Attempt[] => {
      const seen = shares[share];
      const index = indices[share]?.get(name) ?? null;
      if (seen === undefined) return [];
      const state = stateIn(seen, index);
      const isEmpty = state.kind === 'done' && seen.empty?.has(at) === true;
      return [{ state, isEmpty, isSeen: seen.presence !== 'unseen', share, index }];
    });
    return chosen(tries);
  };
}

/** The places of the cells that the run of a share has done, whatever other runs made of them. */
export function doneIn({ cells }: Pick<SweepRoster, 'cells'>, share: SeenShare): readonly number[] {
  const indices = indexByName(share.queue);
  return share.cells.filter(
    (place) => stateIn(share, indices.get(cells[place]?.name ?? '') ?? null).kind === 'done',
  );
}

function indexByName(queue: SeenShare['queue']): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [at, { name, isCommented }] of (queue?.cells ?? []).entries()) {
    if (!isCommented) found.set(name, at + 1);
  }
  return found;
}

function stateIn({ presence, wasThere, queue }: SeenShare, index: number | null): SweepCellState {
  if (presence === 'absent') return { kind: wasThere ? 'missing' : 'never-started' };
  if (queue === null) return { kind: presence === 'gone' ? 'missing' : 'unseen' };
  const cell = index === null ? undefined : queue.cells[index - 1];
  if (cell === undefined || index === null) return { kind: 'missing' };
  // What is not reached is told as it was when it last was.
  const isAlive = presence === 'alive' || presence === 'unseen';
  const state = judgeCell(cell, queue.marks[index], isAlive);
  switch (state.kind) {
    case 'commented':
      return { kind: 'missing' };
    case 'waiting':
      return { kind: isAlive ? 'waiting' : 'never-started' };
    case 'interrupted':
      // In a queue that lives, whoever goes through it runs it again.
      return presence === 'over' || presence === 'gone' ? state : { kind: 'waiting' };
    case 'uncopied':
      // There is nothing left to copy it from.
      if (presence === 'gone') return { ...state, why: BOX_GONE };
      return queue.pruning.includes(index) ? { ...state, hasPruned: true } : state;
    case 'running':
    case 'copying':
    case 'done':
    case 'failed':
      return state;
  }
}

/** A run has done the cell, or goes on to do it. */
const COUNTS: ReadonlySet<SweepCellKind> = new Set([
  ...(['waiting', 'running', 'copying', 'done', 'unseen'] as const),
]);

/** What it has done stays so; what else is known of a box that does not tell is only what it once was, or was meant to do. */
const isSure = ({ state, isSeen }: Attempt): boolean => isSeen || state.kind === 'done';

/**
 * The one that tells most: it is done, else it runs or is to run, for sure or perhaps, else what became of it last. No try that has
 * ended says that another does not go on, nor does one that left nothing behind.
 */
function chosen(tries: readonly Attempt[]): SweepCell {
  const done = tries.filter(({ state }) => state.kind === 'done');
  const goOn = tries.filter(({ state }) => state.kind !== 'done' && COUNTS.has(state.kind));
  const runs = goOn.filter(({ state }) => state.kind === 'running' || state.kind === 'copying');
  const best =
    done.find(({ isEmpty }) => !isEmpty) ??
    runs.find(isSure) ??
    goOn.find(isSure) ??
    runs[0] ??
    goOn[0] ??
    done[0] ??
    tries.find(({ state }) => state.kind === 'uncopied') ??
    tries.at(-1);
  if (best === undefined) {
    return { state: { kind: 'never-started' }, share: null, index: null, isTwice: false };
  }
  const { state, share, index, isEmpty } = best;
  // One that left nothing has nothing that a second one could differ from.
  const counted = tries.filter((each) => COUNTS.has(each.state.kind) && !each.isEmpty);
  const isTwice = counted.filter(isSure).length > 1;
  return {
    ...{ state, share, index, isTwice },
    ...(!isTwice && counted.length > 1 ? { mayBeTwice: true } : {}),
    ...(isEmpty ? { isEmpty } : {}),
  };
}

/** What a person asks for: every state, and what only shows when all is held against the roster. */
export const SWEEP_GROUPS = [
  'waiting',
  'running',
  'copying',
  'done',
  'empty',
  'uncopied',
  'failed',
  'interrupted',
  'never-started',
  'missing',
  'unseen',
  'twice',
  'maybe-twice',
] as const;
export type SweepGroup = (typeof SWEEP_GROUPS)[number];

export function isIn(
  group: SweepGroup,
  { state, isTwice, mayBeTwice, isEmpty }: SweepCell,
): boolean {
  if (group === 'twice') return isTwice;
  if (group === 'maybe-twice') return mayBeTwice === true;
  if (group === 'empty') return isEmpty === true;
  if (group === 'done') return state.kind === 'done' && isEmpty !== true;
  return state.kind === group;
}

export type SweepTally = Readonly<Record<SweepGroup, number>>;

export function tallySweep(cells: readonly SweepCell[]): SweepTally {
  const tally = Object.fromEntries(SWEEP_GROUPS.map((group) => [group, 0])) as Record<
    SweepGroup,
    number
  >;
  for (const cell of cells) {
    const { state, isTwice, mayBeTwice, isEmpty } = cell;
    tally[isEmpty === true ? 'empty' : state.kind] += 1;
    if (isTwice) tally.twice += 1;
    if (mayBeTwice === true) tally['maybe-twice'] += 1;
  }
  return tally;
}

/** `risk`: its box is not reached, and may still do it. */
export type Again =
  | { readonly kind: 'free' }
  | { readonly kind: 'risk' }
  | { readonly kind: 'no'; readonly because: string };

/** Whether a cell may be run again, by the try that goes on where any does: nothing may do it twice at the same time, nor what is done. */
export function judgeAgain(
  { state, isEmpty, share }: SweepCell,
  shares: readonly { readonly presence: SharePresence }[],
): Again {
  const isUnseen = share !== null && shares[share]?.presence === 'unseen';
  switch (state.kind) {
    case 'waiting':
      return isUnseen ? { kind: 'risk' } : { kind: 'no', because: 'waits in a queue that goes on' };
    case 'running':
      return isUnseen ? { kind: 'risk' } : { kind: 'no', because: 'is running' };
    case 'copying':
      return isUnseen ? { kind: 'risk' } : { kind: 'no', because: 'is copying its results' };
    case 'done':
      return isEmpty === true ? { kind: 'free' } : { kind: 'no', because: 'is done' };
    case 'unseen':
      return { kind: 'risk' };
    case 'failed':
    case 'interrupted':
    case 'uncopied':
    case 'never-started':
      return { kind: 'free' };
    case 'missing':
      // Who has left it out by hand may have taken that back.
      return { kind: isUnseen ? 'risk' : 'free' };
  }
}

/**
 * Whether running the cell again on this box copies its results, which lie there, and nothing else. A new queue knows nothing of what the
 * old one has removed of them: it would take the rest for all of it.
 */
export function isCopyOnly(
  { state, share }: SweepCell,
  shares: readonly { readonly boxId: string | null }[],
  boxId: string,
): boolean {
  return (
    state.kind === 'uncopied' &&
    state.why !== COPY_GONE &&
    state.hasPruned !== true &&
    share !== null &&
    shares[share]?.boxId === boxId
  );
}
