import { useId } from 'react';
import { describeForward, type SshForward } from '../../../shared/boxes/ssh-forward.ts';
import type { PlatformGuess } from '../../../shared/profiles/guess-platform.ts';
import { formatMoney } from '../../../shared/money.ts';
import { nameToChoose, platformName } from '../../../shared/profiles/platform-names.ts';
import type { Profile } from '../../../shared/profiles/profile.ts';
import { MomentField } from '../../box/clocks/moment-field.tsx';
import { CurrencyField } from '../../costs/currency-field.tsx';
import { PerChoice } from '../../costs/price/per-choice.tsx';
import { priceFor } from '../../costs/price/price-form.ts';
import { Field } from '../../ui/field.tsx';
import select from '../../ui/select.module.css';
import {
  priceOfBox,
  type LastRental,
  type RentalErrors,
  type RentalValues,
} from './rental-form.ts';
import styles from './rental-fields.module.css';

interface ProviderFieldProps {
  readonly profiles: readonly Profile[];
  readonly platform: string;
  /** Null: the address tells nothing, or the person has chosen. */
  readonly guess: PlatformGuess | null;
  readonly onPlatform: (platform: string) => void;
}

/** By whom the box is rented out; what the address tells is chosen already. */
export function ProviderField({ profiles, platform, guess, onPlatform }: ProviderFieldProps) {
  const id = useId();
  const noteId = useId();
  return (
    <div className={styles['provider']}>
      <label htmlFor={id}>Provider</label>
      <select
        id={id}
        className={select['select']}
        value={platform}
        aria-describedby={guess === null ? undefined : noteId}
        onChange={({ target }) => onPlatform(target.value)}
      >
        {!profiles.some((profile) => profile.id === platform) && (
          <option value={platform}>{platformName(platform)}</option>
        )}
        {profiles.map((profile) => (
          <option key={profile.id} value={profile.id}>
            {nameToChoose(profile)}
          </option>
        ))}
      </select>
      {guess !== null && (
        <p id={noteId} role="status">
          Detected: {guess.because}.
        </p>
      )}
    </div>
  );
}

interface RentalFieldsProps {
  readonly values: RentalValues;
  readonly errors: RentalErrors;
  readonly last: LastRental | null;
  readonly onChange: (part: Partial<RentalValues>) => void;
}

/** What the box costs, and when its rental ends. */
export function RentalFields({ values, errors, last, onChange }: RentalFieldsProps) {
  const isAsLast =
    last !== null &&
    values.price !== '' &&
    values.price === priceFor(last.values, values.per) &&
    values.currency === last.values.currency;
  const ofBox = priceOfBox(values);
  return (
    <>
      <div className={styles['price']}>
        <Field
          label="Price per hour"
          placeholder="2.49"
          inputMode="decimal"
          value={values.price}
          error={errors.price ?? null}
          hint={isAsLast ? `As for ${last.of}.` : 'Empty = unknown, not free.'}
          onValue={(price) => onChange({ price })}
        />
        <CurrencyField
          value={values.currency}
          error={errors.currency ?? null}
          onValue={(currency) => onChange({ currency })}
        />
        <div className={styles['per']}>
          <PerChoice per={values.per} onPer={(per) => onChange({ per })} />
        </div>
      </div>
      <div className={styles['halves']}>
        {values.per === 'gpu' && (
          <Field
            label="GPUs"
            inputMode="numeric"
            value={values.gpus}
            error={errors.gpus ?? null}
            {...(ofBox !== null && { hint: `= ${formatMoney(ofBox)}/h for the box` })}
            onValue={(gpus) => onChange({ gpus })}
          />
        )}
        <MomentField
          label="Rental ends"
          text={values.endsAt}
          error={errors.endsAt ?? null}
          onText={(endsAt) => onChange({ endsAt })}
        />
      </div>
    </>
  );
}

interface ForwardFieldsProps {
  readonly forwards: readonly SshForward[];
  /** The ports that are not wanted. */
  readonly left: readonly number[];
  readonly onLeft: (left: readonly number[]) => void;
}

/** The `-L` of a pasted command, each a tunnel unless it is ticked off. */
export function ForwardFields({ forwards, left, onLeft }: ForwardFieldsProps) {
  return forwards.map((forward) => {
    const { listenPort } = forward;
    const isTaken = !left.includes(listenPort);
    return (
      <label key={listenPort} className={styles['forward']}>
        <input
          type="checkbox"
          checked={isTaken}
          onChange={() =>
            onLeft(isTaken ? [...left, listenPort] : left.filter((port) => port !== listenPort))
          }
        />
        Add a tunnel: <span className="figures">{describeForward(forward)}</span>
      </label>
    );
  });
}
