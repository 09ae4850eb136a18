import type { Problem } from '../../problem.ts';
import type { CellState } from '../queue/queue-view.ts';
import type { StreamKind } from '../../streams/stream.ts';
import type { SweepRoster, SweepShare } from './sweep-roster.ts';

/** How one cell stands, over every run that was given it. */
export type SweepCellState =
  /** In a queue that lives. */
  | { readonly kind: 'waiting' }
  /** Interrupted: nothing goes on with it. */
  | Extract<CellState, { readonly kind: 'running' | 'copying' | 'done' | 'failed' | 'interrupted' }>
  /** `hasPruned`: some of its results may be removed already, after an earlier copy; absent: none is. */
  | (Extract<CellState, { readonly kind: 'uncopied' }> & { readonly hasPruned?: true })
  /** Nothing that could begin it lives. */
  | { readonly kind: 'never-started' }
  /** It was given to a run that is not on its box any more, or whose queue lacks it; or its box is gone, and never told of it. */
  | { readonly kind: 'missing' }
  /** Its box was not reached yet. */
  | { readonly kind: 'unseen' };

export type SweepCellKind = SweepCellState['kind'];

export interface SweepCell {
  readonly state: SweepCellState;
  /** The place of the share that it stands like that in; null: no run was given it. */
  readonly share: number | null;
  /** Its number in that queue, which its log has too; null: it is not in it. */
  readonly index: number | null;
  /** More than one run has done it or is doing it, as their boxes told. */
  readonly isTwice: boolean;
  /** One may have, of a box that did not tell; absent: none may. */
  readonly mayBeTwice?: boolean;
  /** Done, and its folder holds nothing; absent: it holds something, or nobody looked. */
  readonly isEmpty?: boolean;
}

/** How the run of a share stands. */
export type SharePresence =
  /** Not on its box, as far as the box was asked: nothing of it was started there, or its folder was removed. */
  | 'absent'
  | 'alive'
  | 'over'
  /** Its box is not connected or not in the list, or could not be asked. What is known of it is old. */
  | 'unseen'
  /** Its box is in the archive: nothing of it runs any more, and what is known of it is the last that it told. */
  | 'gone';

export interface ShareView extends SweepShare {
  /** The box of this app's list; null: none of them has the run. */
  readonly boxId: string | null;
  readonly presence: SharePresence;
  /** The newest run that goes on with its queue; null: none is on its box. */
  readonly newest: string | null;
  /** How many cells of it run at once. */
  readonly slots: number;
  /** No further cell begins until it goes on. */
  readonly isPaused: boolean;
  /** No further cell begins at all. */
  readonly isStopping: boolean;
  /** Processes of an interrupted cell that outlived their run. */
  readonly hasLeft: boolean;
  /** Why the last look brought nothing. */
  readonly problem: Problem | null;
}

export interface SweepView {
  /** Null: not read yet. */
  readonly roster: SweepRoster | null;
  readonly shares: readonly ShareView[];
  /** By the place in the roster. */
  readonly cells: readonly SweepCell[];
  /** When the boxes were last asked. */
  readonly atMs: number | null;
  /** When the results folders of cells that are done were last looked into. */
  readonly reconciledAtMs: number | null;
}

export const NO_SWEEP: SweepView = {
  roster: null,
  shares: [],
  cells: [],
  atMs: null,
  reconciledAtMs: null,
};

export interface SweepDelta extends Partial<Omit<SweepView, 'cells'>> {
  /** Only those that changed, by the place in the roster. */
  readonly changed?: Readonly<Record<number, SweepCell>>;
}

export const sweepStream: StreamKind<SweepView, SweepDelta> = {
  apply: (view, { changed, ...rest }) => {
    const next = { ...view, ...rest };
    if (changed === undefined) return next;
    const cells = [...view.cells];
    for (const [at, cell] of Object.entries(changed)) cells[Number(at)] = cell;
    return { ...next, cells };
  },
};

/** One sweep in a list of them. */
export interface SweepLine {
  readonly id: string;
  readonly name: string;
  readonly cells: number;
  readonly launchedAtMs: number;
  /** The boxes of this app's list that it runs on, as far as known. */
  readonly boxIds: readonly string[];
}

export const sweepsStream: StreamKind<readonly SweepLine[], readonly SweepLine[]> = {
  apply: (_old, next) => next,
};
