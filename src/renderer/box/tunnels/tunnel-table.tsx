import {
  AppWindow,
  Copy,
  Ellipsis,
  Globe,
  Pencil,
  Play,
  RefreshCw,
  Square,
  Trash2,
} from 'lucide-react';
import { problem, type Problem } from '../../../shared/problem.ts';
import { judgeTunnel } from '../../../shared/tunnels/judge-tunnel.ts';
import { tunnelUrl } from '../../../shared/tunnels/tunnel-url.ts';
import type { Tunnel, TunnelRow } from '../../../shared/tunnels/tunnel.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useClock } from '../../ui/clock.ts';
import { copyText } from '../../ui/copy-text.ts';
import { formatBytes } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { portChosen, tunnelAsked, tunnelOpened } from './tunnel-actions.ts';
import { KIND_WORDS, listenAddress, HEALTH_WORDS, targetAddress } from './tunnel-words.ts';
import styles from './tunnels.module.css';

interface TunnelTableProps {
  readonly boxId: string;
  readonly rows: readonly TunnelRow[];
  readonly onEdit: (tunnel: Tunnel) => void;
}

export function TunnelTable({ boxId, rows, onEdit }: TunnelTableProps) {
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Name</th>
          <th scope="col">Listens → target</th>
          <th scope="col">Last answer</th>
          <th scope="col" className={styles['number']} title="From the far end, and to it">
            In / out
          </th>
          <th
            scope="col"
            className={classNames(styles['number'], styles['optional'])}
            title="Connections that are open right now"
          >
            Open
          </th>
          <th scope="col">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.tunnel.id} boxId={boxId} row={row} onEdit={onEdit} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly boxId: string;
  readonly row: TunnelRow;
  readonly onEdit: (tunnel: Tunnel) => void;
}

function Row({ boxId, row, onEdit }: RowProps) {
  const { tunnel, bytesIn, bytesOut, openConnections } = row;
  const note = problemOf(row);
  return (
    <>
      <tr className={classNames(note !== null && styles['hasNote'])}>
        <td>
          <Health row={row} />
        </td>
        <th scope="row" className={styles['name']} title={tunnel.name}>
          {tunnel.name}
          <small>{KIND_WORDS[tunnel.kind]}</small>
        </th>
        <td className={classNames('mono selectable', styles['way'])}>
          <span className={classNames(tunnel.isExposed && styles['exposed'])}>
            {listenAddress(tunnel)}
          </span>
          <small title={targetAddress(tunnel)}>→ {targetAddress(tunnel)}</small>
        </td>
        <td>
          <LastAnswer row={row} />
        </td>
        <td className={styles['number']}>
          {formatBytes(bytesIn)} / {formatBytes(bytesOut)}
        </td>
        <td className={classNames(styles['number'], styles['optional'])}>{openConnections}</td>
        <td className={styles['actions']}>
          <div>
            <RowActions boxId={boxId} row={row} onEdit={onEdit} />
          </div>
        </td>
      </tr>
      {note !== null && (
        <tr className={styles['note']}>
          <td colSpan={7}>
            <ProblemNote
              problem={note}
              tone={row.state.kind === 'port-taken' ? 'warn' : 'danger'}
              actions={<PortOffer boxId={boxId} row={row} />}
            />
          </td>
        </tr>
      )}
    </>
  );
}

function Health({ row }: { readonly row: TunnelRow }) {
  const health = useClock((nowMs) => judgeTunnel(row, nowMs));
  const { tone, word, hint } = HEALTH_WORDS[health];
  return (
    <span className={classNames(styles['health'], styles[tone])} title={hint}>
      <Glyph tone={tone} />
      {word}
    </span>
  );
}

