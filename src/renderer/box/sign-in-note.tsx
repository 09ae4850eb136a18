import { isSignInFailed } from '../../shared/boxes/sign-in-failed.ts';
import type { BoxEntry } from '../state/box-entry.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import styles from './box-page.module.css';
import { SignInActions } from './sign-in-actions.tsx';

/** Why there is no way into the box, with what helps, wherever nothing works for want of it. */
export function SignInNote({ box, link }: Pick<BoxEntry, 'box' | 'link'>) {
  const problem = link.kind === 'down' || link.kind === 'waiting' ? link.problem : null;
  if (problem === null || !isSignInFailed(problem)) return null;
  return (
    <div className={styles['note']}>
      <ProblemNote problem={problem} actions={<SignInActions boxId={box.id} />} />
    </div>
  );
}
