import { useState } from 'react';
import { WAY_FORWARD } from '../../../shared/teardown/blocker-words.ts';
import type { Blocker, BlockerKind } from '../../../shared/teardown/inspection.ts';
import { textOf } from '../../../shared/runs/launch/run-words.ts';
import { connectRequested } from '../../state/actions.ts';
import { call } from '../../state/bridge.ts';
import { settingsChosen, sweepsChosen, tabChosen } from '../../state/view.ts';
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
              {blocker.accepted === null && (
                <p className={styles['note']}>{WAY_FORWARD[blocker.kind]}</p>
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
              {blocker.accepted === null && <WayForward boxId={boxId} blocker={blocker} />}
              {blocker.accepted === null && blocker.loss !== null && (
                <Button
                  size="small"
                  look="quiet"
                  disabled={isBusy}
                  onClick={() => setGivenUp(blocker)}
                >
                  {ASKS[blocker.kind]?.button ?? LOSS.button}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {givenUp !== null && (
        <GiveUpDialog {...{ boxId, isBusy }} blocker={givenUp} onClose={() => setGivenUp(null)} />
      )}
    </>
  );
}

/** Where in the window the person goes on, for what is not done on this very page. */
function WayForward({ boxId, blocker }: { readonly boxId: string; readonly blocker: Blocker }) {
  switch (blocker.kind) {
    case 'run-alive':
    case 'run-unreadable':
    case 'run-unplaced':
    case 'queue-waiting':
    case 'link-out':
    case 'damaged':
      return <Go onClick={() => tabChosen(boxId, 'runs')}>Runs</Go>;
    case 'sweep-open':
      return (
        <Go onClick={() => sweepsChosen(blocker.id.replace(/^sweep-(open|away):/, ''))}>Sweep</Go>
      );
    case 'run-missing':
    case 'process-alive':
    case 'tracker-log':
      return <Go onClick={() => tabChosen(boxId, 'terminal')}>Terminal</Go>;
    case 'processes-unknown':
      return <Go onClick={() => tabChosen(boxId, 'alerts')}>Alerts</Go>;
    case 'elsewhere':
    case 'tier-goes':
      return <Go onClick={() => tabChosen(boxId, 'files')}>Files</Go>;
    case 'proof-below':
      return <Go onClick={() => settingsChosen('settings')}>Settings</Go>;
    case 'not-looked':
      return <Go onClick={() => connectRequested(boxId)}>Connect</Go>;
    default:
      return null;
  }
}

function Go({ onClick, children }: { readonly onClick: () => void; readonly children: string }) {
  return (
    <Button size="small" onClick={onClick}>
      {children}
    </Button>
  );
}

interface AskWords {
  readonly button: string;
  readonly title: string;
  readonly label: string;
  readonly confirm: string;
}

const LOSS: AskWords = {
  button: 'Accept the loss…',
  title: 'Accept this loss?',
  label: 'Why it may be lost',
  confirm: 'Accept the loss',
};

/** What is no loss is not called one. */
const ASKS: Readonly<Partial<Record<BlockerKind, AskWords>>> = {
  elsewhere: {
    button: 'I have looked…',
    title: 'Nothing else is needed?',
    label: 'What you have looked at',
    confirm: 'Nothing else is needed',
  },
  'processes-unknown': {
    button: 'I have looked…',
    title: 'Nothing else runs on it?',
    label: 'How you know that nothing else runs',
    confirm: 'Nothing else runs',
  },
  'bills-on': {
    button: 'I know about it…',
    title: 'Go on paying for this?',
    label: 'Which of these exist, and what happens to them',
    confirm: 'I know about it',
  },
  'tracker-log': {
    button: 'Leave as it is…',
    title: 'Leave this without uploading it?',
    label: 'Why it need not be uploaded',
    confirm: 'Leave as it is',
  },
  'ordered-elsewhere': {
    button: 'I know what came of it…',
    title: 'Set that other request aside?',
    label: 'What came of it, and how you know',
    confirm: 'I know what came of it',
  },
  'sweep-open': {
    button: 'Leave as it is…',
    title: 'Leave the sweep as it is?',
    label: 'Why it can stay as it is',
    confirm: 'Leave as it is',
  },
};

interface GiveUpDialogProps {
  readonly boxId: string;
  /** The box is looked at meanwhile, and what was shown may change. */
  readonly isBusy: boolean;
  readonly blocker: Blocker;
  readonly onClose: () => void;
}

/** One loss at a time, with a reason in the person's own words. */
function GiveUpDialog({ boxId, isBusy, blocker, onClose }: GiveUpDialogProps) {
  const [because, setBecause] = useState('');
  const { refusal, isBusy: isAsking, ask } = useAsking();
  const { id, kind, loss } = blocker;
  const asks = ASKS[kind] ?? LOSS;
  const words = because.trim();
  return (
    <Dialog title={asks.title} description={textOf(blocker.says)} onClose={onClose}>
      <Field
        label={asks.label}
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
          look={asks === LOSS ? 'danger' : 'primary'}
          disabled={words === '' || isBusy || isAsking || loss === null}
          onClick={() =>
            loss !== null &&
            ask(call('teardown:accept', { boxId, id, loss, because: words }), onClose)
          }
        >
          {asks.confirm}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
