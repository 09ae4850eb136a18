import { Cable, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Tunnel, TunnelRow } from '../../../shared/tunnels/tunnel.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { overlayOpened } from '../../state/view.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { EmptyState, FailedState, LoadingState } from '../../ui/panel-state.tsx';
import { ListeningPanel } from './listening-panel.tsx';
import { ServicesPanel } from './services-panel.tsx';
import { TunnelDialog } from './tunnel-dialog.tsx';
import { TunnelTable } from './tunnel-table.tsx';
import styles from './tunnels.module.css';
import { useTunnels } from './use-tunnels.ts';

export function TunnelsTab({ entry }: { readonly entry: BoxEntry }) {
  const { box, link } = entry;
  const feed = useTunnels(box.id);
  const [edited, setEdited] = useState<Tunnel | null>(null);
  const add = (): void => overlayOpened({ kind: 'add-tunnel', boxId: box.id });
  if (feed.kind === 'loading') return <LoadingState title="Reading the tunnels…" />;
  if (feed.kind === 'failed') return <FailedState problem={feed.problem} />;
  const { rows } = feed.state;
  return (
    <div className={styles['tab']}>
      <ServicesPanel boxId={box.id} isUp={link.kind === 'up'} />
      {rows.length === 0 ? (
        <NoTunnels onAdd={add} />
      ) : (
        <section aria-labelledby="tunnels-title">
          <div className={styles['head']}>
            <h2 id="tunnels-title">Tunnels</h2>
            <p className={styles['summary']}>{summary(rows)}</p>
            <Button size="small" onClick={add}>
              <Plus size={14} aria-hidden /> Add tunnel
            </Button>
          </div>
          <TunnelTable boxId={box.id} rows={rows} onEdit={setEdited} />
        </section>
      )}
      {link.kind === 'up' && <ListeningPanel boxId={box.id} rows={rows} />}
      {edited !== null && (
        <TunnelDialog boxId={box.id} tunnel={edited} onClose={() => setEdited(null)} />
      )}
    </div>
  );
}

function summary(rows: readonly TunnelRow[]): string {
  const open = rows.filter(({ state }) => state.kind === 'listening').length;
  return `${formatCount(rows.length, 'tunnel')}, ${open} open`;
}

function NoTunnels({ onAdd }: { readonly onAdd: () => void }) {
  return (
    <EmptyState
      icon={<Cable size={28} strokeWidth={1.4} />}
      title="No tunnels"
      actions={
        <Button onClick={onAdd}>
          <Plus size={15} aria-hidden /> Add tunnel
        </Button>
      }
    >
      <p>
        A tunnel opens a port on this machine that leads through the SSH connection to a port on the
        box: http://127.0.0.1:6006 here is then port 6006 there, and nothing on the box has to be
        open to the internet. It comes back by itself after the connection was lost, and a row is
        green only while something really answered through it.
      </p>
    </EmptyState>
  );
}
