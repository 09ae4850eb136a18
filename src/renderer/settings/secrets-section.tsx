import { useCallback, useEffect, useState } from 'react';
import type { AppInfo } from '../../shared/ipc/contract.ts';
import type { StoredSecret } from '../../shared/login/public-key.ts';
import type { Problem } from '../../shared/problem.ts';
import { call } from '../state/bridge.ts';
import { selectAllEntries, useFleet } from '../state/feeds.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Refusal } from '../ui/problem-note.tsx';
import { secretWords } from './secret-words.ts';
import { SettingLine } from './settings-group.tsx';
import styles from './settings-page.module.css';

/** What is kept, by name; never what it is. */
export function SecretsSection({ keyring }: Pick<AppInfo, 'keyring'>) {
  const [isAsking, setIsAsking] = useState(false);
  const [isForgotten, setIsForgotten] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { secrets, reload } = useStoredSecrets();

  async function forgetAll(): Promise<void> {
    const answer = await call('secret:forget-all', {});
    setProblem(answer.ok ? null : answer.error);
    setIsForgotten(answer.ok);
    if (answer.ok) setIsAsking(false);
    reload();
  }

  async function forget(name: string): Promise<void> {
    const answer = await call('secret:forget', { name });
    setProblem(answer.ok ? null : answer.error);
    reload();
  }

  const kept = keyring.isKept
    ? 'Kept encrypted with the key in this system’s keyring.'
    : `Kept only until you quit: ${keyring.because}.`;
  return (
    <>
      <SettingLine
        label="Passwords and passphrases"
        hint={
          <span role="status">
            {isForgotten && secrets.length === 0 ? 'All stored secrets are forgotten.' : kept}
          </span>
        }
      >
        <Button look="danger" onClick={() => setIsAsking(true)}>
          Forget all stored secrets…
        </Button>
      </SettingLine>
      <SecretList secrets={secrets} onForget={(name) => void forget(name)} />
      {problem !== null && !isAsking && <Refusal problem={problem} />}
      {isAsking && (
        <ConfirmDialog
          title="Forget all stored secrets?"
          description="Leasehold asks for each of them again when it needs it. Your key files and your SSH agent are not touched."
          cancel="Cancel"
          confirm="Forget all"
          onConfirm={() => void forgetAll()}
          onClose={() => setIsAsking(false)}
        >
          <Refusal problem={problem} />
        </ConfirmDialog>
      )}
    </>
  );
}

function SecretList({
  secrets,
  onForget,
}: {
  readonly secrets: readonly StoredSecret[];
  readonly onForget: (name: string) => void;
}) {
  const boxes = useFleet(selectAllEntries).map(({ box }) => box);
  if (secrets.length === 0) return null;
  return (
    <ul className={styles['secrets']} aria-label="Stored secrets">
      {secrets.map(({ name, isKept }) => {
        const words = secretWords(name, boxes);
        return (
          <li key={name} className={styles['line']}>
            <span>
              {words}
              {!isKept && <span className={styles['hint']}> · until you quit</span>}
            </span>
            <Button size="small" aria-label={`Forget: ${words}`} onClick={() => onForget(name)}>
              Forget
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

const NO_SECRETS: readonly StoredSecret[] = [];

/** Read when the page opens and after each change made here; the list is short and changes by hand only. */
function useStoredSecrets() {
  const [secrets, setSecrets] = useState(NO_SECRETS);
  const reload = useCallback(() => {
    void call('secret:list', {}).then((answer) => {
      if (answer.ok) setSecrets(answer.value);
    });
  }, []);
  useEffect(reload, [reload]);
  return { secrets, reload };
}
