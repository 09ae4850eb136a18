import { useEffect, useState, type SyntheticEvent } from 'react';
import type { Problem } from '../../../shared/problem.ts';
import type { SecretConsent, SendSecretOutcome } from '../../../shared/secrets/sent-secret.ts';
import { call } from '../../state/bridge.ts';
import { selectEntry, useFleet } from '../../state/feeds.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { EMPTY_SECRET, isReady, pathOf, toRequest, type SecretValues } from './secret-values.ts';
import { SecretFields } from './secret-fields.tsx';
import { SentSecret } from './sent-secret.tsx';
import styles from './send-secret.module.css';

interface SendSecretDialogProps {
  readonly boxId: string;
  readonly onClose: () => void;
}

type Asks = Extract<SendSecretOutcome, { kind: 'asks' }>;
type Sent = Extract<SendSecretOutcome, { kind: 'sent' }>;

type Stage =
  | { readonly kind: 'filling'; readonly problem: Problem | null }
  | { readonly kind: 'working' }
  | { readonly kind: 'asking'; readonly asks: Asks }
  | { readonly kind: 'done'; readonly sent: Sent };

/** Writes a secret into a file on the box. "Written" is main's word, after it was read back. */
export function SendSecretDialog({ boxId, onClose }: SendSecretDialogProps) {
  const name = useFleet((feed) => selectEntry(boxId)(feed)?.box.name ?? 'the box');
  const [values, setValues] = useState<SecretValues>(EMPTY_SECRET);
  const [stage, setStage] = useState<Stage>({ kind: 'filling', problem: null });
  const isWorking = stage.kind === 'working';
  // A dialog that goes, however it goes, takes what it began with it.
  useEffect(() => {
    if (!isWorking) return undefined;
    return () => void call('secret:stop-sending', { boxId });
  }, [isWorking, boxId]);

  async function send(consents: readonly SecretConsent[]): Promise<void> {
    setStage({ kind: 'working' });
    const answer = await call('secret:send', { boxId, ...toRequest(values, consents) });
    if (!answer.ok) setStage({ kind: 'filling', problem: answer.error });
    else if (answer.value.kind === 'asks') setStage({ kind: 'asking', asks: answer.value });
    else {
      setValues({ ...values, secret: '' });
      setStage({ kind: 'done', sent: answer.value });
    }
  }

  function submitted(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (isReady(values)) void send([]);
  }

  return (
    <Dialog
      title={`Send a secret to ${name}`}
      description="Writes it into a file that only your user on the box can read. It goes over the encrypted connection straight into that file: into no command, no log and no environment."
      onClose={onClose}
    >
      {stage.kind === 'done' && <SentSecret values={values} sent={stage.sent} onClose={onClose} />}
      {stage.kind === 'asking' && (
        <Consent
          asks={stage.asks}
          path={pathOf(values)}
          onBack={() => setStage({ kind: 'filling', problem: null })}
          onConsent={(consents) => void send(consents)}
        />
      )}
      {(stage.kind === 'filling' || stage.kind === 'working') && (
        <form className={styles['form']} noValidate onSubmit={submitted}>
          <SecretFields values={values} isDisabled={isWorking} onChange={setValues} />
          <div role="status">
            {isWorking && (
              <p className={styles['steps']}>
                <Glyph tone="wait" />
                Writing it and reading it back…
              </p>
            )}
          </div>
          {stage.kind === 'filling' && stage.problem !== null && (
            <Refusal problem={stage.problem} />
          )}
          <DialogFooter>
            <Button
              onClick={() => (isWorking ? void call('secret:stop-sending', { boxId }) : onClose())}
            >
              {isWorking ? 'Stop' : 'Cancel'}
            </Button>
            <Button type="submit" look="primary" disabled={isWorking || !isReady(values)}>
              Send secret
            </Button>
          </DialogFooter>
        </form>
      )}
    </Dialog>
  );
}

interface ConsentProps {
  readonly asks: Asks;
  readonly path: string;
  readonly onBack: () => void;
  readonly onConsent: (consents: readonly SecretConsent[]) => void;
}

/** Asked before anything was changed. The safe button has the focus. */
function Consent({ asks: { exists, sharedFilesystem }, path, onBack, onConsent }: ConsentProps) {
  const consents: readonly SecretConsent[] = [
    ...(exists ? (['replace'] as const) : []),
    ...(sharedFilesystem === null ? [] : (['shared'] as const)),
  ];
  return (
    <div className={styles['form']}>
      <div role="alert" className={styles['asks']}>
        {exists && (
          <p>
            <Glyph tone="warn" />
            <span>
              There is a file at <span className="mono">{path}</span> already. What is in it would
              be lost.
            </span>
          </p>
        )}
        {sharedFilesystem !== null && (
          <p>
            <Glyph tone="warn" />
            <span>
              <span className="mono">{path}</span> would lie on <b>{sharedFilesystem}</b>, a
              filesystem that other machines can mount and that may outlive this box. A secret
              belongs on the box’s own disk.
            </span>
          </p>
        )}
      </div>
      <p className={styles['muted']}>Nothing was changed on the box so far.</p>
      <DialogFooter>
        <Button autoFocus onClick={onBack}>
          Choose another place
        </Button>
        <Button look="danger" onClick={() => onConsent(consents)}>
          {sharedFilesystem === null ? 'Replace the file' : 'Write it there all the same'}
        </Button>
      </DialogFooter>
    </div>
  );
}
