import { useId, type ReactNode } from 'react';
import styles from './facts.module.css';

export function PageSection({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}) {
  const titleId = useId();
  return (
    <section className={styles['section']} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      {note !== undefined && <p className={styles['muted']}>{note}</p>}
      {children}
    </section>
  );
}
