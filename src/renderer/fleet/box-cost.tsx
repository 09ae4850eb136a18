import { addSpent, mostUsedFirst, sumBurn } from '../../shared/meter/live.ts';
import { LiveSpent } from '../costs/cost-figures.tsx';
import { burnWords, fleetBurnWords, moneyWords } from '../../shared/meter/money-words.ts';
import { selectMeter, selectMeters, useMeter } from '../state/feeds.ts';
import { Dash } from '../ui/figure.tsx';
import { formatCount } from '../ui/format.ts';
import styles from './fleet-table.module.css';

/** `$8.00` under "Cost/h", and what it cost today. A box whose price is not known says so, with a dash in the narrow table. */
export function BoxCost({ boxId }: { readonly boxId: string }) {
  const meter = useMeter(selectMeter(boxId));
  if (meter === null) return <Dash why="the meter is still being read" />;
  const words = burnWords(meter.burnPerHour);
  const isKnown = meter.burnPerHour !== null && meter.burnPerHour.money.length > 0;
  return (
    <>
      {isKnown ? (
        <span title={words}>
          {burnWords(meter.burnPerHour, '')}
          <span className="sr-only">/h</span>
        </span>
      ) : (
        <Dash why={words} />
      )}
      {meter.today.known.length > 0 && (
        <small>
          <LiveSpent meters={[meter]} period="today" />
          <span className={styles['wide']}> today</span>
        </small>
      )}
    </>
  );
}

/** The currency that is used most, and how many others: the title names them all, and how many boxes are not in it. */
export function BoxesCost({ boxIds }: { readonly boxIds: readonly string[] }) {
  const boxes = useMeter(selectMeters);
  const meters = boxIds.map((id) => boxes[id] ?? null);
  const burn = sumBurn(meters);
  const known = meters.flatMap((meter) => (meter === null ? [] : [meter]));
  if (burn.perHour.length === 0) return null;
  const missing =
    burn.unknownBoxes === 0
      ? ''
      : `. Excludes ${formatCount(burn.unknownBoxes, 'box', 'boxes')} without a full price`;
  const words = fleetBurnWords(burn);
  const [first] = mostUsedFirst(burn.perHour, meters);
  const others = burn.perHour.length - 1;
  const today = addSpent(known.map((meter) => meter.today)).known.length > 0;
  return (
    <span title={`${words}${missing}`}>
      {first !== undefined && moneyWords([first])}
      <span className="sr-only">/h</span>
      {others > 0 && ` +${String(others)}`}
      {today && others === 0 && (
        <small>
          <LiveSpent meters={known} period="today" />
        </small>
      )}
    </span>
  );
}
