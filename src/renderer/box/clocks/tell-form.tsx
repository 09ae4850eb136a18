import { useState, type FormEvent, type ReactNode } from 'react';
import type { Clock, EntryKey } from '../../../shared/clocks/clock.ts';
import { decimalOf } from '../../../shared/money.ts';
import type { Problem } from '../../../shared/problem.ts';
import { fromLocalInput, toLocalInput } from '../../clocks/local-moment.ts';
import { Button } from '../../ui/button.tsx';
import { useNow } from '../../ui/clock.ts';
import { Field } from '../../ui/field.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import styles from './clocks.module.css';
import { MomentField } from './moment-field.tsx';
import { readBalance, tell, toldMoment, type Entered } from './tell.ts';
import type { OwnEntries } from './use-own-entries.ts';

interface TellFormProps {
  readonly clock: Clock;
  readonly told: OwnEntries;
  /** What the box is billed in; null: not known. */
  readonly currency: string | null;
  readonly onDone: () => void;
}

/** Where the person says what only they know of a clock. Nothing is done at the platform. */
export function TellForm({ clock, told, currency, onDone }: TellFormProps) {
  const { entries, account } = told;
  const { entry } = clock;
  if (entry === null || entries === null) return null;

  const keep = (said: Entered): Promise<Problem | null> =>
    told.save(tell(entries, clock, said, Date.now()));
  const common = { onDone };
  switch (entry.kind) {
    case 'time':
    case 'start':
    case 'prepaid':
    case 'deadline':
      return (
        <MomentForm
          {...common}
          label={MOMENT_LABELS[entry.kind]}
          knownMs={toldMoment(entries, entry) ?? (clock.due.kind === 'at' ? clock.due.atMs : null)}
          isTold={toldMoment(entries, entry) !== null}
          isPast={entry.kind === 'start'}
          keep={(atMs) => keep({ kind: 'moment', atMs })}
        />
      );
    case 'warning':
      return (
        <SpanForm
          {...common}
          label="Seconds before the end"
          unitMs={1000}
          maxMs={30 * 86_400_000}
          knownMs={entries.warningLeadMs}
          keep={(ms) => keep({ kind: 'span', ms })}
        />
      );
    case 'quota':
      return (
        <SpanForm
          {...common}
          label="Hours used so far, as the platform shows them now"
          unitMs={3_600_000}
          maxMs={entry.forMs}
          knownMs={entries.quotaUsed?.ms ?? null}
          keep={(ms) => keep({ kind: 'span', ms })}
        />
      );
    case 'spot':
      return <SpotForm {...common} isSpot={entries.isSpot} keep={keep} />;
    case 'balance':
      return <BalanceForm {...common} {...{ account, currency }} keep={told.saveAccount} />;
  }
}

const MOMENT_LABELS: Readonly<
  Record<Extract<EntryKey['kind'], 'time' | 'start' | 'prepaid' | 'deadline'>, string>
> = {
  time: 'Ends at',
  start: 'Timer started at',
  prepaid: 'Paid until',
  deadline: 'Deadline',
};

interface FormFrameProps {
  readonly canKeep: boolean;
  /** Null where nothing was said yet. */
  readonly takeBack: (() => Promise<Problem | null>) | null;
  readonly keep: () => Promise<Problem | null>;
  readonly onDone: () => void;
  readonly children: ReactNode;
}

function FormFrame({ canKeep, takeBack, keep, onDone, children }: FormFrameProps) {
  const [refusal, setRefusal] = useState<Problem | null>(null);
  async function run(change: () => Promise<Problem | null>): Promise<void> {
    const refused = await change();
    setRefusal(refused);
    if (refused === null) onDone();
  }
  function submitted(event: FormEvent): void {
    event.preventDefault();
    if (canKeep) void run(keep);
  }
  return (
    <form className={styles['form']} onSubmit={submitted}>
      {children}
      <Refusal problem={refusal} />
      <div className={styles['buttons']}>
        <Button type="submit" look="primary" size="small" disabled={!canKeep}>
          Save
        </Button>
        <Button size="small" onClick={onDone}>
          Cancel
        </Button>
        {takeBack !== null && (
          <Button size="small" look="quiet" onClick={() => void run(takeBack)}>
            Remove
          </Button>
        )}
      </div>
    </form>
  );
}

