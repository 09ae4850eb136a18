import { useState, type FormEvent } from 'react';
import type { Problem } from '../../../shared/problem.ts';
import { formatMoney, readAmount } from '../../../shared/money.ts';
import { fromLocalInput, toLocalInput } from '../../clocks/local-moment.ts';
import { call } from '../../state/bridge.ts';
import { selectMeter, useMeter } from '../../state/feeds.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import styles from './ledger.module.css';

interface TransferDialogProps {
  readonly boxId: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Bytes out of the datacenter that the person knows of, beside those that Leasehold has counted. */
export function TransferDialog({ boxId, onClose, onDone }: TransferDialogProps) {
  const egress = useMeter(selectMeter(boxId))?.egressRate ?? null;
  const [at, setAt] = useState(() => toLocalInput(Date.now()));
  const [what, setWhat] = useState('rsync of results');
  const [gigabytes, setGigabytes] = useState('');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState<Problem | null>(null);

  async function submitted(event: FormEvent): Promise<void> {
    event.preventDefault();
    const wrong: Record<string, string> = {};
    const atMs = fromLocalInput(at);
    const amount = readAmount(gigabytes);
    if (atMs === null) wrong['at'] = 'Choose a day and a time.';
    else if (atMs > Date.now()) wrong['at'] = 'This is in the future.';
    if (what.trim() === '') wrong['what'] = 'Name what was moved.';
    if (!amount.ok) wrong['gigabytes'] = amount.error;
    else if (amount.value === 0) wrong['gigabytes'] = 'Enter an amount above 0.';
    setErrors(wrong);
    if (Object.keys(wrong).length > 0 || atMs === null || !amount.ok) return;
    // A millionth of a GB is a thousand bytes.
    const bytes = amount.value * 1000;
    const answer = await call('meter:add-transfer', { boxId, atMs, what, bytes });
    if (answer.ok) onDone();
    else setRefusal(answer.error);
  }

  return (
    <Dialog
      title="Add a transfer"
      description={
        egress === null
          ? 'No price for bytes out of the datacenter is set: this will be counted as unpriced.'
          : `Priced at ${formatMoney(egress)} a GB. What came through Leasehold is counted already.`
      }
      onClose={onClose}
    >
      <form onSubmit={(event) => void submitted(event)} noValidate>
        <div className={styles['dialogFields']}>
          <Field
            label="GB out"
            inputMode="decimal"
            hint="Decimal, as transfers are billed."
            value={gigabytes}
            error={errors['gigabytes'] ?? null}
            autoFocus
            onValue={setGigabytes}
          />
          <Field
            label="When"
            type="datetime-local"
            value={at}
            error={errors['at'] ?? null}
            onValue={setAt}
          />
          <div className={styles['whole']}>
            <Field
              label="What"
              maxLength={200}
              value={what}
              error={errors['what'] ?? null}
              onValue={setWhat}
            />
          </div>
        </div>
        <Refusal problem={refusal} />
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Add
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
