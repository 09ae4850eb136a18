import { useState } from 'react';
import {
  judgeConnection,
  type ConnectionErrors,
  type ConnectionValues,
} from './connection-values.ts';

type TextName = {
  [K in keyof ConnectionValues]: ConnectionValues[K] extends string ? K : never;
}[Exclude<keyof ConnectionValues, 'routeKind'>];

export interface ConnectionForm {
  readonly values: ConnectionValues;
  readonly errors: ConnectionErrors;
  readonly change: (part: Partial<ConnectionValues>) => void;
  /** What a Field for this text needs. */
  readonly field: (name: TextName) => FieldProps;
  /** The error to show beside the field; null as long as the person has not left it. */
  readonly shownError: (name: string) => string | null;
  readonly touch: (names: readonly string[]) => void;
  /** Other values altogether, of which these fields are marked at once where they are wrong. */
  readonly replace: (values: ConnectionValues, touched: readonly string[]) => void;
}

interface FieldProps {
  readonly value: string;
  readonly error: string | null;
  readonly onValue: (value: string) => void;
  readonly onBlur: () => void;
}

export function useConnectionForm(initial: ConnectionValues): ConnectionForm {
  const [values, setValues] = useState(initial);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const errors = judgeConnection(values);
  const change = (part: Partial<ConnectionValues>): void =>
    setValues((old) => ({ ...old, ...part }));
  const touch = (names: readonly string[]): void =>
    setTouched((old) => new Set([...old, ...names]));
  const shownError = (name: string): string | null =>
    touched.has(name) ? (errors[name] ?? null) : null;
  return {
    values,
    errors,
    change,
    touch,
    shownError,
    replace: (next, names) => {
      setValues(next);
      setTouched(new Set(names));
    },
    field: (name) => ({
      value: values[name],
      error: shownError(name),
      onValue: (value) => change({ [name]: value }),
      onBlur: () => {
        if (values[name] !== '') touch([name]);
      },
    }),
  };
}
