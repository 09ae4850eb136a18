import { useState, type FormEvent } from 'react';
import type { Phase } from '../../../shared/meter/interval.ts';
import { phases } from '../../../shared/meter/interval.ts';
import type { Problem } from '../../../shared/problem.ts';
import { call } from '../../state/bridge.ts';
import { selectMeter, useMeter } from '../../state/feeds.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { CurrencyField } from '../currency-field.tsx';
import { lineFormOf, readLine, type LineForm } from './line-form.ts';
import type { LedgerRow } from './ledger-rows.ts';
import { amountOf, chargesOf, PHASE_WORDS } from './ledger-words.ts';
import styles from './ledger.module.css';

export type LineTask =
  | { readonly kind: 'add' }
  | { readonly kind: 'correct'; readonly row: LedgerRow };

interface LineDialogProps {
  readonly boxId: string;
  readonly task: LineTask;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Takes a line out, puts another in its place, or adds one. What stood there stays in the ledger, with the reason. */
export function LineDialog({ boxId, task, onClose, onDone }: LineDialogProps) {
  const row = task.kind === 'correct' ? task.row : null;
  const currency = useMeter(selectMeter(boxId))?.prices.compute?.currency ?? 'USD';
  const [form, setForm] = useState(() => lineFormOf(row, Date.now(), currency));
  const [way, setWay] = useState<'replace' | 'out'>(
    row?.line.kind === 'transfer' ? 'out' : 'replace',
  );
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const change = (part: Partial<LineForm>): void => {
    setForm({ ...form, ...part });
    setErrors({});
  };
  const isOut = row !== null && way === 'out';

  async function submitted(event: FormEvent): Promise<void> {
    event.preventDefault();
    const reason = form.reason.trim();
    if (isOut) {
      if (reason === '') {
        setErrors({ reason: 'Enter a reason, for whoever reads it later.' });
        return;
      }
      finish(await call('meter:take-out', { boxId, no: row.no, reason }));
      return;
    }
    const read = readLine(form, row);
    if ('errors' in read) {
      setErrors(read.errors);
      return;
    }
    finish(
      row === null
        ? await call('meter:add-line', { boxId, ...read.line })
        : await call('meter:correct', { boxId, no: row.no, reason, ...read.line }),
    );
  }

  function finish(
    answer: { readonly ok: true } | { readonly ok: false; readonly error: Problem },
  ): void {
    if (answer.ok) onDone();
    else setRefusal(answer.error);
  }

  return (
    <Dialog
      title={row === null ? 'Add a line' : 'Correct a line'}
      description={
        row === null
          ? 'For time that Leasehold did not meter, as on your bill.'
          : `${chargesOf(row)}, ${amountOf(row)}. It stays in the ledger but is not counted.`
      }
      onClose={onClose}
    >
      <form onSubmit={(event) => void submitted(event)} noValidate>
        {row?.line.kind === 'time' && (
          <Segmented
            label="What to do"
            options={[
              { value: 'replace', label: 'Put another in its place' },
              { value: 'out', label: 'Take it out only' },
            ]}
            value={way}
            onChange={setWay}
          />
        )}
        <div className={styles['dialogFields']}>
          {!isOut && <LineFields form={form} errors={errors} onChange={change} />}
          {row !== null && (
            <div className={styles['whole']}>
              <Field
                label="Why"
                placeholder="the platform credited this night"
                maxLength={500}
                value={form.reason}
                error={errors['reason'] ?? null}
                onValue={(reason) => change({ reason })}
              />
            </div>
          )}
        </div>
        <Refusal problem={refusal} />
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            {row === null ? 'Add' : isOut ? 'Take it out' : 'Correct'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

interface LineFieldsProps {
  readonly form: LineForm;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (part: Partial<LineForm>) => void;
}

function LineFields({ form, errors, onChange }: LineFieldsProps) {
  return (
    <>
      <Field
        label="From"
        type="datetime-local"
        value={form.from}
        error={errors['from'] ?? null}
        onValue={(from) => onChange({ from })}
      />
      <Field
        label="Lasted, hours"
        inputMode="decimal"
        value={form.hours}
        error={errors['hours'] ?? null}
        onValue={(hours) => onChange({ hours })}
      />
      <label className={styles['label']}>
        The box was
        <select
          className={styles['select']}
          value={form.phase}
          onChange={(event) => onChange({ phase: event.target.value as Phase })}
        >
          {phases.map((phase) => (
            <option key={phase} value={phase}>
              {PHASE_WORDS[phase]}
            </option>
          ))}
        </select>
      </label>
      <Field
        label="For"
        value={form.what}
        maxLength={200}
        error={errors['what'] ?? null}
        onValue={(what) => onChange({ what })}
      />
      <Field
        label="An hour"
        inputMode="decimal"
        hint="Empty: nothing was billed."
        value={form.amount}
        error={errors['amount'] ?? null}
        onValue={(amount) => onChange({ amount })}
      />
      <CurrencyField
        value={form.currency}
        error={null}
        onValue={(currency) => onChange({ currency })}
      />
    </>
  );
}
