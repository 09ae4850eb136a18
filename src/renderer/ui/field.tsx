import { useId, type ComponentProps, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';

interface FieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  readonly label: string;
  readonly error?: string | null;
  readonly hint?: ReactNode;
  readonly isMono?: boolean;
  /** Stands inside the field's right end. */
  readonly trailing?: ReactNode;
  readonly onValue: (value: string) => void;
}

/** A labelled line of text with its hint and its error where they belong. */
export function Field({
  label,
  error = null,
  hint,
  isMono = false,
  trailing,
  onValue,
  ...input
}: FieldProps) {
  const id = useId();
  const noteId = useId();
  const hasNote = error !== null || hint !== undefined;
  return (
    <div className={styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {label}
      </label>
      <div className={styles['line']}>
        <input
          id={id}
          className={classNames(styles['input'], isMono && styles['mono'])}
          aria-invalid={error !== null}
          aria-describedby={hasNote ? noteId : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => onValue(event.target.value)}
          {...input}
        />
        {trailing}
      </div>
      {hasNote && (
        <p id={noteId} className={error === null ? styles['hint'] : styles['error']}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
