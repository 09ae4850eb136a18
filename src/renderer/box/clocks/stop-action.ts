import type { Clock } from '../../../shared/clocks/clock.ts';
import { overlayOpened, tabChosen, teardownChosen } from '../../state/view.ts';

interface StopAction {
  readonly label: string;
  readonly run: () => void;
}

/** What a person does outside to stop a clock, and then says here. Leasehold itself changes nothing at the platform. */
export function tellLabel({ entry, due }: Clock): string | null {
  const isKnown = due.kind === 'at';
  switch (entry?.kind) {
    case undefined:
      return null;
    case 'balance':
      return isKnown ? 'Update balance…' : 'Enter balance…';
    case 'spot':
      return 'Spot instance?…';
    case 'warning':
      return isKnown ? 'Change warning…' : 'Set warning…';
    case 'quota':
      return 'Enter hours used…';
    case 'start':
      return isKnown ? 'Change start time…' : 'Set start time…';
    case 'time':
    case 'prepaid':
    case 'deadline':
      return isKnown ? 'Change deadline…' : 'Set deadline…';
  }
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
