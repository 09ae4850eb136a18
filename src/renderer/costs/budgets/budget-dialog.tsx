import { useState, type FormEvent } from 'react';
import type { Budget } from '../../../shared/meter/price-entries.ts';
import { decimalOf, isKnownCurrency, readAmount } from '../../../shared/money.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import type { CostBox } from '../cost-groups.ts';
import { CurrencyField } from '../currency-field.tsx';
import own from './budgets.module.css';

interface BudgetDialogProps {
  /** Null: a new one. */
  readonly budget: Budget | null;
  readonly boxes: readonly CostBox[];
  readonly onClose: () => void;
  readonly onSave: (budget: Budget) => Promise<void>;
}

/** As an option of the list: "all", "box …", "tag …". */
function scopeId({ scope }: Pick<Budget, 'scope'>): string {
  if (scope.kind === 'all') return 'all';
  return scope.kind === 'box' ? `box ${scope.boxId}` : `tag ${scope.tag}`;
}

function scopeOf(id: string): Budget['scope'] {
  if (id === 'all') return { kind: 'all' };
  const rest = id.slice(4);
  return id.startsWith('box ') ? { kind: 'box', boxId: rest } : { kind: 'tag', tag: rest };
}

export function BudgetDialog({ budget, boxes, onClose, onSave }: BudgetDialogProps) {
  const usual = boxes.flatMap(({ meter }) => meter?.burnPerHour?.money ?? [])[0]?.currency;
  const [scope, setScope] = useState(budget === null ? 'all' : scopeId(budget));
  const [per, setPer] = useState<Budget['per']>(budget?.per ?? 'month');
  const [amount, setAmount] = useState(budget === null ? '' : decimalOf(budget.limit.micros));
  const [currency, setCurrency] = useState(budget?.limit.currency ?? usual ?? 'USD');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const tags = [...new Set(boxes.flatMap(({ box }) => box.tags))].sort();
  const ids = [
    'all',
    ...boxes.map(({ box }) => `box ${box.id}`),
    ...tags.map((tag) => `tag ${tag}`),
  ];

  function submitted(event: FormEvent): void {
    event.preventDefault();
    const wrong: Record<string, string> = {};
    const limit = readAmount(amount);
    if (!limit.ok) wrong['amount'] = limit.error;
    else if (limit.value === 0) wrong['amount'] = 'Enter a limit above 0.';
    if (!isKnownCurrency(currency)) wrong['currency'] = 'Use a code like USD, EUR or CNY.';
    setErrors(wrong);
    if (!limit.ok || Object.keys(wrong).length > 0) return;
    const id = budget?.id ?? crypto.randomUUID();
    void onSave({ id, scope: scopeOf(scope), per, limit: { micros: limit.value, currency } });
  }

  return (
    <Dialog
      title={budget === null ? 'Add a budget' : 'Change a budget'}
      description="Compared in its own currency only. You are notified at 80 % and when it is used up; nothing is stopped."
      onClose={onClose}
    >
      <form onSubmit={submitted} noValidate>
        <div className={own['fields']}>
          <label className={own['label']}>
            For
            <select
              className={own['select']}
              value={scope}
              onChange={(event) => setScope(event.target.value)}
            >
              {(ids.includes(scope) ? ids : [...ids, scope]).map((id) => (
                <option key={id} value={id}>
                  {nameOf(id, boxes)}
                </option>
              ))}
            </select>
          </label>
          <Segmented<Budget['per']>
            label="Counted"
            options={[
              { value: 'day', label: 'a day' },
              { value: 'month', label: 'a month' },
              { value: 'ever', label: 'in total' },
            ]}
            value={per}
            onChange={setPer}
          />
          <Field
            label="At most"
            inputMode="decimal"
            placeholder="200"
            value={amount}
            error={errors['amount'] ?? null}
            autoFocus
            onValue={setAmount}
          />
          <CurrencyField
            value={currency}
            error={errors['currency'] ?? null}
            onValue={setCurrency}
          />
        </div>
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Save
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function nameOf(id: string, boxes: readonly CostBox[]): string {
  const scope = scopeOf(id);
  if (scope.kind === 'all') return 'All boxes';
  if (scope.kind === 'tag') return `Tag ${scope.tag}`;
  return (
    boxes.find(({ box }) => box.id === scope.boxId)?.box.name ?? 'A box that is not in the list'
  );
}
