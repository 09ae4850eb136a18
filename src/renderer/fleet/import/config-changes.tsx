import { useState } from 'react';
import type { ConfigChange } from '../../../shared/boxes/ssh-config/config-listing.ts';
import type { Problem } from '../../../shared/problem.ts';
import { call } from '../../state/bridge.ts';
import { selectEntry, selectConfigChanges, useFleet, useSshConfig } from '../../state/feeds.ts';
import { Button } from '../../ui/button.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { differences } from '../connection/connection-words.ts';
import { changedWords } from './changed-words.ts';
import styles from './import.module.css';

/** Boxes of which the entry in the SSH config now says something else. Each is taken over, or left, by the person. */
export function ConfigChanges() {
  const changes = useSshConfig(selectConfigChanges);
  if (changes.length === 0) return null;
  return (
    <section className={styles['changes']} aria-label="Changes in your SSH config">
      <h3>{changedWords(changes.length)}</h3>
      <ul>
        {changes.map((change) => (
          <Change key={`${change.boxId} ${change.digest}`} change={change} />
        ))}
      </ul>
    </section>
  );
}

function Change({ change }: { readonly change: ConfigChange }) {
  const box = useFleet((feed) => selectEntry(change.boxId)(feed)?.box);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  if (box === undefined) return null;
  const { boxId, digest } = change;

  async function decide(channel: 'ssh-config:apply' | 'ssh-config:decline'): Promise<void> {
    const done = await call(channel, { boxId, digest });
    setRefusal(done.ok ? null : done.error);
  }

  return (
    <li className={styles['change']}>
      <div className={styles['changeHead']}>
        <b>{box.name}</b>
        <Button
          size="small"
          aria-label={`Keep as it is: ${box.name}`}
          onClick={() => void decide('ssh-config:decline')}
        >
          Keep as it is
        </Button>
        <Button
          size="small"
          aria-label={`Take over the change of ${box.name}`}
          onClick={() => void decide('ssh-config:apply')}
        >
          Take over
        </Button>
      </div>
      <dl>
        {differences(box, change.connection).map(({ what, before, after }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              <del>{before}</del> <span aria-hidden>→</span> <ins>{after}</ins>
            </dd>
          </div>
        ))}
      </dl>
      <Refusal problem={refusal} />
    </li>
  );
}
