import { useId } from 'react';
import type { Box, LinkState } from '../../../shared/boxes/box.ts';
import { disconnectRequested } from '../../state/actions.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatDate } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import styles from './host-key.module.css';

interface HostKeyChangedProps {
  readonly box: Box;
  readonly link: Extract<LinkState, { kind: 'host-key-changed' }>;
}

/** A known box with another key. There is no button to accept it: who expects the change starts over on purpose. */
export function HostKeyChanged({ box, link }: HostKeyChangedProps) {
  const titleId = useId();
  const { offered, stored, storedAtMs } = link;
  const both = `stored ${stored.type} ${stored.fingerprint}\noffered ${offered.type} ${offered.fingerprint}`;
  return (
    <section className={styles['screen']} aria-labelledby={titleId} role="alert">
      <div className={styles['alarm']}>
        <Glyph tone="danger" />
        <h2 id={titleId} className={styles['title']}>
          The host key of {box.name} has changed
        </h2>
        <p>
          Another machine answers at this address, or someone is between you and it. Leasehold has
          stopped before logging in and sends nothing.
        </p>
      </div>
      <dl className={styles['keys']}>
        <dt>Trusted</dt>
        <dd>
          <span className={`${styles['fingerprint']} mono selectable`}>{stored.fingerprint}</span>
          <small>
            {stored.type}, since {formatDate(storedAtMs)}
          </small>
        </dd>
        <dt>Offered now</dt>
        <dd>
          <span className={`${styles['fingerprint']} mono selectable`}>{offered.fingerprint}</span>
          <small>{offered.type}</small>
        </dd>
      </dl>
      <p className={styles['lead']}>
        A machine that was re-created shows a new key at the same address. If you did not re-create
        this box, do not connect, and ask your platform.
      </p>
      <p className={styles['lead']}>
        If you did re-create it,{' '}
        {link.jumpHost === null
          ? 'forget this box (More actions) and add it again'
          : 'forget the boxes behind it (More actions) and add them again'}
        : Leasehold then shows the new fingerprint for you to compare.
      </p>
      <div className={styles['actions']}>
        <Button autoFocus onClick={() => disconnectRequested(box.id)}>
          Do not connect
        </Button>
        <CopyButton text={both} label="Copy both fingerprints" />
      </div>
    </section>
  );
}
