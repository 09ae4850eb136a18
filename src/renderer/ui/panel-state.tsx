import { useId, type ReactNode } from 'react';
import type { Problem } from '../../shared/problem.ts';
import { classNames } from './class-names.ts';
import { Glyph } from './glyph.tsx';
import { ProblemDetails } from './problem-note.tsx';
import styles from './panel-state.module.css';

interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** Nothing is here, and why; with what to do about it where something can be done. */
export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  const titleId = useId();
  return (
    <section className={styles['state']} aria-labelledby={titleId}>
      {icon !== undefined && (
        <div className={styles['icon']} aria-hidden="true">
          {icon}
        </div>
      )}
      <h2 id={titleId} className={styles['title']}>
        {title}
      </h2>
      {children !== undefined && <div className={styles['text']}>{children}</div>}
      {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
    </section>
  );
}

export function LoadingState({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className={classNames(styles['state'], styles['late'])} role="status">
      <div className={styles['bar']} />
      <p className={styles['title']}>{title}</p>
      {children !== undefined && <p className={styles['text']}>{children}</p>}
    </div>
  );
}

interface FailedStateProps {
  readonly problem: Problem;
  /** `danger` only where something is lost or at risk. */
  readonly tone?: 'warn' | 'danger';
  readonly actions?: ReactNode;
}

/** Fills a panel whose content could not be had. */
export function FailedState({ problem, tone = 'warn', actions }: FailedStateProps) {
  return (
    <EmptyState icon={<Glyph tone={tone} />} title={problem.message} actions={actions}>
      <p>{problem.nextStep}</p>
      <ProblemDetails problem={problem} />
    </EmptyState>
  );
}
