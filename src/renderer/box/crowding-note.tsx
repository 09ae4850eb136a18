import { crowdingProblem, type Crowding } from '../../shared/boxes/crowding.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import styles from './box-page.module.css';

/** Why nothing comes from the box just now, or came late a moment ago. */
export function CrowdingNote({ crowding }: { readonly crowding: Crowding }) {
  return (
    <div className={styles['note']}>
      <ProblemNote problem={crowdingProblem(crowding)} />
    </div>
  );
}
