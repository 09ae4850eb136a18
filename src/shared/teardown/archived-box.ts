import type { WholeCost } from '../meter/whole-cost.ts';
import type { EndAim, Gone } from './gate.ts';
import type { InspectedRun } from './inspection.ts';

/** A box that is gone, as the evidence has its end. */
export interface ArchivedBox {
  readonly boxId: string;
  /** What the person typed when they approved its end. */
  readonly boxName: string;
  readonly goneAtMs: number;
  readonly verb: string;
  readonly aim: EndAim;
  readonly by: Gone['by']['kind'];
  /** Its entry of the evidence. */
  readonly receipt: number;
  /** Until then; null: nothing was metered. */
  readonly cost: WholeCost | null;
  /** What its runs had left when its end was approved, and where that was brought to; null: its approval cannot be read. */
  readonly runs: readonly InspectedRun[] | null;
  /** False: it was forgotten. What the evidence has of it is all that there is. */
  readonly isKept: boolean;
}
