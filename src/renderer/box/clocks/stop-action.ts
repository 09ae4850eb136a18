import type { Clock } from '../../../shared/clocks/clock.ts';
import { tellLabel } from '../../clocks/tell-label.ts';
import { overlayOpened, tabChosen, teardownChosen } from '../../state/view.ts';

interface StopAction {
  readonly label: string;
  readonly run: () => void;
}

/** The button beside the nearest clock; null: neither the person nor a fact can move it. */
export function stopActionOf(clock: Clock, boxId: string): StopAction | null {
  const label = tellLabel(clock);
  if (label !== null) {
    return { label, run: () => overlayOpened({ kind: 'clocks', boxId, clockId: clock.id }) };
  }
  if (clock.due.kind === 'unconfirmed') {
    return { label: 'Confirm its end…', run: () => teardownChosen(boxId, 'gone') };
  }
  if (clock.due.kind !== 'stopwatch' && clock.due.kind !== 'costing') return null;
  return { label: 'How to stop it…', run: () => tabChosen(boxId, 'facts') };
}
