import { useId } from 'react';
import type { Box, HostKey } from '../../../shared/boxes/box.ts';
import { disconnectRequested, hostKeyTrusted } from '../../state/actions.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { fingerprintCommand } from './fingerprint-command.ts';
import styles from './host-key.module.css';

interface HostKeyUnknownProps {
  readonly box: Box;
  readonly offered: HostKey;
}

/** First contact: the person compares, and until then nothing is sent. The safe button has the focus. */
export function HostKeyUnknown({ box, offered }: HostKeyUnknownProps) {
  const titleId = useId();
  const command = fingerprintCommand(offered.type);
  const { host, port } = box.address;
  return (
    <section className={styles['screen']} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <Glyph tone="warn" />
        <h2 id={titleId} className={styles['title']}>
          Is this really {box.name}?
        </h2>
      </div>
      <p className={styles['lead']}>
        Leasehold has not met this machine before. No user name, key or command has been sent to it.
        If the fingerprint is not the one of your box, someone else is answering in its place.
      </p>
      <dl className={styles['keys']}>
        <dt>Fingerprint</dt>
        <dd className={`${styles['fingerprint']} mono selectable`}>{offered.fingerprint}</dd>
        <dt>Key type</dt>
        <dd className="mono">{offered.type}</dd>
        <dt>Answered at</dt>
        <dd className="mono selectable">
          {host}, port {port}
        </dd>
      </dl>
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
      <div className={styles['actions']}>
        <Button autoFocus onClick={() => disconnectRequested(box.id)}>
          Do not connect
        </Button>
        <Button onClick={() => hostKeyTrusted(box.id, offered.fingerprint)}>
          The fingerprint matches: trust this box
        </Button>
      </div>
    </section>
  );
}
