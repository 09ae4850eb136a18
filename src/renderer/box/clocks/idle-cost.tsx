import type { Clock } from '../../../shared/clocks/clock.ts';
import { moneyWords } from '../../../shared/meter/money-words.ts';
import { selectMeter, useMeter } from '../../state/feeds.ts';

/** A stopwatch counts what nobody ends: so much was paid meanwhile for computing that nobody did. */
export function IdleCost({ boxId, clock }: { readonly boxId: string; readonly clock: Clock }) {
  const meter = useMeter(selectMeter(boxId));
  if (clock.due.kind !== 'stopwatch') return null;
  const wasted = meter?.idle?.wasted ?? [];
  if (wasted.length === 0) {
    const isUnpriced = meter?.prices.compute === null;
    return (
      <> {isUnpriced ? 'Set a price to see what that costs.' : 'No cost of that was metered.'}</>
    );
  }
  return (
    <>
      {' '}
      Idle, it has cost <strong className="figures">{moneyWords(wasted)}</strong>.
    </>
  );
}
