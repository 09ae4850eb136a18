import { useBehindWords } from '../clocks/use-behind-words.ts';
import { classNames } from '../ui/class-names.ts';
import styles from './fleet-table.module.css';

interface BehindCellProps {
  readonly boxId: string;
  /** Of the nearest clock; null: it is said above, or none runs. */
  readonly event: string | null;
}

/** What happens then, and what is there that is not here. Nothing: no clock runs, and no run has left anything that is not home. */
export function BehindCell({ boxId, event }: BehindCellProps) {
  const behind = useBehindWords(boxId);
  // What is known to be missing here is cut last.
  const parts = behind.tone === 'unknown' ? [event, behind.short] : [behind.short, event];
  const words = parts.filter((part) => part !== null).join(' · ');
  if (words === '') return null;
  return (
    <small
      className={classNames(styles['behind'], behind.tone === 'danger' && styles['danger'])}
      title={[event, behind.title].filter((part) => part !== null).join('\n')}
    >
      {words}
      {behind.tone === 'unknown' && <span className="sr-only">. {behind.sentence}</span>}
    </small>
  );
}
