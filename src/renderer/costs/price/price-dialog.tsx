import { useState, type FormEvent } from 'react';
import type { PriceEntries } from '../../../shared/meter/price-entries.ts';
import { NO_PRICES } from '../../../shared/meter/price-book.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Problem } from '../../../shared/problem.ts';
import { call } from '../../state/bridge.ts';
import { selectEntry, selectMeter, useFleet, useMeter } from '../../state/feeds.ts';
import { useProfile } from '../../state/profiles.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { CurrencyField } from '../currency-field.tsx';
import { DiskFields } from './disk-fields.tsx';
import { OtherFields } from './other-fields.tsx';
import { PerChoice } from './per-choice.tsx';
import { PlatformPrices } from './platform-prices.tsx';
import {
  formOf,
  priceFor,
  readForm,
  type FormErrors,
  type PriceForm,
  type PricePer,
  type Since,
} from './price-form.ts';
import styles from './price-dialog.module.css';

interface PriceDialogProps {
  readonly boxId: string;
  readonly onClose: () => void;
}

const NO_ERRORS: FormErrors = {};
const FIRST_FIELDS: ReadonlySet<string> = new Set(['compute', 'currency', 'gpus']);
const hasMore = ({ disks, others, egress }: PriceEntries): boolean =>
  disks.length > 0 || others.length > 0 || egress !== null;

