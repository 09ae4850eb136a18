import { useState } from 'react';
import type { Problem } from '../../../../shared/problem.ts';
import { textOf } from '../../../../shared/runs/launch/run-words.ts';
import type { PulledFile, RunProof } from '../../../../shared/transfer/pull.ts';
import { call } from '../../../state/bridge.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Refusal } from '../../../ui/problem-note.tsx';
import styles from './pull.module.css';

/** Longer ones main refuses. */
const MOST_REASON = 200;

interface AcceptDialogProps {
  readonly boxId: string;
  readonly runId: string;
  readonly file: PulledFile;
  readonly onAccepted: (proof: RunProof) => void;
  readonly onClose: () => void;
}

/** Takes one file that is damaged, here as on the box: by its name, with a reason in the person's own words. */
export function AcceptDialog({ boxId, runId, file, onAccepted, onClose }: AcceptDialogProps) {
  const { path, sha256, loaded } = file;
  const [because, setBecause] = useState('');
  const [isAsked, setIsAsked] = useState(false);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const accept = async (): Promise<void> => {
    setIsAsked(true);
    const of = { boxId, runId, path, sha256: sha256 ?? '' };
    const answer = await call('evidence:accept', { ...of, because: because.trim() });
    setIsAsked(false);
    if (!answer.ok) {
      setRefusal(answer.error);
      return;
    }
    onAccepted(answer.value);
    onClose();
  };
  return (
    <Dialog
      title="Accept a damaged file"
      description="It came home with the bytes that it has on the box, and they are damaged there too: bringing it home again changes nothing. Accepted, it no longer counts as missing from the results. It is still shown as damaged, and its reason is kept in the evidence."
      onClose={onClose}
    >
      <div className={styles['accepting']}>
        <div>
          <p className="mono selectable">{textOf(path)}</p>
          {loaded?.kind === 'damaged' && (
            <p className={styles['muted']}>Damaged: {textOf(loaded.because)}.</p>
          )}
        </div>
        <Field
          label="Why it is accepted as it is"
          value={because}
          maxLength={MOST_REASON}
          onValue={setBecause}
        />
        <Refusal problem={refusal} tone="danger" />
      </div>
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          disabled={because.trim() === '' || isAsked}
          onClick={() => void accept()}
        >
          Accept this file
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
