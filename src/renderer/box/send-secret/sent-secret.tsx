import { secretLine, type SendSecretOutcome } from '../../../shared/secrets/sent-secret.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DialogFooter } from '../../ui/dialog.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { pathOf, type SecretValues } from './secret-values.ts';
import styles from './send-secret.module.css';

interface SentSecretProps {
  readonly values: SecretValues;
  readonly sent: Extract<SendSecretOutcome, { kind: 'sent' }>;
  readonly onClose: () => void;
}

/** What was read back, and the one line that uses it. */
export function SentSecret({ values, sent, onClose }: SentSecretProps) {
  const path = pathOf(values);
  const line = secretLine(values.name, path);
  return (
    <div className={styles['form']}>
      <div className={styles['done']} role="status">
        <Glyph tone="ok" />
        <p>
          Written to <span className="mono">{path}</span> and read back: readable and writable by
          you only (0600), {sent.bytes} {sent.bytes === 1 ? 'byte' : 'bytes'}, SHA-256 the same as
          sent.
          {sent.filesystem === null && ' Which kind of disk it lies on, the box does not say.'}
        </p>
      </div>
      <div>
        <p className={styles['muted']}>In a shell or a script on the box, this line uses it:</p>
        <p className={styles['line']}>
          <code className="selectable">{line}</code>
          <CopyButton text={line} label="Copy line" />
        </p>
      </div>
      <DialogFooter>
        <Button look="primary" autoFocus onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </div>
  );
}
