import type { Clock } from '../../../shared/clocks/clock.ts';
import { overlayOpened, tabChosen } from '../../state/view.ts';

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
      return isKnown ? 'I topped it up…' : 'Say the balance…';
    case 'spot':
      return 'Say whether it is spot…';
    case 'warning':
      return isKnown ? 'Change the warning…' : 'Say when it warns…';
    case 'quota':
      return 'Say what is used…';
    case 'start':
      return isKnown ? 'I extended it…' : 'Say when it began…';
    case 'time':
    case 'prepaid':
    case 'deadline':
      return isKnown ? 'I extended it…' : 'Say when…';
  }
}

/** The button beside the nearest clock; null: neither the person nor a fact can move it. */
export function stopActionOf(clock: Clock, boxId: string): StopAction | null {
  const label = tellLabel(clock);
  if (label !== null) {
    return { label, run: () => overlayOpened({ kind: 'clocks', boxId, clockId: clock.id }) };
  }
  if (clock.due.kind !== 'stopwatch' && clock.due.kind !== 'costing') return null;
  return { label: 'What stops it…', run: () => tabChosen(boxId, 'facts') };
}
