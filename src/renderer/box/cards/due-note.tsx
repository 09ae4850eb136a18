import type { BoxEntry } from '../../state/box-entry.ts';
import { afterEndWords } from '../../clocks/after-end-words.ts';
import { useClock } from '../../ui/clock.ts';
import styles from './cards.module.css';
import { PullLink } from './pull-link.tsx';

interface DueNoteProps {
  readonly entry: BoxEntry;
  readonly dueMs: number;
}

/** Before the end, the way to bring home what would be lost; after it, what the box lets one conclude. */
export function DueNote({ entry: { box, link }, dueMs }: DueNoteProps) {
  const isOver = useClock((nowMs) => dueMs <= nowMs);
  if (!isOver) return <PullLink boxId={box.id} dueMs={dueMs} />;
  return <span className={styles['danger']}>{afterEndWords(link)}</span>;
}
