import type { ReactNode } from 'react';
import styles from './page-header.module.css';

interface PageHeaderProps {
  readonly title: string;
  readonly meta?: string;
  /** Chips beside the title. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

export function PageHeader({ title, meta, children, actions }: PageHeaderProps) {
  return (
    <header className={styles['header']}>
      <h1 className={styles['title']} title={title} tabIndex={-1}>
        {title}
      </h1>
      {meta !== undefined && (
        <p className={styles['meta']} title={meta}>
          {meta}
        </p>
      )}
      {children}
      {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
    </header>
  );
}
