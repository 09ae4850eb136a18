import { useState } from 'react';
import type { Blocker } from '../../../shared/teardown/inspection.ts';
import { textOf } from '../../../shared/runs/launch/run-words.ts';
import { call } from '../../state/bridge.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { useAsking } from './use-teardown.ts';
import styles from './teardown.module.css';

interface BlockerListProps {
  readonly boxId: string;
  readonly blockers: readonly Blocker[];
  readonly isBusy: boolean;
}

/** What stands between a box and its end, each with what shows it and what can be done. */
export function BlockerList({ boxId, blockers, isBusy }: BlockerListProps) {
  const [givenUp, setGivenUp] = useState<Blocker | null>(null);
  return (
    <>
      <ul className={styles['blockers']}>
        {blockers.map((blocker) => (
          <li key={blocker.id} data-open={blocker.accepted === null}>
            <Glyph tone={blocker.accepted === null ? 'danger' : 'ok'} />
            <div>
              <p className={styles['says']}>{textOf(blocker.says)}</p>
              {blocker.accepted !== null && (
                <p className={styles['note']}>Accepted: {textOf(blocker.accepted.because)}</p>
              )}
              {blocker.shows.length > 0 && (
                <details className={styles['shows']}>
                  <summary>Details</summary>
                  <ul>
                    {blocker.shows.map((line) => (
                      <li key={line} className="mono selectable">
                        {textOf(line)}
                      </li>
                    ))}
                  </ul>
                </details>
              )}
            </div>
            <div className={styles['actions']}>
              {blocker.entry !== null && (
                <a href={`#${blocker.entry}`} className={styles['why']}>
                  Why this matters
                </a>
              )}
              {blocker.accepted === null && blocker.loss !== null && (
                <Button
                  size="small"
                  look="quiet"
                  disabled={isBusy}
                  onClick={() => setGivenUp(blocker)}
                >
                  {blocker.kind === 'elsewhere' ? 'I have looked…' : 'Accept the loss…'}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {givenUp !== null && (
        <GiveUpDialog boxId={boxId} blocker={givenUp} onClose={() => setGivenUp(null)} />
      )}
    </>
  );
}

interface GiveUpDialogProps {
  readonly boxId: string;
  readonly blocker: Blocker;
  readonly onClose: () => void;
}

/** One loss at a time, with a reason in the person's own words. */
function GiveUpDialog({ boxId, blocker, onClose }: GiveUpDialogProps) {
  const [because, setBecause] = useState('');
  const { refusal, isBusy, ask } = useAsking();
  const isElsewhere = blocker.kind === 'elsewhere';
  const { id, loss } = blocker;
  const words = because.trim();
  return (
    <Dialog
      title={isElsewhere ? 'Nothing else is needed?' : 'Accept this loss?'}
      description={textOf(blocker.says)}
      onClose={onClose}
    >
      <Field
        label={isElsewhere ? 'What you have looked at' : 'Why it may be lost'}
        hint="Kept in the evidence, and printed on the receipt. It holds for exactly what is shown: whatever changes has to be accepted again."
        value={because}
        maxLength={400}
        onValue={setBecause}
        autoFocus
      />
      <Refusal problem={refusal} />
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look={isElsewhere ? 'primary' : 'danger'}
          disabled={words === '' || isBusy || loss === null}
          onClick={() =>
            loss !== null &&
            ask(call('teardown:accept', { boxId, id, loss, because: words }), onClose)
          }
        >
          {isElsewhere ? 'Nothing else is needed' : 'Accept the loss'}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
