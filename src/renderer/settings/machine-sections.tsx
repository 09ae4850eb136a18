import type { AppInfo } from '../../shared/ipc/contract.ts';
import { BrandMark } from '../app/brand-mark.tsx';
import { logRequested } from '../state/actions.ts';
import { Button } from '../ui/button.tsx';
import { Glyph } from '../ui/glyph.tsx';
import { SecretsSection } from './secrets-section.tsx';
import { SettingLine, SettingsGroup } from './settings-group.tsx';
import styles from './settings-page.module.css';

/** What lies on this machine: secrets and files. */
export function MachineSections({ info }: { readonly info: AppInfo }) {
  return (
    <>
      <SettingsGroup title="Secrets">
        <SecretsSection keyring={info.keyring} />
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

export function AboutSection({ info }: { readonly info: AppInfo }) {
  return (
    <SettingsGroup title="About">
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
