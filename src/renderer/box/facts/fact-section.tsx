import { useId, type ReactNode } from 'react';
import styles from './facts-tab.module.css';

/** One part of the Facts tab, with its name above it. */
export function FactSection({
  title,
  action,
  children,
}: {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  const titleId = useId();
  return (
    <section className={styles['section']} aria-labelledby={titleId}>
      <div className={styles['title']}>
        <h2 id={titleId}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}
