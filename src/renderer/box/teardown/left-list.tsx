import type { Inspection } from '../../../shared/teardown/inspection.ts';
import { textOf } from '../../../shared/runs/launch/run-words.ts';
import { leftLines } from './teardown-steps.ts';
import styles from './teardown.module.css';

interface LeftListProps {
  readonly inspection: Inspection | null;
  /** What is said where nothing goes with the box; null: nothing is. */
  readonly none: string | null;
}

/** What goes with the box, each with its reason. */
export function LeftList({ inspection, none }: LeftListProps) {
  const left = inspection === null ? [] : leftLines(inspection);
  if (left.length === 0) return none === null ? null : <p className={styles['lead']}>{none}</p>;
  return (
    <>
      <p className={styles['lead']}>
        This goes with the box. Your approval covers it, and it is printed on the receipt.
      </p>
      <ul className={styles['left']} aria-label="What goes with the box">
        {left.map(([what, because]) => (
          <li key={`${what} ${because}`}>
            <span className="selectable">{textOf(what)}</span>
            <span className={styles['note']}>{textOf(because)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
