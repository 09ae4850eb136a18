import { Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Problem } from '../../../shared/problem.ts';
import type { Result } from '../../../shared/result.ts';
import type {
  SecretOnBox,
  SecretsOnBox,
  SecretState,
} from '../../../shared/secrets/secret-on-box.ts';
import { call } from '../../state/bridge.ts';
import { overlayOpened } from '../../state/view.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { formatBytes, formatDate } from '../../ui/format.ts';
import { Glyph, type Tone } from '../../ui/glyph.tsx';
import { ProblemNote, Refusal } from '../../ui/problem-note.tsx';
import styles from './facts-tab.module.css';

interface SentSecretsProps {
  readonly boxId: string;
  /** The box is asked again when it changes: it may be reached now, or not any more. */
  readonly linkKind: string;
}

type Looked =
  | { readonly kind: 'looking' }
  | { readonly kind: 'seen'; readonly found: SecretsOnBox }
  | { readonly kind: 'failed'; readonly problem: Problem };

const toLooked = (answer: Result<SecretsOnBox, Problem>): Looked =>
  answer.ok ? { kind: 'seen', found: answer.value } : { kind: 'failed', problem: answer.error };

/** Which secrets Leasehold wrote to the box, whether their files are there still, and the way to remove them. */
export function SentSecrets({ boxId, linkKind }: SentSecretsProps) {
  const [looked, setLooked] = useState<Looked>({ kind: 'looking' });
  const [isLooking, setIsLooking] = useState(true);
  const [leaving, setLeaving] = useState<SecretOnBox | null>(null);
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    let isShown = true;
    void call('secret:on-box', { boxId }).then((answer) => {
      if (!isShown) return;
      setLooked(toLooked(answer));
      setIsLooking(false);
    });
    return () => {
      isShown = false;
    };
  }, [boxId, linkKind, asked]);

  function lookAgain(): void {
    setIsLooking(true);
    setAsked(asked + 1);
  }

  if (looked.kind === 'looking') return <p className={styles['muted']}>Checking…</p>;
  if (looked.kind === 'failed') return <ProblemNote problem={looked.problem} />;
  const { secrets, problems, lookedAtMs } = looked.found;
  return (
    <>
      {problems.map((problem, index) => (
        <ProblemNote key={index} problem={problem} />
      ))}
      {secrets.length === 0 && problems.length === 0 && (
        <p className={styles['muted']}>
          None from here. Leasehold notes name, file and time of each, never the secret itself.
        </p>
      )}
      {secrets.length > 0 && <SecretTable secrets={secrets} onRemove={setLeaving} />}
      <div className={styles['foot']}>
        {secrets.length > 0 && (
          <span className={styles['muted']} role="status">
            {isLooking && 'Checking…'}
            {!isLooking && lookedAtMs === null && 'Not looked at'}
            {!isLooking && lookedAtMs !== null && (
              <>
                Checked <Age atMs={lookedAtMs} />
              </>
            )}
          </span>
        )}
        {secrets.length > 0 && (
          <Button size="small" disabled={isLooking} onClick={lookAgain}>
            Check again
          </Button>
        )}
        <Button size="small" onClick={() => overlayOpened({ kind: 'send-secret', boxId })}>
          Send a secret…
        </Button>
      </div>
      {leaving !== null && (
        <RemoveDialog
          boxId={boxId}
          secret={leaving}
          onRemoved={(found) => {
            setLooked({ kind: 'seen', found });
            setLeaving(null);
          }}
          onClose={() => setLeaving(null)}
        />
      )}
    </>
  );
}

const STATES: Readonly<
  Record<SecretState, { readonly tone: Tone; readonly word: string; readonly hint: string }>
> = {
  present: { tone: 'ok', word: 'There', hint: 'Readable by its owner only, and as long as sent.' },
  gone: { tone: 'off', word: 'Gone', hint: 'There is no such file on the box any more.' },
  'opened-up': {
    tone: 'danger',
    word: 'Others may read it',
    hint: 'Its rights are no longer those of its owner alone (0600).',
  },
  changed: {
    tone: 'warn',
    word: 'Changed',
    hint: 'There is something else now: of another size, another user’s, or no ordinary file.',
  },
  unknown: { tone: 'unknown', word: 'Unknown', hint: 'The box was not asked, or did not say.' },
};

function SecretTable({
  secrets,
  onRemove,
}: {
  readonly secrets: readonly SecretOnBox[];
  readonly onRemove: (secret: SecretOnBox) => void;
}) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Secret</th>
          <th scope="col">File on the box</th>
          <th scope="col" className={styles['number']}>
            Size
          </th>
          <th scope="col">Sent</th>
          <th scope="col">Now</th>
          <th scope="col">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {secrets.map((secret) => {
          const { tone, word, hint } = STATES[secret.state];
          return (
            <tr key={secret.path}>
              <th scope="row" className="mono">
                {secret.name}
              </th>
              <td className={`${styles['path']} mono selectable`}>{secret.path}</td>
              <td className={styles['number']}>{formatBytes(secret.bytes)}</td>
              <td className={styles['date']}>{formatDate(secret.sentAtMs)}</td>
              <td title={hint} className={styles['date']}>
                <Glyph tone={tone} /> {word}
              </td>
              <td>
                <Button
                  look="quiet"
                  size="small"
                  isIcon
                  aria-label={`Remove ${secret.name} from the box`}
                  title={secret.state === 'gone' ? 'Take it off this list' : 'Remove from box…'}
                  onClick={() => onRemove(secret)}
                >
                  <Trash2 size={15} aria-hidden />
                </Button>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface RemoveDialogProps {
  readonly boxId: string;
  readonly secret: SecretOnBox;
  readonly onRemoved: (found: SecretsOnBox) => void;
  readonly onClose: () => void;
}

function RemoveDialog({ boxId, secret, onRemoved, onClose }: RemoveDialogProps) {
  const [refusal, setRefusal] = useState<Problem | null>(null);
  async function confirmed(): Promise<void> {
    const removed = await call('secret:remove-from-box', { boxId, path: secret.path });
    if (removed.ok) onRemoved(removed.value);
    else setRefusal(removed.error);
  }
  const what =
    secret.state === 'changed'
      ? 'The file is not as it was sent: what is in it now is lost.'
      : 'Programs that read it there stop finding it.';
  return (
    <ConfirmDialog
      title={`Remove ${secret.name} from the box?`}
      description={`Removes the file ${secret.path} and looks whether it is gone. ${what} A token that somebody may have read is only safe when you revoke it where it was issued.`}
      cancel="Cancel"
      confirm="Remove from box"
      onConfirm={() => void confirmed()}
      onClose={onClose}
    >
      <Refusal problem={refusal} tone="danger" />
    </ConfirmDialog>
  );
}
