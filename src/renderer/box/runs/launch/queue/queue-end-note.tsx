import { queueEnd } from '../../../../../shared/runs/queue/queue-end.ts';
import type { CellState, QueueView } from '../../../../../shared/runs/queue/queue-view.ts';
import { whenWords } from '../../../../costs/run-end-words.ts';
import { useClock } from '../../../../ui/clock.ts';
import { Glyph } from '../../../../ui/glyph.tsx';
import { costToEndWords, useRunningCharges } from '../run-cost.tsx';
import styles from './queue.module.css';

interface QueueEndNoteProps extends Pick<QueueView, 'slots' | 'isPaused' | 'isStopping'> {
  readonly boxId: string;
  readonly states: readonly CellState[];
}

/** When a queue that lives will be over, and what the box costs until then, by how long its cells took. */
export function QueueEndNote({ boxId, states, slots, isPaused, isStopping }: QueueEndNoteProps) {
  const charges = useRunningCharges(boxId);
  const words = useClock((nowMs) => {
    const end = queueEnd(states, { slots, isStopping }, nowMs);
    if (end.kind === 'nothing-left') return null;
    if (isPaused && !isStopping) return 'No estimate while the queue is paused.';
    if (end.kind === 'unknown') return 'The end can be estimated once the first cell is done.';
    const cost = costToEndWords(charges, end.span, nowMs) ?? 'set a price to see what that costs';
    return `Ends ${whenWords(end.span)}, by the cells that are done; ${cost}.`;
  });
  if (words === null) return null;
  return (
    <p className={styles['note']}>
      <Glyph tone="info" />
      {words}
    </p>
  );
}
