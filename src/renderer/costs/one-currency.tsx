import { useId, useState } from 'react';
import { periods, type BoxMeter, type Period, type Spent } from '../../shared/meter/box-meter.ts';
import { sumInOne } from '../../shared/meter/estimate.ts';
import { addSpent, spentAt } from '../../shared/meter/live.ts';
import { decimalOf, formatMoney, isKnownCurrency, readAmount } from '../../shared/money.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import { settingsChanged } from '../state/actions.ts';
import { useSettings } from '../state/feeds.ts';
import { usePageAct } from '../state/page-part.ts';
import type { Feed } from '../state/stream-client.ts';
import { Button } from '../ui/button.tsx';
import { useNow } from '../ui/clock.ts';
import { Field } from '../ui/field.tsx';
import { formatDate } from '../ui/format.ts';
import { CurrencyField } from './currency-field.tsx';
import styles from './costs.module.css';

const NO_RATES: Settings['costs'] = { sumIn: null, rates: {}, ratesAtMs: null };
const selectRates = (feed: Feed<Settings>): Settings['costs'] =>
  feed.kind === 'live' ? feed.state.costs : NO_RATES;

interface OneCurrencyProps {
  readonly meters: readonly (BoxMeter | null)[];
  readonly past: Readonly<Record<Period, readonly Spent[]>>;
}

const PERIOD_WORDS: Readonly<Record<Period, string>> = {
  today: 'today',
  week: '7 days',
  month: 'this month',
  total: 'in total',
};

/** A sum over currencies, only by rates that the person typed, and marked as such. Nothing is there with a single currency. */
export function OneCurrency({ meters, past }: OneCurrencyProps) {
  const titleId = useId();
  const nowMs = useNow();
  const costs = useSettings(selectRates);
  const [isOpen, setIsOpen] = useState(false);
  const of = (period: Period) =>
    addSpent([
      ...meters.flatMap((meter) => (meter === null ? [] : [spentAt(meter, period, nowMs)])),
      ...past[period],
    ]).known;
  const currencies = of('total').map(({ currency }) => currency);
  usePageAct('rates', () => setIsOpen(true), currencies.length > 1);
  if (currencies.length < 2) return null;
  const { sumIn, rates, ratesAtMs } = costs;
  return (
    <section className={styles['panel']} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <h2 id={titleId}>In one currency</h2>
        <Button size="small" onClick={() => setIsOpen(!isOpen)} aria-expanded={isOpen}>
          {sumIn === null ? 'Enter rates…' : 'Change rates…'}
        </Button>
      </div>
      {sumIn === null ? (
        <p className={styles['hint']}>
          Currencies stand side by side. They are added only at rates that you enter.
        </p>
      ) : (
        <>
          <dl className={styles['facts']}>
            {periods.map((period) => {
              const sum = sumInOne(of(period), sumIn, rates);
              return [
                <dt key={period}>{PERIOD_WORDS[period]}</dt>,
                <dd key={`${period} sum`} className="figures">
                  {'missing' in sum
                    ? `needs a rate for ${sum.missing.join(' and ')}`
                    : `${sum.isConverted ? '≈ ' : ''}${formatMoney(sum.sum)}`}
                </dd>,
              ];
            })}
          </dl>
          <p className={styles['hint']}>
            ≈ at your rates{ratesAtMs === null ? '' : ` of ${formatDate(ratesAtMs)}`}:{' '}
            {Object.entries(rates)
              .map(([code, micros]) => `1 ${code} = ${decimalOf(micros)} ${sumIn}`)
              .join(', ')}
          </p>
        </>
      )}
      {isOpen && (
        <RatesForm currencies={currencies} costs={costs} onDone={() => setIsOpen(false)} />
      )}
    </section>
  );
}

interface RatesFormProps {
  readonly currencies: readonly string[];
  readonly costs: Settings['costs'];
  readonly onDone: () => void;
}

function RatesForm({ currencies, costs, onDone }: RatesFormProps) {
  const [sumIn, setSumIn] = useState(costs.sumIn ?? currencies[0] ?? 'USD');
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const others = currencies.filter((code) => code !== sumIn);
  const textOf = (code: string): string => {
    const micros = costs.sumIn === sumIn ? costs.rates[code] : undefined;
    return typed[code] ?? (micros === undefined ? '' : decimalOf(micros));
  };
  const read = others.map((code) => ({ code, amount: readRate(textOf(code)) }));
  const isRight = isKnownCurrency(sumIn) && read.every(({ amount }) => amount.ok);

  function save(): void {
    const rates = Object.fromEntries(
      read.flatMap(({ code, amount }) => (amount.ok ? [[code, amount.value]] : [])),
    );
    ratesEntered(sumIn, rates);
    onDone();
  }

  return (
    <div className={styles['fields']} role="group" aria-label="Rates">
      <CurrencyField
        label="Add up in"
        value={sumIn}
        error={isKnownCurrency(sumIn) ? null : 'Use a code like USD, EUR or CNY.'}
        onValue={setSumIn}
      />
      {read.map(({ code, amount }) => (
        <Field
          key={code}
          label={`1 ${code} in ${sumIn}`}
          inputMode="decimal"
          value={textOf(code)}
          error={textOf(code) === '' || amount.ok ? null : amount.error}
          onValue={(text) => setTyped({ ...typed, [code]: text })}
        />
      ))}
      <Button look="primary" disabled={!isRight} onClick={save}>
        Save rates
      </Button>
    </div>
  );
}

function ratesEntered(sumIn: string, rates: Settings['costs']['rates']): void {
  settingsChanged({ costs: { sumIn, rates, ratesAtMs: Date.now() } });
}

function readRate(text: string): ReturnType<typeof readAmount> {
  const amount = readAmount(text);
  if (amount.ok && amount.value === 0) return { ok: false, error: 'Enter a rate above 0.' };
  return amount;
}
