import type { BoxMeter } from '../../shared/meter/box-meter.ts';
import { sumBurn } from '../../shared/meter/live.ts';
import { costsChosen } from '../state/view.ts';
import { formatCount } from '../ui/format.ts';
import { BurnFigure, LiveSpent, LiveWaste, useDoubts } from './cost-figures.tsx';
import type { CostGroup, CostGrouping } from './cost-groups.ts';
import { fleetBurnWords, NOTHING_PRICED } from '../../shared/meter/money-words.ts';
import styles from './costs.module.css';

const HEADS: Readonly<Record<CostGrouping, string>> = {
  box: 'Box',
  tag: 'Tag',
  platform: 'Platform',
};

/** What each box, tag or platform costs. */
export function CostTable({
  groups,
  by,
}: {
  readonly groups: readonly CostGroup[];
  readonly by: CostGrouping;
}) {
  const caption = `Costs by ${by}`;
  return (
    <div className={styles['scroll']} tabIndex={0} role="group" aria-label={caption}>
      <table className={styles['table']}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{HEADS[by]}</th>
            <th scope="col">Now</th>
            <th scope="col">Today</th>
            <th scope="col">7 days</th>
            <th scope="col">Month</th>
            <th scope="col">Total</th>
            <th scope="col" title="Paid for computing while no GPU did anything, in total">
              Idle waste
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <Row key={group.id} group={group} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ group }: { readonly group: CostGroup }) {
  const { label, boxId, meters, forgotten } = group;
  const gone = forgotten.flatMap(({ spent }) => (spent === null ? [] : [spent]));
  const of = (period: 'today' | 'week' | 'month' | 'total') => ({
    meters,
    period,
    past: gone.map((spent) => spent[period]),
  });
  const doubts = useDoubts(of('total'));
  return (
    <tr>
      <th scope="row" title={label}>
        {boxId === null ? (
          label
        ) : (
          <button type="button" className={styles['name']} onClick={() => costsChosen(boxId)}>
            {label}
          </button>
        )}
        {doubts !== '' && <small title={doubts}>incomplete</small>}
      </th>
      <td>
        <Now {...group} />
      </td>
      <td>
        <LiveSpent {...of('today')} />
      </td>
      <td>
        <LiveSpent {...of('week')} />
      </td>
      <td>
        <LiveSpent {...of('month')} />
      </td>
      <td>
        <LiveSpent {...of('total')} />
      </td>
      <td className={styles['warn']}>
        <LiveWaste {...of('total')} />
      </td>
    </tr>
  );
}

function Now({ meters, unknownBoxes, forgotten }: CostGroup) {
  if (meters.length === 0 && unknownBoxes === 0) return forgotten.length > 0 ? '–' : NOTHING_PRICED;
  const [only] = meters;
  if (meters.length === 1 && only !== undefined && unknownBoxes === 0)
    return <BurnFigure burn={only.burnPerHour} />;
  const all: readonly (BoxMeter | null)[] = [...meters, ...Array<null>(unknownBoxes).fill(null)];
  const burn = sumBurn(all);
  const missing =
    burn.unknownBoxes > 0 && burn.perHour.length === 0
      ? `, ${formatCount(burn.unknownBoxes, 'box', 'boxes')}`
      : '';
  return `${fleetBurnWords(burn)}${missing}`;
}
