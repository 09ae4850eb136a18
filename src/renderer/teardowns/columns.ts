import { openBlockers } from '../../shared/teardown/inspection.ts';
import type { GateState } from '../../shared/teardown/gate.ts';
import type { TeardownView } from '../../shared/teardown/teardown-view.ts';
import { inspectionOf, isUnderWay } from '../box/teardown/teardown-steps.ts';

/** Whether nothing that stands between a box and its end, whichever way, is open. What nobody has looked at is. */
export function isSettled(gate: GateState): boolean {
  if (gate.kind === 'gone' || isUnderWay(gate)) return true;
  const inspection = inspectionOf(gate);
  return inspection !== null && openBlockers(inspection).length === 0;
}

/** How many of the boxes are settled. One that is not known yet is not. */
export const settledCount = (views: readonly (TeardownView | null)[]): number =>
  views.filter((view) => view !== null && isSettled(view.gate)).length;
