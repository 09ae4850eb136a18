import type { Clock } from '../../shared/clocks/clock.ts';

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
