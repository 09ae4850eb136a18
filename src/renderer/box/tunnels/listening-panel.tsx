import { RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Problem } from '../../../shared/problem.ts';
import type { Result } from '../../../shared/result.ts';
import type { ListeningPort, ListeningPorts } from '../../../shared/tunnels/listening.ts';
import type { TunnelRow } from '../../../shared/tunnels/tunnel.ts';
import { run } from '../../state/actions.ts';
import { call } from '../../state/bridge.ts';
import { formatCount } from '../../ui/format.ts';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { defaultTunnelName, EMPTY_TUNNEL, toDraft } from './tunnel-form.ts';
import styles from './listening-panel.module.css';

interface ListeningPanelProps {
  readonly boxId: string;
  readonly rows: readonly TunnelRow[];
}

/** What listens on the box, each a press away from this machine. Asked when the page is shown and when the person asks again. */
export function ListeningPanel({ boxId, rows }: ListeningPanelProps) {
  const [answer, setAnswer] = useState<Result<ListeningPorts, Problem> | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    void call('tunnel:listening', { boxId }).then((next) => isCurrent && setAnswer(next));
    return () => {
      isCurrent = false;
    };
  }, [boxId, turn]);
  return (
    <section aria-labelledby="listening-title">
      <div className={styles['head']}>
        <h2 id="listening-title">Listening on the box</h2>
        <Button
          isIcon
          look="quiet"
          size="small"
          aria-label="List again"
          title="List again"
          onClick={() => setTurn((last) => last + 1)}
        >
          <RotateCw size={15} aria-hidden />
        </Button>
      </div>
      {answer === null && <p className={styles['quiet']}>Asking the box…</p>}
      {answer?.ok === false && <ProblemNote problem={answer.error} />}
      {answer?.ok === true && <Ports boxId={boxId} rows={rows} listed={answer.value} />}
    </section>
  );
}

function Ports({ boxId, rows, listed }: ListeningPanelProps & { readonly listed: ListeningPorts }) {
  const { ports, isCut, unreadable } = listed;
  if (ports === null) {
    return <p className={styles['quiet']}>This box does not tell which ports are in use.</p>;
  }
  const hasTunnel = ({ port, host }: ListeningPort): boolean =>
    rows.some(
      ({ tunnel: { kind, target } }) =>
        kind === 'local' && target?.port === port && leadsTo(target.host, host),
    );
  return (
    <>
      {ports.length === 0 && <p className={styles['quiet']}>Nothing that this user can see.</p>}
      <ul className={styles['ports']}>
        {ports.map((each) => (
          <li key={each.port}>
            <b className="figures">{each.port}</b>
            <span>{each.program ?? 'program not shown'}</span>
            {hasTunnel(each) ? (
              <small>has a tunnel</small>
            ) : (
              <Button
                size="small"
                isOnce
                aria-label={`Forward port ${String(each.port)}`}
                onClick={() => forward(boxId, each)}
              >
                Forward
              </Button>
            )}
          </li>
        ))}
      </ul>
      {isCut && (
        <p className={styles['quiet']}>
          The box has more: only the lowest {formatCount(ports.length, 'port')} stand here.
        </p>
      )}
      {unreadable > 0 && (
        <p className={styles['quiet']}>Not all of what the box answered could be read.</p>
      )}
    </>
  );
}

function leadsTo(target: string, host: string): boolean {
  return target === host || (target === 'localhost' && ['127.0.0.1', '::1'].includes(host));
}

/** The same number here, where it is free; the row of a port that is taken offers another. */
function forward(boxId: string, { port, host, program }: ListeningPort): void {
  const values = {
    ...EMPTY_TUNNEL,
    targetHost: host,
    targetPort: String(port),
    isWeb: program !== 'sshd',
  };
  const name =
    program === null ? defaultTunnelName(values) : `${program}, port ${String(port)} of the box`;
  void run(call('tunnel:add', { boxId, draft: toDraft({ ...values, name }, null) }));
}
