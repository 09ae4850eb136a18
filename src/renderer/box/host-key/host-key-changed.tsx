import { useId } from 'react';
import type { Box, LinkQuestion } from '../../../shared/boxes/box.ts';
import type { ExpectedKey } from '../../../shared/boxes/host-key.ts';
import { disconnectRequested } from '../../state/actions.ts';
import { overlayOpened } from '../../state/view.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatDate } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { bothFingerprints } from './both-fingerprints.ts';
import styles from './host-key.module.css';
import { placeWords } from './trust-words.ts';

interface HostKeyChangedProps {
  readonly box: Box;
  readonly link: Extract<LinkQuestion, { kind: 'host-key-changed' }>;
}

/** A known box with another key. Nothing here accepts it; a machine that was re-created gets a new identity on purpose. */
export function HostKeyChanged({ box, link }: HostKeyChangedProps) {
  const titleId = useId();
  const { offered, expected, offeredPlace, jumpHost } = link;
  const what = jumpHost === null ? 'box' : 'jump host';
  return (
    <section className={styles['screen']} aria-labelledby={titleId} role="alert">
      <div className={styles['alarm']}>
        <Glyph tone="danger" />
        <h2 id={titleId} className={styles['title']}>
          The host key of {box.name} has changed
        </h2>
        <p>
          Another machine answers at this address, or someone is between you and it. Leasehold has
          stopped before logging in, sends nothing and does not try again.
        </p>
      </div>
      <dl className={styles['keys']}>
        <dt>Trusted</dt>
        <dd>
          <span className={`${styles['fingerprint']} mono selectable`}>{expected.fingerprint}</span>
          <small>
            {expected.type}, {sinceWords(expected)}
          </small>
        </dd>
        <dt>Offered now</dt>
        <dd>
          <span className={`${styles['fingerprint']} mono selectable`}>{offered.fingerprint}</span>
          <small>
            {offered.type}
            {offeredPlace !== null && `, which is in your ${placeWords(offeredPlace)}`}
          </small>
        </dd>
      </dl>
      <p className={styles['lead']}>
        If you did <strong>not</strong> re-create this {what}, do not connect, and ask{' '}
        {jumpHost === null ? 'your platform' : 'whoever runs it'} what answers at this address.
      </p>
      <p className={styles['lead']}>
        A machine that was re-created has a new key. If you re-created this one, give the {what} a
        new identity: you will be asked to check the new key first.
      </p>
      <div className={styles['actions']}>
        <Button autoFocus onClick={() => disconnectRequested(box.id)}>
          Do not connect
        </Button>
        <CopyButton text={bothFingerprints(link)} label="Copy both fingerprints" />
        <Button look="quiet" onClick={() => overlayOpened({ kind: 'new-machine', boxId: box.id })}>
          This is a new machine…
        </Button>
      </div>
    </section>
  );
}

function sinceWords({ storedAtMs, lastSeenMs, place }: ExpectedKey): string {
  if (place !== null) return `from your ${placeWords(place)}`;
  if (storedAtMs === null) return 'when this connection began';
  const seen = lastSeenMs === null ? 'not seen since' : `last seen ${formatDate(lastSeenMs)}`;
  return `trusted ${formatDate(storedAtMs)}, ${seen}`;
}
