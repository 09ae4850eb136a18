import type { Clock } from '../../../shared/clocks/clock.ts';
import { moneyWords } from '../../../shared/meter/money-words.ts';
import { selectMeter, useMeter } from '../../state/feeds.ts';

/** A stopwatch counts what nobody ends: so much was paid meanwhile for computing that nobody did. */
export function IdleCost({ boxId, clock }: { readonly boxId: string; readonly clock: Clock }) {
  const idle = useMeter(selectMeter(boxId))?.idle ?? null;
  if (clock.due.kind !== 'stopwatch') return null;
  const wasted = idle?.wasted ?? [];
  if (wasted.length === 0) return <> What that has cost is unknown.</>;
  return (
    <>
      {' '}
      Idle, it has cost <strong className="figures">{moneyWords(wasted)}</strong>.
    </>
  );
}