interface MomentFormProps {
  readonly label: string;
  readonly knownMs: number | null;
  readonly isTold: boolean;
  /** A timer cannot have begun in the future. */
  readonly isPast: boolean;
  readonly keep: (atMs: number | null) => Promise<Problem | null>;
  readonly onDone: () => void;
}

function MomentForm({ label, knownMs, isTold, isPast, keep, onDone }: MomentFormProps) {
  const [text, setText] = useState(() => toLocalInput(knownMs ?? Date.now()));
  const nowMs = useNow();
  const atMs = fromLocalInput(text);
  const isFuture = isPast && atMs !== null && atMs > nowMs;
  return (
    <FormFrame
      canKeep={atMs !== null && !isFuture}
      takeBack={isTold ? () => keep(null) : null}
      keep={() => keep(atMs)}
      onDone={onDone}
    >
      <MomentField
        label={label}
        text={text}
        error={isFuture ? 'That is still to come.' : null}
        autoFocus
        onText={setText}
      />
    </FormFrame>
  );
}

interface SpanFormProps {
  readonly label: string;
  readonly unitMs: number;
  readonly maxMs: number;
  readonly knownMs: number | null;
  readonly keep: (ms: number | null) => Promise<Problem | null>;
  readonly onDone: () => void;
}

function SpanForm({ label, unitMs, maxMs, knownMs, keep, onDone }: SpanFormProps) {
  const [text, setText] = useState(knownMs === null ? '' : String(knownMs / unitMs));
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const isRight = value >= 0 && value * unitMs <= maxMs;
  return (
    <FormFrame
      canKeep={isRight}
      takeBack={knownMs === null ? null : () => keep(null)}
      keep={() => keep(Math.round(value * unitMs))}
      onDone={onDone}
    >
      <Field
        label={label}
        inputMode="decimal"
        value={text}
        error={text === '' || isRight ? null : `From 0 to ${maxMs / unitMs}.`}
        autoFocus
        onValue={setText}
      />
    </FormFrame>
  );
}

const SPOT_CHOICES = [
  { value: 'yes', label: 'Yes, it can be taken away' },
  { value: 'no', label: 'No' },
  { value: 'unknown', label: 'Not sure' },
] as const;
type SpotChoice = (typeof SPOT_CHOICES)[number]['value'];

interface SpotFormProps {
  readonly isSpot: boolean | null;
  readonly keep: (said: Entered) => Promise<Problem | null>;
  readonly onDone: () => void;
}

function SpotForm({ isSpot, keep, onDone }: SpotFormProps) {
  const [choice, setChoice] = useState<SpotChoice>(
    isSpot === null ? 'unknown' : isSpot ? 'yes' : 'no',
  );
  return (
    <FormFrame
      canKeep
      takeBack={null}
      keep={() => keep({ kind: 'spot', isSpot: choice === 'unknown' ? null : choice === 'yes' })}
      onDone={onDone}
    >
      <Segmented
        label="Is it spot, interruptible or preemptible?"
        options={SPOT_CHOICES}
        value={choice}
        onChange={setChoice}
      />
    </FormFrame>
  );
}

interface BalanceFormProps {
  readonly account: OwnEntries['account'];
  readonly currency: string | null;
  readonly keep: OwnEntries['saveAccount'];
  readonly onDone: () => void;
}

function BalanceForm({ account, currency: billedIn, keep, onDone }: BalanceFormProps) {
  const [amount, setAmount] = useState('');
  const [currency, setCurrency] = useState(account?.balance.currency ?? billedIn ?? 'USD');
  const read = readBalance(amount, currency);
  const isTyped = amount !== '' && currency !== '';
  return (
    <FormFrame
      canKeep={typeof read !== 'string'}
      takeBack={account === null ? null : () => keep(null)}
      keep={() =>
        typeof read === 'string'
          ? Promise.resolve(null)
          : keep({ balance: read, asOfMs: Date.now() })
      }
      onDone={onDone}
    >
      <div className={styles['pair']}>
        <Field
          label="Balance, as the platform shows it now"
          inputMode="decimal"
          value={amount}
          error={isTyped && typeof read === 'string' ? read : null}
          hint={
            account === null
              ? 'For all boxes of this platform together.'
              : `Last entered: ${decimalOf(account.balance.micros)} ${account.balance.currency}.`
          }
          autoFocus
          onValue={setAmount}
        />
        <Field label="Currency" value={currency} onValue={setCurrency} />
      </div>
    </FormFrame>
  );
}
