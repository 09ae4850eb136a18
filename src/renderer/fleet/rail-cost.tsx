import { useMemo } from 'react';
import { isInSums } from '../../shared/demo/demo-platform.ts';
import { addSpent, mayBurn, mostUsedFirst, spentAt, sumBurn } from '../../shared/meter/live.ts';
import { formatMoneyBriefly, type Money } from '../../shared/money.ts';
import { fleetBurnWords, moneyWords } from '../../shared/meter/money-words.ts';
import { doubtsOf, spentWords } from '../costs/money-words.ts';
import {
  selectAllEntries,
  selectEntries,
  selectMeters,
  useFleet,
  useMeter,
} from '../state/feeds.ts';
import { costsChosen, overlayOpened } from '../state/view.ts';
import { classNames } from '../ui/class-names.ts';
import { useClockParts } from '../ui/clock.ts';
import { formatCount } from '../ui/format.ts';
import styles from './rail.module.css';

/** More stand on the page of costs. */
const MAX_LINES = 3;

/** What all boxes burn now and have cost today, a line for each currency. */
export function RailCost() {
  const entries = useFleet(selectEntries);
  const meters = useMeter(selectMeters);
  const all = useFleet(selectAllEntries);
  const counted = useMemo(() => entries.filter(({ box }) => isInSums(box)), [entries]);
  const owned = useMemo(() => all.filter(({ box }) => isInSums(box)), [all]);
  // What a box has cost today is spent, also when it is gone by now.
  const shown = useMemo(() => owned.map(({ box }) => meters[box.id] ?? null), [owned, meters]);
  const burn = useMemo(
    () =>
      sumBurn(
        owned.flatMap(({ box }) => {
          const meter = meters[box.id] ?? null;
          return mayBurn(box, meter?.burnPerHour ?? null) ? [meter] : [];
        }),
      ),
    [owned, meters],
  );
  const { sums, wasted, words, doubts } = useClockParts((nowMs) => todayLines(shown, nowMs));
  const currencies = [
    ...new Set([...mostUsedFirst(burn.perHour, shown), ...sums].map(({ currency }) => currency)),
  ];
  const isUnknown = currencies.length === 0;
  // A box of the archive counts for as long as it is billed, and for what it has cost today.
  const isEmpty = counted.length === 0 && isUnknown;
  const lines = currencies.slice(0, MAX_LINES);
  const missing =
    burn.unknownBoxes > 0 && !isUnknown
      ? `${formatCount(burn.unknownBoxes, 'box', 'boxes')} not counted: no price or not connected`
      : null;
  return (
    <section
      className={styles['burn']}
      aria-label="Cost"
      title={[fleetBurnWords(burn), `today ${words}`, ...doubts, missing ?? ''].join('\n').trim()}
    >
      <h2>
        <button type="button" onClick={() => costsChosen(null)}>
          Spend
        </button>
      </h2>
      {!isEmpty && <p className={styles['today']}>today</p>}
      {isEmpty && (
        <>
          <strong className={styles['wide']}>No boxes</strong>
          {entries.length > 0 && <p className={styles['whole']}>The demo box is not counted.</p>}
        </>
      )}
      {isUnknown && !isEmpty && (
        <>
          <strong className={styles['wide']}>
            <button
              type="button"
              className={styles['next']}
              onClick={() => priceWanted(counted.map(({ box }) => box.id))}
            >
              Set a price…
            </button>
          </strong>
          <p className={styles['whole']}>No box has one. It starts the meter.</p>
        </>
      )}
      {lines.map((currency, i) => (
        <Line
          key={currency}
          isFirst={i === 0}
          burn={burn.perHour.find((each) => each.currency === currency)}
          today={sums.find((each) => each.currency === currency)?.words}
        />
      ))}
      {currencies.length > MAX_LINES && (
        <p className={styles['whole']}>and {currencies.length - MAX_LINES} more currencies</p>
      )}
      {wasted !== '' && (
        <p className={classNames(styles['whole'], styles['warn'])}>{wasted} idle waste</p>
      )}
      {missing !== null && (
        <p className={styles['whole']}>
          {formatCount(burn.unknownBoxes, 'box', 'boxes')} not counted: no price or not connected
        </p>
      )}
    </section>
  );
}

/** Of the only box at once; of several the page of costs has each with its button. */
function priceWanted([boxId, ...others]: readonly string[]): void {
  if (boxId === undefined || others.length > 0) costsChosen(null);
  else overlayOpened({ kind: 'set-price', boxId });
}

interface LineProps {
  readonly isFirst: boolean;
  readonly burn: Money | undefined;
  readonly today: string | undefined;
}

function Line({ isFirst, burn, today }: LineProps) {
  const names = classNames('figures', !isFirst && styles['beside']);
  return (
    <>
      <strong className={names}>
        {burn === undefined ? '–' : `${formatMoneyBriefly(burn)}/h`}
      </strong>
      <span className={classNames(names, styles['sum'])}>{today ?? '–'}</span>
    </>
  );
}

interface TodayLines {
  /** As they are written: the rail is drawn again when one of them changes, and not every second. */
  readonly sums: readonly { readonly currency: string; readonly words: string }[];
  readonly wasted: string;
  readonly words: string;
  readonly doubts: readonly string[];
}

function todayLines(meters: Parameters<typeof sumBurn>[0], nowMs: number): TodayLines {
  const spent = addSpent(
    meters.flatMap((meter) => (meter === null ? [] : [spentAt(meter, 'today', nowMs)])),
  );
  return {
    sums: spent.known.map((money) => ({
      currency: money.currency,
      words: formatMoneyBriefly(money),
    })),
    wasted: moneyWords(spent.wasted),
    words: spentWords(spent),
    doubts: doubtsOf(spent),
  };
}
