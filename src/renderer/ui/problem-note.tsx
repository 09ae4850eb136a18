import type { ReactNode } from 'react';
import type { Problem } from '../../shared/problem.ts';
import { classNames } from './class-names.ts';
import { Glyph } from './glyph.tsx';
import styles from './problem-note.module.css';

interface ProblemNoteProps {
  readonly problem: Problem;
  readonly tone?: 'warn' | 'danger';
  readonly actions?: ReactNode;
}

/** A problem beside what it is about: what happened, what to do, and a fold with the technical text. */
export function ProblemNote({ problem, tone = 'warn', actions }: ProblemNoteProps) {
  return (
    <div className={classNames(styles['note'], tone === 'danger' && styles['danger'])}>
      <Glyph tone={tone} />
      <div>
        <p className={styles['message']}>{problem.message}</p>
        <p className={styles['nextStep']}>{problem.nextStep}</p>
        <ProblemDetails problem={problem} />
      </div>
      {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
    </div>
  );
}

/** Why the person's last try failed, read out at once; nothing while there is nothing to say. */
export function Refusal({
  problem,
  tone = 'warn',
}: {
  readonly problem: Problem | null;
  readonly tone?: 'warn' | 'danger';
}) {
  if (problem === null) return null;
  return (
    <div role="alert">
      <ProblemNote problem={problem} tone={tone} />
    </div>
  );
}

export function ProblemDetails({ problem }: { readonly problem: Problem }) {
  if (problem.detail === undefined || problem.detail === '') return null;
  return (
    <details className={styles['details']}>
      <summary>Details</summary>
      <pre>{problem.detail}</pre>
    </details>
  );
}
