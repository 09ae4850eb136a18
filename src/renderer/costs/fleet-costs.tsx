import { Coins } from 'lucide-react';
import { useCallback, useId, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { Period, Spent } from '../../shared/meter/box-meter.ts';
import type { BoxDays } from '../../shared/meter/spend-days.ts';
import { selectAllEntries, useFleet } from '../state/feeds.ts';
import { Segmented } from '../ui/segmented.tsx';
import { EmptyState, FailedState, LoadingState } from '../ui/panel-state.tsx';
import { BudgetsSection } from './budgets/budgets-section.tsx';
import { SpendPanel, type Range } from './chart/spend-panel.tsx';
import {
  groupCosts,
  partsOfForgotten,
  partsOfBox,
  type CostBox,
  type CostGrouping,
} from './cost-groups.ts';
import { CostTable } from './cost-table.tsx';
import styles from './costs.module.css';
import { OneCurrency } from './one-currency.tsx';
import { PeriodTiles } from './period-tiles.tsx';
import { useDays } from './use-days.ts';

/** Every box that there is or ever was. */
export function FleetCosts({ boxes }: { readonly boxes: readonly CostBox[] }) {
  const titleId = useId();
  const [by, setBy] = useState<CostGrouping>('box');
  const [range, setRange] = useState<Range>(30);
  // The entries are others every second, the boxes in them seldom: what is drawn hangs on these alone.
  const listed = useFleet(useShallow((feed) => selectAllEntries(feed).map(({ box }) => box)));
  const partsOf = useCallback(
    (days: BoxDays) => {
      const box = listed.find(({ id }) => id === days.boxId);
      return box === undefined ? partsOfForgotten(days, by) : partsOfBox(box, by);
    },
    [listed, by],
  );
  const priced = boxes.map(({ meter }) => String(meter?.pricedAtMs)).join();
  const state = useDays(null, range, priced);
  const forgotten =
    state.kind === 'there' ? state.days.boxes.filter(({ spent }) => spent !== null) : [];
  const pastOf = (period: Period): readonly Spent[] =>
    forgotten.flatMap(({ spent }) => (spent === null ? [] : [spent[period]]));
  const past = {
    today: pastOf('today'),
    week: pastOf('week'),
    month: pastOf('month'),
    total: pastOf('total'),
  };
  // Of boxes that were forgotten the money is spent all the same.
  if (boxes.length === 0 && forgotten.length === 0 && state.kind !== 'failed') {
    return state.kind === 'loading' ? <LoadingState title="Adding up…" /> : <NoBox />;
  }
  const meters = boxes.map(({ meter }) => meter);
  return (
    <>
      <PeriodTiles boxes={boxes} past={past} />
      <section className={styles['panel']}>
        {state.kind === 'loading' && <LoadingState title="Adding up…" />}
        {state.kind === 'failed' && <FailedState problem={state.problem} />}
        {state.kind === 'there' && (
          <SpendPanel days={state.days} range={range} onRange={setRange} partsOf={partsOf} />
        )}
      </section>
      <section className={styles['panel']} aria-labelledby={titleId}>
        <div className={styles['head']}>
          <h2 id={titleId}>By {by}</h2>
          <Segmented<CostGrouping>
            label="Sum up by"
            options={[
              { value: 'box', label: 'Box' },
              { value: 'tag', label: 'Tag' },
              { value: 'platform', label: 'Platform' },
            ]}
            value={by}
            onChange={setBy}
          />
        </div>
        <CostTable groups={groupCosts(boxes, forgotten, by)} by={by} />
        {by === 'tag' && (
          <p className={styles['hint']}>
            A box with several tags stands under each of them, so these sums are not parts of a
            whole.
          </p>
        )}
      </section>
      <OneCurrency meters={meters} past={past} />
      <BudgetsSection boxes={boxes} />
    </>
  );
}

function NoBox() {
  return (
    <EmptyState icon={<Coins size={30} strokeWidth={1.4} />} title="No boxes">
      <p>What a box costs is counted from the moment that it is in the list.</p>
    </EmptyState>
  );
}
