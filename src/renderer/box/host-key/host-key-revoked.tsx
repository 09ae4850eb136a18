import { useId } from 'react';
import type { Box } from '../../../shared/boxes/box.ts';
import type { HostKeyQuestion } from '../../../shared/boxes/host-key.ts';
import { connectRequested, disconnectRequested } from '../../state/actions.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import styles from './host-key.module.css';
import { placeWords } from './trust-words.ts';

interface HostKeyRevokedProps {
  readonly box: Box;
  readonly link: Extract<HostKeyQuestion, { kind: 'host-key-revoked' }>;
}

/** Someone wrote into known_hosts that this key must never be trusted again. Only that line can take it back. */
export function HostKeyRevoked({ box, link }: HostKeyRevokedProps) {
  const titleId = useId();
  const { offered, place } = link;
  return (
    <section className={styles['screen']} aria-labelledby={titleId} role="alert">
      <div className={styles['alarm']}>
        <Glyph tone="danger" />
        <h2 id={titleId} className={styles['title']}>
          The host key of {box.name} is revoked
        </h2>
        <p>
          Your {placeWords(place)}, marks this key as <code>@revoked</code>: it was stolen or taken
          out of use, and whoever answers with it is not to be trusted. Leasehold has stopped before
          logging in and sends nothing.
        </p>
      </div>
      <dl className={styles['keys']}>
        <dt>Revoked key</dt>
        <dd>
          <span className={`${styles['fingerprint']} mono selectable`}>{offered.fingerprint}</span>
          <small>{offered.type}</small>
        </dd>
        <dt>Revoked in</dt>
        <dd className="mono selectable">{placeWords(place)}</dd>
      </dl>
      <p className={styles['lead']}>
        Ask whoever revoked it. If the machine gets a new key, compare that one as at first contact.
        Nothing in Leasehold overrules a revoked key; only the line itself can be taken back.
      </p>
      <div className={styles['actions']}>
        <Button autoFocus onClick={() => disconnectRequested(box.id)}>
          Do not connect
        </Button>
        <Button onClick={() => connectRequested(box.id)}>Check again</Button>
        <CopyButton text={offered.fingerprint} label="Copy fingerprint" />
      </div>
    </section>
  );
}
