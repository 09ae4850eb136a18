import type { ReactNode } from 'react';
import styles from './value-table.module.css';

interface ValueTableProps {
  /** Whose values they are: `Values of loss`. */
  readonly label: string;
  readonly children: ReactNode;
}

/** What a chart shows, as figures. It scrolls by itself, also from the keyboard. */
export function ValueTable({ label, children }: ValueTableProps) {
  return (
    <div className={styles['frame']} tabIndex={0} role="group" aria-label={label}>
      <table aria-label={label}>{children}</table>
    </div>
  );
}
