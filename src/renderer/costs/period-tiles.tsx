import type { BoxMeter, Period, Spent } from '../../shared/meter/box-meter.ts';
import { sumBurn } from '../../shared/meter/live.ts';
import { formatCount } from '../ui/format.ts';
import { LiveSpent, useDoubts, useWaste } from './cost-figures.tsx';
import { fleetBurnWords } from '../../shared/meter/money-words.ts';
import styles from './costs.module.css';

const PERIOD_WORDS: Readonly<Record<Period, string>> = {
  today: 'Today',
  week: '7 days',
  month: 'This month',
  total: 'In total',
};

interface PeriodTilesProps {
  readonly meters: readonly (BoxMeter | null)[];
  readonly past: Readonly<Record<Period, readonly Spent[]>>;
}

/** The sums that are asked for most. */
export function PeriodTiles({ meters, past }: PeriodTilesProps) {
  const burn = sumBurn(meters);
  const known = meters.flatMap((meter) => (meter === null ? [] : [meter]));
  return (
    <dl className={styles['tiles']}>
      <div className={styles['tile']}>
        <dt>Burn rate</dt>
        <dd className="figures">{fleetBurnWords(burn)}</dd>
        {burn.unknownBoxes > 0 && (
          <dd className={styles['small']}>
            {formatCount(burn.unknownBoxes, 'box', 'boxes')} not counted: no price or not connected
          </dd>
        )}
      </div>
      {(['today', 'week', 'month', 'total'] as const).map((period) => (
        <Tile key={period} period={period} meters={known} past={past[period]} />
      ))}
    </dl>
  );
}

interface TileProps {
  readonly period: Period;
  readonly meters: readonly BoxMeter[];
  readonly past: readonly Spent[];
}

function Tile(props: TileProps) {
  const waste = useWaste(props);
  const doubts = useDoubts(props);
  return (
    <div className={styles['tile']}>
      <dt>{PERIOD_WORDS[props.period]}</dt>
      <dd className="figures">
        <LiveSpent {...props} />
      </dd>
      {waste !== '' && (
        <dd className={styles['warn']} title="Paid for computing while no GPU did anything">
          {waste} idle waste
        </dd>
      )}
      {doubts !== '' && <dd className={styles['small']}>plus {doubts}</dd>}
    </div>
  );
}
