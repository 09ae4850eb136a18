import { useId, type ComponentProps, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'onChange' | 'value'> {
  readonly label: string;
  readonly error?: string | null;
  readonly hint?: ReactNode;
  readonly isMono?: boolean;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** Several lines of text, with hint and error as a `Field` has them. */
export function TextArea({
  label,
  error = null,
  hint,
  isMono = false,
  value,
  onValue,
  ...area
}: TextAreaProps) {
  const id = useId();
  const noteId = useId();
  const hasNote = error !== null || hint !== undefined;
  return (
    <div className={styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        className={classNames(styles['input'], styles['area'], isMono && styles['mono'])}
        rows={rowsOf(value)}
        value={value}
        aria-invalid={error !== null}
        aria-describedby={hasNote ? noteId : undefined}
        onChange={(event) => onValue(event.target.value)}
        {...area}
      />
      {hasNote && (
        <p id={noteId} className={error === null ? styles['hint'] : styles['error']}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

const LINE_CHARS = 80;
const MAX_ROWS = 12;

/** As tall as what is in it, within reason; the person may pull it taller. */
function rowsOf(text: string): number {
  const rows = text
    .slice(0, MAX_ROWS * LINE_CHARS)
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_CHARS)), 0);
  return Math.max(2, Math.min(MAX_ROWS, rows));
}
