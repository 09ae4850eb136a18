import { useId } from 'react';
import { Field } from '../ui/field.tsx';

/** What the platforms of the profiles bill in, and their neighbours. Every ISO code is taken. */
const OFFERED = [
  'USD',
  'CNY',
  'EUR',
  'GBP',
  'JPY',
  'KRW',
  'SGD',
  'HKD',
  'INR',
  'CAD',
  'AUD',
  'CHF',
];

interface CurrencyFieldProps {
  readonly label?: string;
  readonly value: string;
  readonly error: string | null;
  readonly onValue: (value: string) => void;
}

export function CurrencyField({ label = 'Currency', value, error, onValue }: CurrencyFieldProps) {
  const listId = useId();
  return (
    <>
      <Field
        label={label}
        list={listId}
        maxLength={3}
        value={value}
        error={error}
        onValue={(text) => onValue(text.toUpperCase())}
      />
      <datalist id={listId}>
        {OFFERED.map((code) => (
          <option key={code} value={code} />
        ))}
      </datalist>
    </>
  );
}
