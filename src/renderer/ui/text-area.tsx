import { useId, type ComponentProps, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'onChange'> {
  readonly label: string;
  readonly error?: string | null;
  readonly hint?: ReactNode;
  readonly isMono?: boolean;
  readonly onValue: (value: string) => void;
}

/** Several lines of text, with hint and error as a `Field` has them. */
export function TextArea({
  label,
  error = null,
  hint,
  isMono = false,
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
