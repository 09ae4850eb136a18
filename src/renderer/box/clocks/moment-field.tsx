import { formatWhen } from '../../../shared/clocks/when.ts';
import { fromLocalInput } from '../../clocks/local-moment.ts';
import { Field } from '../../ui/field.tsx';

interface MomentFieldProps {
  readonly label: string;
  readonly text: string;
  readonly error?: string | null;
  readonly autoFocus?: boolean;
  readonly onText: (text: string) => void;
}

/** A date and a time of day here, and below it how they are understood: with weekday and zone. */
export function MomentField({ label, text, error = null, autoFocus, onText }: MomentFieldProps) {
  const atMs = fromLocalInput(text);
  return (
    <Field
      label={label}
      type="datetime-local"
      value={text}
      error={error}
      hint={atMs === null ? 'In the time zone of this machine.' : formatWhen(atMs)}
      autoFocus={autoFocus}
      onValue={onText}
    />
  );
}
