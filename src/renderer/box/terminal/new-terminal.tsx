import { Plus, RotateCw, SquareTerminal, Unplug } from 'lucide-react';
import type { Box, LinkState } from '../../../shared/boxes/box.ts';
import { connectRequested } from '../../state/actions.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/panel-state.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { suggestSessionName } from './session-name.ts';
import { SessionTable } from './session-table.tsx';
import styles from './terminal.module.css';
import { openTerminal } from './terminals.ts';
import { useTmux, type TmuxFeed } from './use-tmux.ts';

const INSTALL_LINE = 'apt-get update && apt-get install -y tmux';

/** Where a terminal begins: a tmux session that outlives the link, or a plain shell that does not. */
export function NewTerminal({ box, link }: { readonly box: Box; readonly link: LinkState }) {
  if (link.kind !== 'up') return <NoLink box={box} link={link} />;
  return <Choices boxId={box.id} />;
}

function NoLink({ box, link }: { readonly box: Box; readonly link: LinkState }) {
  const isComing = link.kind === 'connecting' || link.kind === 'waiting';
  return (
    <EmptyState
      icon={<Unplug size={28} strokeWidth={1.4} />}
      title={isComing ? 'Waiting for connection' : 'Not connected'}
      actions={
        !isComing && (
          <Button look="primary" onClick={() => connectRequested(box.id)}>
            Connect
          </Button>
        )
      }
    >
      <p>A terminal opens over the connection to {box.name}.</p>
    </EmptyState>
  );
}

function Choices({ boxId }: { readonly boxId: string }) {
  const { feed, refresh } = useTmux(boxId);
  const sessions = feed.kind === 'listed' ? feed.sessions : [];
  const canCreate = feed.kind === 'listed';
  return (
    <div className={styles['choices']}>
      <section className={styles['choice']} aria-label="tmux">
        <div className={styles['choiceHead']}>
          <div>
            <h2>tmux session</h2>
            <p>Keeps running if you disconnect or quit; lost when the box restarts.</p>
          </div>
          <Button
            look="primary"
            disabled={!canCreate}
            onClick={() =>
              openTerminal(boxId, { kind: 'new-tmux', name: suggestSessionName(boxId, sessions) })
            }
          >
            <Plus size={15} aria-hidden /> New tmux session
          </Button>
          <Button isIcon look="quiet" aria-label="List again" title="List again" onClick={refresh}>
            <RotateCw size={15} aria-hidden />
          </Button>
        </div>
        <Sessions boxId={boxId} feed={feed} onChange={refresh} />
      </section>
      <section className={styles['choice']} aria-label="Plain shell">
        <div className={styles['choiceHead']}>
          <div>
            <h2>Plain shell</h2>
            <p>Closes with the connection, with what it runs in the foreground.</p>
          </div>
          <Button onClick={() => openTerminal(boxId, { kind: 'shell' })}>
            <SquareTerminal size={15} aria-hidden /> New shell
          </Button>
        </div>
      </section>
    </div>
  );
}

interface SessionsProps {
  readonly boxId: string;
  readonly feed: TmuxFeed;
  readonly onChange: () => void;
}

function Sessions({ boxId, feed, onChange }: SessionsProps) {
  switch (feed.kind) {
    case 'asking':
      return <p className={styles['quiet']}>Asking the box…</p>;
    case 'failed':
      return <ProblemNote problem={feed.problem} />;
    case 'not-installed':
      return (
        <div className={styles['missing']}>
          <p>There is no tmux on this box. To install it on Debian or Ubuntu, run as root:</p>
          <code className={styles['command']}>{INSTALL_LINE}</code>
          <CopyButton text={INSTALL_LINE} label="Copy" />
        </div>
      );
    case 'listed':
      return (
        <>
          {feed.sessions.length === 0 ? (
            <p className={styles['quiet']}>No session runs on this box.</p>
          ) : (
            <SessionTable boxId={boxId} sessions={feed.sessions} onKilled={onChange} />
          )}
          {feed.leftOut > 0 && (
            <p className={styles['quiet']}>
              {feed.leftOut} more {feed.leftOut === 1 ? 'line' : 'lines'} of the box could not be
              read and {feed.leftOut === 1 ? 'is' : 'are'} not shown.
            </p>
          )}
        </>
      );
  }
}
