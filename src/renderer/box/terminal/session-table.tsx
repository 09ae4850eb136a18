import { useState } from 'react';
import type { Problem } from '../../../shared/problem.ts';
import type { TmuxSession } from '../../../shared/terminal/terminal.ts';
import { showHidden } from '../../../shared/terminal/visible-text.ts';
import { call } from '../../state/bridge.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/format.ts';
import { Refusal } from '../../ui/problem-note.tsx';
import styles from './terminal.module.css';
import { keyOf, openTerminal } from './terminals.ts';

interface SessionTableProps {
  readonly boxId: string;
  readonly sessions: readonly TmuxSession[];
  readonly onKilled: () => void;
}

export function SessionTable({ boxId, sessions, onKilled }: SessionTableProps) {
  const [asked, setAsked] = useState<TmuxSession | null>(null);
  return (
    <>
      <table className={styles['sessions']}>
        <thead>
          <tr>
            <th scope="col">Session</th>
            <th scope="col">Windows</th>
            <th scope="col" title="Terminals that show it right now, here or elsewhere">
              Attached
            </th>
            <th scope="col" title="By the clock of the box">
              Created
            </th>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <tr key={session.id}>
              <th scope="row" className={styles['session']} title={showHidden(session.name)}>
                {showHidden(session.name)}
              </th>
              <td className="figures">{session.windows}</td>
              <td className="figures">{session.attached === 0 ? 'no' : session.attached}</td>
              <td>
                <Age atMs={session.createdAtS * 1000} />
              </td>
              <td className={styles['rowActions']}>
                <Button
                  size="small"
                  onClick={() => openTerminal(boxId, { kind: 'tmux', session: keyOf(session) })}
                >
                  Attach
                </Button>
                <Button size="small" look="quiet" onClick={() => setAsked(session)}>
                  Kill…
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {asked !== null && (
        <KillDialog
          boxId={boxId}
          session={asked}
          onClose={() => setAsked(null)}
          onKilled={onKilled}
        />
      )}
    </>
  );
}

interface KillDialogProps {
  readonly boxId: string;
  readonly session: TmuxSession;
  readonly onClose: () => void;
  readonly onKilled: () => void;
}

function KillDialog({ boxId, session, onClose, onKilled }: KillDialogProps) {
  const [refusal, setRefusal] = useState<Problem | null>(null);

  async function confirmed(): Promise<void> {
    const killed = await call('tmux:kill', { boxId, session: keyOf(session) });
    onKilled();
    if (killed.ok) onClose();
    else setRefusal(killed.error);
  }

  return (
    <ConfirmDialog
      title={`Kill “${showHidden(session.name)}”?`}
      description={`Every program in its ${formatCount(session.windows, 'window')} ends at once, a training run too. This cannot be undone.`}
      cancel="Cancel"
      confirm="Kill session"
      onConfirm={() => void confirmed()}
      onClose={onClose}
    >
      <Refusal problem={refusal} />
    </ConfirmDialog>
  );
}
