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
  readonly placeholder?: string;
  readonly hint?: string;
  readonly onValue: (value: string) => void;
}

export function CurrencyField({ label = 'Currency', onValue, ...field }: CurrencyFieldProps) {
  const listId = useId();
  return (
    <>
      <Field
        {...field}
        label={label}
        list={listId}
        maxLength={3}
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