/** What the person pays for a box. What the platform asks by default stands beside the fields, never in the sums by itself. */
export function PriceDialog({ boxId, onClose }: PriceDialogProps) {
  const entry = useFleet(selectEntry(boxId));
  const meter = useMeter(selectMeter(boxId));
  const profile = useProfile(entry?.box.platform ?? '');
  const isFirst = meter === null || meter.pricedAtMs === null;
  const known = meter?.prices ?? NO_PRICES;
  // The profile may come a moment later; until something is typed, the form follows.
  const [typed, setTyped] = useState<PriceForm | null>(null);
  const gpus = entry?.gpus?.length ?? 0;
  const form = typed ?? {
    ...formOf(known, isFirst, profile),
    ...(gpus > 0 && { gpus: String(gpus) }),
  };
  const [errors, setErrors] = useState(NO_ERRORS);
  // What was priced beyond the hour stands open; the first time one field is enough.
  const [opened, setOpen] = useState<boolean | null>(null);
  const isOpen = opened ?? hasMore(known);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const change = (part: Partial<PriceForm>): void => {
    setTyped({ ...form, ...part });
    setErrors(NO_ERRORS);
  };

  async function submitted(event: FormEvent): Promise<void> {
    event.preventDefault();
    const answer = readForm(form, Date.now());
    if ('errors' in answer) {
      setErrors(answer.errors);
      // What is wrong must not lie folded away.
      if (Object.keys(answer.errors).some((key) => !FIRST_FIELDS.has(key))) setOpen(true);
      return;
    }
    setIsSaving(true);
    const saved = await call('meter:set-prices', { boxId, ...answer.read });
    setIsSaving(false);
    if (saved.ok) onClose();
    else setRefusal(saved.error);
  }

  function perChosen(per: PricePer): void {
    const price = formOf(known, isFirst, profile).compute;
    const asKnown = { price, gpus: form.gpus };
    // What is known is said anew; what was typed stays as it was typed.
    const isKnown = form.compute === priceFor(asKnown, form.per);
    change({ per, ...(isKnown && { compute: priceFor(asKnown, per) }) });
  }

  const ofBox = form.per === 'gpu' ? readForm({ ...form, since: 'now' }, 0) : null;
  const whole = ofBox !== null && 'read' in ofBox ? ofBox.read.prices.compute : null;
  const otherCurrency = form.otherCurrency.trim() === '' ? form.currency : form.otherCurrency;
  return (
    <Dialog
      title={`Price of ${entry?.box.name ?? ''}`}
      description="What you pay, as your provider’s page or bill says. Empty = unknown, not free."
      onClose={onClose}
      isWide
    >
      <form onSubmit={(event) => void submitted(event)} noValidate>
        <div className={styles['two']}>
          <Field
            label="Price per hour"
            placeholder="2.49"
            inputMode="decimal"
            value={form.compute}
            error={errors['compute'] ?? null}
            hint={form.per === 'gpu' ? 'Each of its GPUs, while it runs.' : allGpusHint(gpus)}
            autoFocus
            onValue={(compute) => change({ compute })}
          />
          <CurrencyField
            value={form.currency}
            error={errors['currency'] ?? null}
            onValue={(currency) => change({ currency })}
          />
        </div>
        <div className={styles['per']}>
          <PerChoice per={form.per} onPer={perChosen} />
          {form.per === 'gpu' && (
            <Field
              label="GPUs"
              inputMode="numeric"
              value={form.gpus}
              error={errors['gpus'] ?? null}
              {...(whole !== null && { hint: `= ${formatMoney(whole)}/h for the box` })}
              onValue={(count) => change({ gpus: count })}
            />
          )}
        </div>
        {profile !== null && (
          <PlatformPrices
            profile={profile}
            gpus={gpus === 0 ? 1 : gpus}
            onUse={(compute, currency) => change({ compute, currency, per: 'box' })}
          />
        )}

        <details
          className={styles['more']}
          open={isOpen}
          onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
        >
          <summary>More: disks, other charges, data out, since when</summary>
          <DiskFields
            disks={form.disks}
            errors={errors}
            profile={profile}
            currency={otherCurrency}
            onChange={(disks) => change({ disks })}
          />
          <OtherFields
            others={form.others}
            errors={errors}
            currency={otherCurrency}
            onChange={(others) => change({ others })}
          />
          <div className={styles['two']}>
            <Field
              label={`Data out of the datacenter, ${otherCurrency} per GB`}
              inputMode="decimal"
              placeholder="unknown"
              value={form.egress}
              error={errors['egress'] ?? null}
              hint={egressHint(profile)}
              onValue={(egress) => change({ egress })}
            />
            <CurrencyField
              label="Currency for other charges"
              placeholder={form.currency}
              hint="Default: same as the hourly price."
              value={form.otherCurrency}
              error={errors['otherCurrency'] ?? null}
              onValue={(code) => change({ otherCurrency: code })}
            />
          </div>

          <fieldset className={styles['group']}>
            <legend>Apply from</legend>
            <Segmented<Since>
              label="Apply from"
              options={[
                { value: 'now', label: 'Now' },
                { value: 'start', label: 'Start of rental' },
                { value: 'at', label: 'Date…' },
              ]}
              value={form.since}
              onChange={(since) => change({ since })}
            />
            {form.since === 'at' && (
              <Field
                label="Date"
                type="datetime-local"
                value={form.sinceAt}
                error={errors['sinceAt'] ?? null}
                onValue={(sinceAt) => change({ sinceAt })}
              />
            )}
            <p className={styles['note']}>
              {form.since === 'now'
                ? 'Past entries keep their price.'
                : 'Earlier entries are recalculated; the old ones are kept but not counted.'}
            </p>
          </fieldset>
        </details>
        {Object.keys(errors).length > 0 && (
          <p role="alert" className={styles['wrong']}>
            Not saved: correct the fields in red.
          </p>
        )}
        <Refusal problem={refusal} />
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={isSaving}>
            Save
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

const allGpusHint = (gpus: number): string =>
  `All ${gpus === 0 ? 'its' : String(gpus)} GPUs together, while it runs.`;

const COUNTED = 'For what comes through Leasehold, and for transfers that you enter.';

function egressHint(profile: ReturnType<typeof useProfile>): string {
  const told = profile?.egress;
  if (told === undefined) return COUNTED;
  const checked = told.verified === null ? '' : ` (checked ${told.verified})`;
  if (told.isFree === true) return `${profile?.name ?? ''} does not bill it${checked}.`;
  return told.note === null ? COUNTED : `${told.note}${checked}`;
}
