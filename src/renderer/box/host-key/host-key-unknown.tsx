import { useId, useState } from 'react';
import type { Box, LinkQuestion } from '../../../shared/boxes/box.ts';
import { compareExpected } from '../../../shared/boxes/known-hosts/compare-expected.ts';
import type { Problem } from '../../../shared/problem.ts';
import { disconnectRequested } from '../../state/actions.ts';
import { call } from '../../state/bridge.ts';
import { Button } from '../../ui/button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { ProblemNote, Refusal } from '../../ui/problem-note.tsx';
import { CompareField } from './compare-field.tsx';
import { CompareHow } from './compare-how.tsx';
import styles from './host-key.module.css';

interface HostKeyUnknownProps {
  readonly box: Box;
  readonly link: Extract<LinkQuestion, { kind: 'host-key-unknown' }>;
}

/**
 * First contact: the person compares, and until then nothing is sent. The safe button has the focus, and there is no
 * form: no Enter accepts anything.
 */
export function HostKeyUnknown({ box, link }: HostKeyUnknownProps) {
  const titleId = useId();
  const { offered, notes, mustCompare, jumpHost } = link;
  const what = jumpHost === null ? 'box' : 'jump host';
  const { host, port } = box.address;
  const { hostKeyAlias } = box.options;
  const [expected, setExpected] = useState('');
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const compared = compareExpected(expected, offered);
  const isAllowed = mustCompare
    ? compared === 'same'
    : compared === 'empty' || compared === 'same' || compared === 'same-md5';

  async function trusted(): Promise<void> {
    const input = { boxId: box.id, fingerprint: offered.fingerprint, expected };
    const answer = await call('link:trust-host-key', input);
    if (!answer.ok) setRefusal(answer.error);
  }

  return (
    <section className={styles['screen']} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <Glyph tone="warn" />
        <h2 id={titleId} className={styles['title']}>
          Is this really {box.name}?
        </h2>
      </div>
      <p className={styles['lead']}>
        First connection to this machine. No user name, key or command has been sent to it. If the
        fingerprint differs from your {what}’s, someone may be impersonating it.
      </p>
      {notes.map((note) => (
        <ProblemNote key={note.message} problem={note} />
      ))}
      <dl className={styles['keys']}>
        <dt>Fingerprint</dt>
        <dd className={`${styles['fingerprint']} mono selectable`}>{offered.fingerprint}</dd>
        <dt>Key type</dt>
        <dd className="mono">{offered.type}</dd>
        <dt>Answered at</dt>
        <dd className="mono selectable">
          {host}, port {port}
        </dd>
        {hostKeyAlias !== null && (
          <>
            <dt>Looked up as</dt>
            <dd className="mono selectable">{hostKeyAlias}</dd>
          </>
        )}
        <dt>MD5</dt>
        <dd>
          <details className={styles['fold']}>
            <summary>Show MD5 fingerprint</summary>
            <span className="mono selectable">{offered.md5}</span>
          </details>
        </dd>
      </dl>
      <CompareHow keyType={offered.type} />
      <CompareField value={expected} compared={compared} onValue={setExpected} />
      <Refusal problem={refusal} />
      <div className={styles['actions']}>
        <Button autoFocus onClick={() => disconnectRequested(box.id)}>
          Do not connect
        </Button>
        <Button disabled={!isAllowed} onClick={() => void trusted()}>
          The fingerprint matches: trust this {what}
        </Button>
      </div>
    </section>
  );
}