/** When something last came back, and what the last check asked: never more than was seen. */
function LastAnswer({ row: { answeredAtMs, check } }: { readonly row: TunnelRow }) {
  const saw = check === null ? 'not checked' : check.saw;
  return (
    <span className={styles['answer']}>
      {answeredAtMs === null ? <span>never</span> : <Age atMs={answeredAtMs} />}
      <small title={check === null ? undefined : `${saw}, in ${Math.round(check.tookMs)} ms`}>
        {saw}
      </small>
    </span>
  );
}

/** What a person must know beside the row; null when the row itself says it all. */
function problemOf({ tunnel, state, check }: TunnelRow): Problem | null {
  if (state.kind === 'failed') return state.problem;
  if (state.kind === 'listening' && check?.outcome === 'failed') return check.problem;
  if (state.kind !== 'port-taken') return null;
  const { holder, freePort } = state;
  const who =
    holder === null
      ? 'another program; this system does not say which'
      : `${holder.name} (process ${holder.pid})`;
  return problem('port-taken', `Port ${tunnel.listenPort} of this machine is taken by ${who}.`, {
    nextStep:
      freePort === null
        ? 'Choose another port, or end that program and start the tunnel again.'
        : 'Use the free port, or end that program and start the tunnel again.',
  });
}

function PortOffer({ boxId, row }: { readonly boxId: string; readonly row: TunnelRow }) {
  const { tunnel, state } = row;
  if (state.kind !== 'port-taken') return null;
  const { freePort } = state;
  return (
    <>
      {freePort !== null && (
        <Button size="small" onClick={() => portChosen(boxId, tunnel, freePort)}>
          Use {freePort}
        </Button>
      )}
      <Button size="small" onClick={() => tunnelAsked('tunnel:start', boxId, tunnel)}>
        Try again
      </Button>
    </>
  );
}

function RowActions({ boxId, row: { tunnel, state, isChecking }, onEdit }: RowProps) {
  const ask = (channel: Parameters<typeof tunnelAsked>[0]) => (): void =>
    tunnelAsked(channel, boxId, tunnel);
  const open = (where: 'window' | 'browser') => (): void => void tunnelOpened(boxId, tunnel, where);
  const isOpen = state.kind === 'listening';
  const url = tunnelUrl(tunnel);
  const address = url ?? `127.0.0.1:${tunnel.listenPort}`;
  return (
    <>
      {url !== null && isOpen && (
        <Button size="small" onClick={open('window')}>
          Open
        </Button>
      )}
      {isOpen && (
        <Button
          look="quiet"
          size="small"
          isIcon
          aria-disabled={isChecking}
          aria-label={`Check ${tunnel.name} now`}
          title="Check now"
          onClick={ask('tunnel:check')}
        >
          <RefreshCw size={15} aria-hidden />
        </Button>
      )}
      <Menu
        trigger={
          <Button look="quiet" size="small" isIcon aria-label={`More actions for ${tunnel.name}`}>
            <Ellipsis size={16} aria-hidden />
          </Button>
        }
      >
        {url !== null && isOpen && (
          <>
            <MenuItem icon={<AppWindow size={15} />} onSelect={open('window')}>
              Open in its own window
            </MenuItem>
            <MenuItem icon={<Globe size={15} />} onSelect={open('browser')}>
              Open in the system browser
            </MenuItem>
          </>
        )}
        <MenuItem icon={<Copy size={15} />} onSelect={() => copyText(address)}>
          Copy address
        </MenuItem>
        <MenuSeparator />
        {tunnel.isOn ? (
          <MenuItem icon={<Square size={15} />} onSelect={ask('tunnel:stop')}>
            Stop
          </MenuItem>
        ) : (
          <MenuItem icon={<Play size={15} />} onSelect={ask('tunnel:start')}>
            Start
          </MenuItem>
        )}
        <MenuItem icon={<Pencil size={15} />} onSelect={() => onEdit(tunnel)}>
          Change…
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 size={15} />} isDangerous onSelect={ask('tunnel:remove')}>
          Remove
        </MenuItem>
      </Menu>
    </>
  );
}
