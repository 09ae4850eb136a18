import type { WholeCost } from '../../shared/meter/whole-cost.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import type { Act } from '../../shared/teardown/gate.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import type { StreamHub } from '../streams/stream-hub.ts';
import type { NotedOrder } from './box-orders.ts';
import type { InspectorOptions } from './box-inspector.ts';
import type { SecretsOfBoxes } from './secrets-of-boxes.ts';
import type { TeardownRecords } from './teardown-records.ts';
import type { TeardownVerbs } from './teardown-verbs.ts';

export interface TeardownsOptions extends Omit<InspectorOptions, 'monoMs'> {
  readonly hub: StreamHub;
  readonly roster: Pick<BoxRoster, 'boxOf' | 'linkOf' | 'follow' | 'entryOf'>;
  readonly records: TeardownRecords;
  readonly secrets: Pick<SecretsOfBoxes, 'viewOf' | 'kept' | 'clear'>;
  readonly verbs: TeardownVerbs;
  /** Writes down on the box itself that its end is set going, or that it was not or no longer is. Answers the orders there that are not known here, and those of other boxes of the list for this machine. */
  readonly noteOrder: (
    boxId: string,
    order: Pick<Act, 'id' | 'verb' | 'machine'>,
    isOver: boolean,
  ) => Promise<Result<NotedOrder, Problem>>;
  /** What it has cost until now; null: nothing was metered. */
  readonly costOf: (boxId: string) => WholeCost | null;
  /** Takes a box that is gone out of the list, since then; null: into it again, which fails where another has its address by now. */
  readonly archive: (boxId: string, atMs: number | null) => Result<null, Problem>;
  /** A verb is proven to be done. */
  readonly onGone: (boxId: string, act: Act) => void;
  /** A machine is at its address again. `isAnother`: what it was before is deleted. */
  readonly onAgain: (boxId: string, isAnother: boolean) => void;
  readonly onProblem: (found: Problem) => void;
  /** A count that nobody sets. */
  readonly monoMs?: () => number;
  /** How long the provider of a box is asked. */
  readonly askForMs?: number;
  readonly isOnline?: () => boolean;
}
