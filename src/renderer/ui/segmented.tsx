import { useId } from 'react';
import styles from './segmented.module.css';

interface SegmentedProps<T extends string | number> {
  readonly label: string;
  /** `name`: for those who only hear it, where the label is short because of the room. */
  readonly options: readonly {
    readonly value: T;
    readonly label: string;
    readonly name?: string;
  }[];
  /** Null: none of them. */
  readonly value: T | null;
  readonly onChange: (value: T) => void;
}

/** One of a few. Real radio buttons underneath, so arrow keys and screen readers work as everywhere. */
export function Segmented<T extends string | number>({
  label,
  options,
  value,
  onChange,
}: SegmentedProps<T>) {
  const name = useId();
  return (
    <div className={styles['group']} role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={styles['option']}>
          <input
            type="radio"
            name={name}
            {...(option.name !== undefined && { 'aria-label': option.name })}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
