import { useEffect, useState } from 'react';
import type { BoxIdentity, IdentityKey, MachineIdentity } from '../../../shared/boxes/host-key.ts';
import type { Problem } from '../../../shared/problem.ts';
import { call } from '../../state/bridge.ts';
import { formatDate } from '../../ui/format.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { elsewhereWords, replacedWords, trustWords } from '../host-key/trust-words.ts';
import styles from './facts-tab.module.css';

type IdentityState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'known'; readonly identity: BoxIdentity }
  | { readonly kind: 'failed'; readonly problem: Problem };

interface IdentityProps {
  readonly boxId: string;
  /** Asked again when it changes: a connection may have brought a key, or proved one. */
  readonly linkKind: string;
}

/** By which host keys the box and the machines on the way to it were known, and why each was trusted. */
export function Identity({ boxId, linkKind }: IdentityProps) {
  const state = useIdentity(boxId, linkKind);
  if (state.kind === 'loading') return <p className={styles['muted']}>Reading…</p>;
  if (state.kind === 'failed') return <ProblemNote problem={state.problem} />;
  const { jumpHosts, ...own } = state.identity;
  return (
    <>
      <MachineKeys machine={own} />
      {jumpHosts.map(({ address: { host, port }, ...machine }, index) => (
        <section key={`${host} ${port}`} className={styles['jumpHost']}>
          <h3>
            Jump host {jumpHosts.length > 1 && `${index + 1} of ${jumpHosts.length}: `}
            <span className="mono selectable">{port === 22 ? host : `${host}:${port}`}</span>
          </h3>
          <MachineKeys machine={machine} />
        </section>
      ))}
    </>
  );
}

function MachineKeys({ machine: { keys, unreadable } }: { readonly machine: MachineIdentity }) {
  return (
    <>
      {unreadable.map((problem, index) => (
        <ProblemNote key={index} problem={problem} />
      ))}
      {keys.length === 0 && unreadable.length === 0 && (
        <p className={styles['muted']}>
          No host key is trusted. Leasehold asks at the first connection.
        </p>
      )}
      {keys.length > 0 && <IdentityTable keys={keys} />}
    </>
  );
}

function useIdentity(boxId: string, linkKind: string): IdentityState {
  const [state, setState] = useState<IdentityState>({ kind: 'loading' });
  useEffect(() => {
    let isShown = true;
    void call('box:identity', { boxId }).then((answer) => {
      if (!isShown) return;
      setState(
        answer.ok
          ? { kind: 'known', identity: answer.value }
          : { kind: 'failed', problem: answer.error },
      );
    });
    return () => {
      isShown = false;
    };
  }, [boxId, linkKind]);
  return state;
}

function IdentityTable({ keys }: { readonly keys: readonly IdentityKey[] }) {
  return (
    <table className={styles['identity']}>
      <thead>
        <tr>
          <th scope="col">Host key</th>
          <th scope="col">Trusted</th>
          <th scope="col">Last seen</th>
          <th scope="col">How</th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={`${key.fingerprint} ${key.fromMs}`}>
            <td>
              <span className="mono selectable">{key.fingerprint}</span>
              <small>{key.type}</small>
            </td>
            <td className={styles['date']}>
              since {formatDate(key.fromMs)}
              <small>{key.untilMs === null ? 'current' : `until ${formatDate(key.untilMs)}`}</small>
            </td>
            <td className={styles['date']}>
              {key.lastSeenMs === null ? 'not noted' : formatDate(key.lastSeenMs)}
            </td>
            <td>
              {trustWords(key)}
              <small>{elsewhereWords(key)}</small>
              {key.replacedBecause !== null && (
                <small>replaced because: {replacedWords(key.replacedBecause)}</small>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
