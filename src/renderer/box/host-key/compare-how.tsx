import { CopyButton } from '../../ui/copy-button.tsx';
import { fingerprintCommand } from './fingerprint-command.ts';
import styles from './host-key.module.css';

/** Where the right fingerprint can be had without asking the machine that has to prove itself. */
export function CompareHow({ keyType }: { readonly keyType: string }) {
  const command = fingerprintCommand(keyType);
  return (
    <div>
      <p className={styles['lead']}>Compare it with one of these:</p>
      <ul className={styles['how']}>
        <li>the fingerprint that your platform’s page shows for this machine, if it shows one;</li>
        <li>
          what this prints in the platform’s own web terminal:
          <div className={styles['command']}>
            <code className="selectable">{command}</code>
            <CopyButton text={command} label="Copy" />
          </div>
        </li>
      </ul>
    </div>
  );
}
