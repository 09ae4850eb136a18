import { judgeTimeToSave, timeToSaveWords } from '../../../shared/teardown/time-to-save.ts';
import { selectBehindOf, useBehind } from '../../state/feeds.ts';
import { teardownChosen } from '../../state/view.ts';
import { useClock } from '../../ui/clock.ts';
import styles from './cards.module.css';

const EVERY_MS = 10_000;

/** The way to bringing results home, where some are not here or nobody knows; what time that takes stands beside it. */
export function PullLink({ boxId, dueMs }: { readonly boxId: string; readonly dueMs: number }) {
  const behind = useBehind(selectBehindOf(boxId));
  const nowMs = useClock((now) => Math.floor(now / EVERY_MS) * EVERY_MS);
  const judged = judgeTimeToSave(behind, dueMs - nowMs);
  if (judged.kind === 'nothing') return null;
  return (
    <button
      type="button"
      className={styles['link']}
      title={timeToSaveWords(judged)}
      onClick={() => teardownChosen(boxId, 'pulled')}
    >
      {judged.kind === 'too-little' ? 'Bring home what you can…' : 'Bring results home…'}
    </button>
  );
}
