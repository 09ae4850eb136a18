import { Trash2 } from 'lucide-react';
import { useId } from 'react';
import { formatPrice, type StorageRate } from '../../../shared/profiles/price.ts';
import type { Profile, StorageTier } from '../../../shared/profiles/profile.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { AddButton } from './add-button.tsx';
import type { DiskForm, FormErrors } from './price-form.ts';
import styles from './price-dialog.module.css';

interface DiskFieldsProps {
  readonly disks: readonly DiskForm[];
  readonly errors: FormErrors;
  readonly profile: Profile | null;
  readonly currency: string;
  readonly onChange: (disks: readonly DiskForm[]) => void;
}

/** Disks by the platform's names for them, with its rates where the person has none of their own. */
export function DiskFields({ disks, errors, profile, currency, onChange }: DiskFieldsProps) {
  const listId = useId();
  const tiers = profile?.storage ?? [];
  const change = (place: number, part: Partial<DiskForm>): void =>
    onChange(disks.map((disk, i) => (i === place ? { ...disk, ...part } : disk)));
  const free = tiers.find(({ name }) => !disks.some(({ tier }) => tier === name));
  return (
    <fieldset className={styles['group']}>
      <legend>Disks</legend>
      <datalist id={listId}>
        {tiers.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {disks.map((disk, i) => {
        const field = `disk-${String(i)}`;
        const found = tiers.find(({ name }) => name === disk.tier.trim());
        return (
          <div key={i} className={styles['disk']} role="group" aria-label={`Disk ${String(i + 1)}`}>
            <Field
              label="Disk"
              list={listId}
              value={disk.tier}
              error={errors[`${field}-tier`] ?? null}
              onValue={(tier) => change(i, { tier })}
            />
            <Field
              label="Size, GB"
              inputMode="numeric"
              value={disk.sizeGB}
              error={errors[`${field}-size`] ?? null}
              onValue={(sizeGB) => change(i, { sizeGB })}
            />
            <Field
              label="A GB a month, running"
              inputMode="decimal"
              placeholder={placeholderOf(found?.rates.running)}
              value={disk.running}
              error={errors[`${field}-running`] ?? null}
              onValue={(running) => change(i, { running })}
            />
            <Field
              label="stopped"
              inputMode="decimal"
              placeholder={placeholderOf(found?.rates.stopped)}
              value={disk.stopped}
              error={errors[`${field}-stopped`] ?? null}
              onValue={(stopped) => change(i, { stopped })}
            />
            <Button
              look="quiet"
              isIcon
              aria-label={`Remove disk ${String(i + 1)}`}
              title="Remove"
              onClick={() => onChange(disks.filter((_, each) => each !== i))}
            >
              <Trash2 size={15} aria-hidden />
            </Button>
            <p className={styles['rate']}>{rateWords(found, profile, currency)}</p>
          </div>
        );
      })}
      <AddButton
        onClick={() =>
          onChange([...disks, { tier: free?.name ?? '', sizeGB: '', running: '', stopped: '' }])
        }
      >
        Add disk
      </AddButton>
    </fieldset>
  );
}

function placeholderOf(rate: StorageRate | undefined): string {
  if (rate === undefined || rate === null) return 'not known';
  if (rate === 'free') return 'free';
  return rate === 'unpriced' ? 'not known' : (formatPrice(rate).split(' ')[0] ?? '');
}

function rateWords(
  tier: StorageTier | undefined,
  profile: Profile | null,
  currency: string,
): string {
  if (tier === undefined)
    return `Not a disk of this platform’s profile: enter its price in ${currency}.`;
  const { running, stopped } = tier.rates;
  const checked = tier.verified === null ? '' : `, checked ${tier.verified}`;
  return `Left empty: what ${profile?.name ?? 'the platform'} asks by default, ${said(running)} running, ${said(stopped)} stopped${checked}.`;
}

function said(rate: StorageRate): string {
  if (rate === null) return 'not known';
  if (rate === 'unpriced') return 'billed, price not known';
  return rate === 'free' ? 'free' : formatPrice(rate);
}
