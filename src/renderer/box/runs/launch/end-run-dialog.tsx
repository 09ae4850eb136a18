import { useState } from 'react';
import type { Problem } from '../../../../shared/problem.ts';
import { END_GRACE_S } from '../../../../shared/runs/launch/launched-run.ts';
import { call } from '../../../state/bridge.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Glyph } from '../../../ui/glyph.tsx';
import { Refusal } from '../../../ui/problem-note.tsx';
import { runsAnswered } from './launch-view.ts';
import styles from './launch.module.css';

interface EndRunDialogProps {
  readonly boxId: string;
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** Ends a run with a yes; "ended" is main's word, after a new look. */
export function EndRunDialog({ boxId, id, name, onClose }: EndRunDialogProps) {
  const [isEnding, setIsEnding] = useState(false);
  const [refusal, setRefusal] = useState<Problem | null>(null);

  async function confirmed(): Promise<void> {
    if (isEnding) return;
    setIsEnding(true);
    setRefusal(null);
    const answer = await call('runs:end', { boxId, id });
    setIsEnding(false);
    if (answer.ok) {
      runsAnswered(boxId, answer.value);
      onClose();
    } else setRefusal(answer.error);
  }

  return (
    <ConfirmDialog
      title={`End “${name}”?`}
      description={`The box asks the run and everything that it started to end (SIGTERM), waits up to ${String(END_GRACE_S)} seconds, and ends by force (SIGKILL) what is still there. What the run has not saved by then is lost. This cannot be undone.`}
      cancel="Keep it running"
      confirm={isEnding ? 'Ending…' : 'End run'}
      onConfirm={() => void confirmed()}
      onClose={onClose}
    >
      <div role="status" className={styles['status']}>
        {isEnding && (
          <p className={styles['line']}>
            <Glyph tone="wait" />
            Ending it and looking again whether it is gone…
          </p>
        )}
      </div>
      <Refusal problem={refusal} />
    </ConfirmDialog>
  );
}
