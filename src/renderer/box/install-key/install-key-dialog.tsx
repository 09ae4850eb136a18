import { useEffect, useState } from 'react';
import type { InstalledKey, PublicKeyChoice } from '../../../shared/login/public-key.ts';
import type { Problem } from '../../../shared/problem.ts';
import { call } from '../../state/bridge.ts';
import { selectEntry, useFleet } from '../../state/feeds.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import styles from './install-key.module.css';

interface InstallKeyDialogProps {
  readonly boxId: string;
  readonly onClose: () => void;
}

type Stage =
  | { readonly kind: 'choosing'; readonly problem: Problem | null }
  | { readonly kind: 'working' }
  | { readonly kind: 'done'; readonly key: InstalledKey };

/** Installs one public key on the box. "Installed" is main's word, after it has logged in with that key. */
export function InstallKeyDialog({ boxId, onClose }: InstallKeyDialogProps) {
  const name = useFleet((feed) => selectEntry(boxId)(feed)?.box.name ?? 'the box');
  const choices = useChoices();
  const [chosen, setChosen] = useState<string | null>(null);
  const [stage, setStage] = useState<Stage>({ kind: 'choosing', problem: null });

  async function confirmed(): Promise<void> {
    setStage({ kind: 'working' });
    const installed = await call('key:install', { boxId, publicKeyFile: chosen });
    setStage(
      installed.ok
        ? { kind: 'done', key: installed.value }
        : { kind: 'choosing', problem: installed.error },
    );
  }

  return (
    <Dialog
      title={`Install a public key on ${name}`}
      description="Adds one line to ~/.ssh/authorized_keys on the box, over this connection, and then logs in again with that key to prove it."
      onClose={onClose}
    >
      <div className={styles['body']}>
        {stage.kind === 'done' ? (
          <Done boxName={name} installed={stage.key} />
        ) : (
          <Choices
            choices={choices}
            chosen={chosen}
            isDisabled={stage.kind === 'working'}
            onChoose={setChosen}
          />
        )}
        <div role="status">
          {stage.kind === 'working' && (
            <p className={styles['steps']}>
              <Glyph tone="wait" />
              Installing the key and logging in with it…
            </p>
          )}
        </div>
        {stage.kind === 'choosing' && stage.problem !== null && <Refusal problem={stage.problem} />}
      </div>
      <DialogFooter>
        {stage.kind === 'done' ? (
          <Button look="primary" autoFocus onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              look="primary"
              disabled={stage.kind === 'working' || choices === null}
              onClick={() => void confirmed()}
            >
              Install key
            </Button>
          </>
        )}
      </DialogFooter>
    </Dialog>
  );
}

/** Null while they are read. A folder that cannot be read still leaves the new pair to choose. */
function useChoices(): readonly PublicKeyChoice[] | null {
  const [choices, setChoices] = useState<readonly PublicKeyChoice[] | null>(null);
  useEffect(() => {
    void call('key:choices', {}).then((answer) => setChoices(answer.ok ? answer.value : []));
  }, []);
  return choices;
}

function Choices({
  choices,
  chosen,
  isDisabled,
  onChoose,
}: {
  readonly choices: readonly PublicKeyChoice[] | null;
  readonly chosen: string | null;
  readonly isDisabled: boolean;
  readonly onChoose: (file: string | null) => void;
}) {
  return (
    <fieldset className={styles['choices']} disabled={isDisabled} aria-busy={choices === null}>
      <legend>Which key</legend>
      <label className={styles['choice']}>
        <input
          type="radio"
          name="key"
          checked={chosen === null}
          autoFocus
          onChange={() => onChoose(null)}
        />
        <span>A key of Leasehold’s own</span>
        <small>
          <span className="mono">~/.ssh/leasehold_ed25519</span>, made now if it is not there:
          readable by you only, without a passphrase, the same for each box
        </small>
      </label>
      {(choices ?? []).map(({ file, type, comment, fingerprint }) => (
        <label key={file} className={styles['choice']}>
          <input
            type="radio"
            name="key"
            checked={chosen === file}
            onChange={() => onChoose(file)}
          />
          <span className="mono">{file}</span>
          <small>
            {type} · {fingerprint}
            {comment !== '' && ` · ${comment}`}
          </small>
        </label>
      ))}
    </fieldset>
  );
}

function Done({
  boxName,
  installed,
}: {
  readonly boxName: string;
  readonly installed: InstalledKey;
}) {
  const { keyFile, fingerprint, outcome } = installed;
  return (
    <div className={styles['done']} role="status">
      <Glyph tone="ok" />
      <p>
        {outcome === 'added' ? 'Installed. ' : 'The box had this key already. '}
        Leasehold has just logged in to {boxName} with <span className="mono">{keyFile}</span> (
        {fingerprint}) and will do so from now on.
      </p>
    </div>
  );
}
