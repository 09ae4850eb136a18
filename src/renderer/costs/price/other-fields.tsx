import { Trash2 } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { AddButton } from './add-button.tsx';
import type { FormErrors, OtherForm } from './price-form.ts';
import styles from './price-dialog.module.css';

interface OtherFieldsProps {
  readonly others: readonly OtherForm[];
  readonly errors: FormErrors;
  readonly currency: string;
  readonly onChange: (others: readonly OtherForm[]) => void;
}

/** A static address, a licence, a fee. */
export function OtherFields({ others, errors, currency, onChange }: OtherFieldsProps) {
  const change = (place: number, part: Partial<OtherForm>): void =>
    onChange(others.map((other, i) => (i === place ? { ...other, ...part } : other)));
  return (
    <fieldset className={styles['group']}>
      <legend>Other charges</legend>
      {others.map((other, i) => (
        <div
          key={i}
          className={styles['other']}
          role="group"
          aria-label={`Charge ${String(i + 1)}`}
        >
          <Field
            label="For"
            placeholder="static address"
            value={other.what}
            error={errors[`other-${String(i)}-what`] ?? null}
            onValue={(what) => change(i, { what })}
          />
          <Field
            label={`${currency} an hour`}
            inputMode="decimal"
            value={other.amount}
            error={errors[`other-${String(i)}-amount`] ?? null}
            onValue={(amount) => change(i, { amount })}
          />
          <label className={styles['check']}>
            <input
              type="checkbox"
              checked={other.isBilledWhileStopped}
              onChange={(event) => change(i, { isBilledWhileStopped: event.target.checked })}
            />
            also while stopped
          </label>
          <Button
            look="quiet"
            isIcon
            aria-label={`Remove charge ${String(i + 1)}`}
            title="Remove"
            onClick={() => onChange(others.filter((_, each) => each !== i))}
          >
            <Trash2 size={15} aria-hidden />
          </Button>
        </div>
      ))}
      <AddButton
        onClick={() => onChange([...others, { what: '', amount: '', isBilledWhileStopped: false }])}
      >
        Add charge
      </AddButton>
    </fieldset>
  );
}
