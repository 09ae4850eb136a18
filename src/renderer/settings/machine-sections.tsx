import { useState, type Ref } from 'react';
import type { AppInfo } from '../../shared/ipc/contract.ts';
import type { Problem } from '../../shared/problem.ts';
import { BrandMark } from '../app/brand-mark.tsx';
import { logRequested } from '../state/actions.ts';
import { call } from '../state/bridge.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Glyph } from '../ui/glyph.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { SettingLine, SettingsGroup } from './settings-group.tsx';
import styles from './settings-page.module.css';

/** What lies on this machine: secrets and files. */
export function MachineSections({ info }: { readonly info: AppInfo }) {
  return (
    <>
      <SettingsGroup title="Secrets">
        <SecretsLine keyring={info.keyring} />
      </SettingsGroup>
      <SettingsGroup title="Files">
        <SettingLine
          label="Data folder"
          hint={<span className="mono selectable">{info.dataFolder}</span>}
        />
        <SettingLine label="Log" hint={<span className="mono selectable">{info.logFile}</span>}>
          <Button onClick={logRequested}>Show log</Button>
        </SettingLine>
      </SettingsGroup>
    </>
  );
}

function SecretsLine({ keyring }: Pick<AppInfo, 'keyring'>) {
  const [isAsking, setIsAsking] = useState(false);
  const [outcome, setOutcome] = useState<'forgotten' | Problem | null>(null);

  async function confirmed(): Promise<void> {
    const answer = await call('secret:forget-all', {});
    setOutcome(answer.ok ? 'forgotten' : answer.error);
    if (answer.ok) setIsAsking(false);
  }

  const kept = keyring.isKept
    ? 'Kept encrypted with the key in this system’s keyring.'
    : `Kept only until you quit: ${keyring.because}.`;
  const hint = outcome === 'forgotten' ? 'All stored secrets are forgotten.' : kept;
  return (
    <>
      <SettingLine label="Passwords and passphrases" hint={<span role="status">{hint}</span>}>
        <Button look="danger" onClick={() => setIsAsking(true)}>
          Forget all stored secrets…
        </Button>
      </SettingLine>
      {isAsking && (
        <ConfirmDialog
          title="Forget all stored secrets?"
          description="Leasehold asks for each of them again when it needs it. Your key files and your SSH agent are not touched."
          cancel="Keep them"
          confirm="Forget all"
          onConfirm={() => void confirmed()}
          onClose={() => setIsAsking(false)}
        >
          {outcome !== null && outcome !== 'forgotten' && (
            <div role="alert">
              <ProblemNote problem={outcome} />
            </div>
          )}
        </ConfirmDialog>
      )}
    </>
  );
}

export function AboutSection({
  info,
  ref,
}: {
  readonly info: AppInfo;
  readonly ref: Ref<HTMLElement>;
}) {
  return (
    <SettingsGroup title="About" ref={ref}>
      <div className={styles['about']}>
        <BrandMark size={36} />
        <p>
          <strong>Leasehold {info.version}</strong>
          <span className={styles['hint']}>Desktop cockpit for rented GPU machines.</span>
        </p>
      </div>
      {info.isFallbackRuntime && (
        <div className={styles['warning']}>
          <Glyph tone="warn" />
          <p>
            This runs on an old replacement for Electron’s official runtime, without its security
            fixes. It is meant for development and tests only.
          </p>
        </div>
      )}
      <dl className={styles['versions']}>
        <dt>Electron</dt>
        <dd>{info.electron}</dd>
        <dt>Chrome</dt>
        <dd>{info.chrome}</dd>
        <dt>Node</dt>
        <dd>{info.node}</dd>
        <dt>System</dt>
        <dd>{info.platform}</dd>
        <dt>License</dt>
        <dd>MIT</dd>
      </dl>
    </SettingsGroup>
  );
}
