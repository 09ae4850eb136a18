import type { BoxMeter, Period, Spent } from '../../shared/meter/box-meter.ts';
import { sumBurn, type Burn } from '../../shared/meter/live.ts';
import { NextStep } from '../box/cards/next-step.tsx';
import { checkStep } from '../box/cards/next-steps.ts';
import { selectEntry, useFleet } from '../state/feeds.ts';
import { overlayOpened } from '../state/view.ts';
import { Dash } from '../ui/figure.tsx';
import { formatCount } from '../ui/format.ts';
import type { CostBox } from './cost-groups.ts';
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
  readonly boxes: readonly CostBox[];
  readonly past: Readonly<Record<Period, readonly Spent[]>>;
}

/** The sums that are asked for most. */
export function PeriodTiles({ boxes, past }: PeriodTilesProps) {
  const meters = boxes.map(({ meter }) => meter);
  const burn = sumBurn(meters);
  const known = meters.flatMap((meter) => (meter === null ? [] : [meter]));
  return (
    <dl className={styles['tiles']}>
      <div className={styles['tile']}>
        <dt title="What all of it costs an hour as it is now">Burn rate</dt>
        <dd className="figures">
          <BurnRate burn={burn} boxes={boxes} />
        </dd>
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

/** Of a single box, where the figure is missing, what brings it; of several each has its row below. */
function BurnRate({ burn, boxes }: { readonly burn: Burn; readonly boxes: readonly CostBox[] }) {
  const isMissing = burn.perHour.length === 0 && burn.unknownBoxes > 0;
  const [only, ...others] = boxes;
  if (!isMissing) return fleetBurnWords(burn);
  if (only === undefined || others.length > 0)
    return <Dash why="No box has a price, or none is connected" />;
  return <MissingStep boxId={only.box.id} meter={only.meter} />;
}

function MissingStep({
  boxId,
  meter,
}: {
  readonly boxId: string;
  readonly meter: BoxMeter | null;
}) {
  const link = useFleet((feed) => selectEntry(boxId)(feed)?.link ?? null);
  const isUnpriced = meter?.prices.compute === null;
  const step = link === null ? null : checkStep(boxId, link, false);
  if (isUnpriced) {
    return <NextStep label="Set price…" run={() => overlayOpened({ kind: 'set-price', boxId })} />;
  }
  return step === null ? <Dash why="Checking…" /> : <NextStep {...step} />;
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
