import { useId, useMemo, useState } from 'react';
import type { BoxDays, SpendDays } from '../../../shared/meter/spend-days.ts';
import { formatMoney } from '../../../shared/money.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { SpendBars } from './spend-bars.tsx';
import {
  currenciesIn,
  kindChart,
  spendChart,
  sumOf,
  type SpendChart,
  type SpendPart,
} from './spend-chart.ts';
import { describeSpend, formatDay } from './spend-words.ts';
import styles from './spend-chart.module.css';

export type Range = 30 | 90 | 365;

interface SpendPanelProps {
  readonly days: SpendDays;
  readonly range: Range;
  readonly onRange: (range: Range) => void;
  /** Another one draws the chart anew. Null: of one box, by what its money was for. */
  readonly partsOf: ((box: BoxDays) => readonly SpendPart[]) | null;
}

/** What was spent over time: a picture, the same in words, and as a table. Each currency by itself. */
export function SpendPanel({ days, range, onRange, partsOf }: SpendPanelProps) {
  const titleId = useId();
  const currencies = currenciesIn(days);
  const [chosen, setChosen] = useState<string | null>(null);
  const [look, setLook] = useState<'chart' | 'table'>('chart');
  const currency = currencies.find((each) => each === chosen) ?? currencies[0];
  return (
    <section aria-labelledby={titleId}>
      <div className={styles['head']}>
        <h2 id={titleId}>Spend over time</h2>
        {currencies.length > 1 && currency !== undefined && (
          <Segmented
            label="Currency"
            options={currencies.map((value) => ({ value, label: value }))}
            value={currency}
            onChange={setChosen}
          />
        )}
        <Segmented<Range>
          label="Range"
          options={[
            { value: 30, label: '30 d' },
            { value: 90, label: '90 d' },
            { value: 365, label: '1 y', name: '1 year, by week' },
          ]}
          value={range}
          onChange={onRange}
        />
        <Segmented
          label="Look"
          options={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
          value={look}
          onChange={setLook}
        />
      </div>
      {currency === undefined ? (
        <p className={styles['summary']}>No spending with a known price in this time.</p>
      ) : (
        <Spend days={days} currency={currency} range={range} partsOf={partsOf} look={look} />
      )}
    </section>
  );
}

interface SpendProps extends Pick<SpendPanelProps, 'days' | 'range' | 'partsOf'> {
  readonly currency: string;
  readonly look: 'chart' | 'table';
}

function Spend({ days, currency, range, partsOf, look }: SpendProps) {
  const chart = useMemo((): SpendChart => {
    const daysABar = range === 365 ? 7 : 1;
    return partsOf === null
      ? kindChart(days, { currency, daysABar })
      : spendChart(days, { currency, partsOf, daysABar });
  }, [days, currency, partsOf, range]);
  return (
    <>
      <p className={styles['summary']}>{describeSpend(chart)}</p>
      {look === 'chart' ? <SpendBars chart={chart} /> : <SpendTable chart={chart} />}
    </>
  );
}

function SpendTable({ chart }: { readonly chart: SpendChart }) {
  const { parts, bars, currency } = chart;
  const money = (micros: number): string =>
    micros === 0 ? '–' : formatMoney({ micros, currency });
  return (
    <div
      className={styles['scroll']}
      tabIndex={0}
      role="group"
      aria-label="Spend over time, as a table"
    >
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">From</th>
            {parts.map(({ id, label }) => (
              <th key={id} scope="col">
                {label}
              </th>
            ))}
            <th scope="col">Sum</th>
            <th scope="col">At most, on top</th>
          </tr>
        </thead>
        <tbody>
          {[...bars].reverse().map((bar) => (
            <tr key={bar.fromMs}>
              <th scope="row">{formatDay(bar.fromMs)}</th>
              {parts.map(({ id }, i) => (
                <td key={id}>{money(bar.micros[i] ?? 0)}</td>
              ))}
              <td>{money(sumOf(bar.micros))}</td>
              <td>{money(bar.atMostMicros)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
