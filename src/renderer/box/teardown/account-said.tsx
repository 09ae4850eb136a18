import { useId } from 'react';
import type { BoxMeter } from '../../../shared/meter/box-meter.ts';
import { formatMoney, type Money } from '../../../shared/money.ts';
import { textOf } from '../../../shared/runs/launch/run-words.ts';
import {
  judgePrice,
  type ProviderAccount,
  type ProviderPrice,
} from '../../../shared/teardown/provider-account.ts';
import { overlayOpened } from '../../state/view.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import type { AccountAsked } from './use-account.ts';
import styles from './account-said.module.css';

interface AccountSaidProps {
  readonly boxId: string;
  /** Who is linked. */
  readonly provider: string;
  readonly meter: BoxMeter | null;
  readonly asked: AccountAsked;
}

/** What the provider itself lists and charges, held against what Leasehold knows. It is asked when the wizard is opened, and at a click. */
export function AccountSaid({ boxId, provider, meter, asked }: AccountSaidProps) {
  const titleId = useId();
  const { account, refusal, isBusy, ask } = asked;
  return (
    <section className={styles['said']} aria-labelledby={titleId}>
      <header>
        <h3 id={titleId}>What {textOf(provider)} says</h3>
        <span className={styles['age']} role="status">
          {isBusy ? 'Asking…' : account !== null && <Age atMs={account.atMs} />}
        </span>
        <Button size="small" disabled={isBusy} onClick={ask}>
          Ask again
        </Button>
      </header>
      {account !== null && (
        <>
          <PriceSaid {...{ boxId, meter, account }} />
          <Machines account={account} />
        </>
      )}
      <Refusal problem={refusal} />
    </section>
  );
}

interface PriceSaidProps {
  readonly boxId: string;
  readonly meter: BoxMeter | null;
  readonly account: ProviderAccount;
}

function PriceSaid({ boxId, meter, account: { provider, price } }: PriceSaidProps) {
  if (price.kind === 'silent') {
    return <Unanswered provider={provider} what="charges" says={price.says} />;
  }
  const what = price.value.isWithStorage ? 'the same' : 'the machine alone';
  const verdict = meter === null ? null : judgePrice(price.value, meter);
  return (
    <>
      <p>{priceWords(price.value)}</p>
      {verdict?.kind === 'differs' && (
        <p className={styles['differs']}>
          <Glyph tone="warn" />
          <span>
            That is {formatMoney(verdict.said)} a day, and Leasehold counts{' '}
            {formatMoney(verdict.counted)} for {what}.
          </span>
          <Button size="small" onClick={() => overlayOpened({ kind: 'set-price', boxId })}>
            Set the price…
          </Button>
        </p>
      )}
    </>
  );
}

function priceWords({ running, stopped, isWithStorage }: ProviderPrice): string {
  const hour = (money: Money | null): string =>
    money === null ? 'no price' : `${formatMoney(money)}/h`;
  return `${hour(running)} while it runs, ${hour(stopped)} while it is stopped, ${isWithStorage ? 'with its disks' : 'plus disks'}.`;
}

function Machines({ account }: { readonly account: ProviderAccount }) {
  const { provider, instance, machines } = account;
  if (machines.kind === 'silent') {
    return <Unanswered provider={provider} what="lists" says={machines.says} />;
  }
  const isListed = machines.value.some((each) => each.instance === instance);
  return (
    <>
      {!isListed && (
        <p className={styles['differs']}>
          <Glyph tone="warn" />
          <span>
            It does not list this box (<span className="mono">{textOf(instance)}</span>). The key
            may be another account’s, or the box was ended elsewhere.
          </span>
        </p>
      )}
      {machines.value.length > 0 && (
        <ul className={styles['machines']} aria-label={`Machines of ${textOf(provider)}`}>
          {machines.value.map((each) => (
            <li key={each.instance}>
              <span>
                <span className="selectable">{textOf(each.name ?? each.instance)}</span>
                {each.name !== null && (
                  <small className="mono selectable">{textOf(each.instance)}</small>
                )}
              </span>
              <span className={`mono ${styles['state'] ?? ''}`}>{textOf(each.says)}</span>
              {each.boxName === null ? (
                <span>
                  <Glyph tone="warn" /> Not in Leasehold – may be billing
                </span>
              ) : (
                <span>{each.instance === instance ? 'this box' : each.boxName}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface UnansweredProps {
  readonly provider: string;
  readonly what: 'charges' | 'lists';
  readonly says: string;
}

function Unanswered({ provider, what, says }: UnansweredProps) {
  return (
    <p className={styles['unanswered']}>
      <Glyph tone="unknown" />
      <span>
        What {textOf(provider)} {what} is not known: {textOf(says)}
      </span>
    </p>
  );
}
