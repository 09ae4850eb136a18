// Runs in Electron's own runtime, as main does: one tunnel over the link alone, and one over whatever way is fastest.
import type { SshConnection } from '../src/main/ssh/ssh-connection.ts';
import { measureCryptoMBPerS, openBulkWay } from '../src/main/tunnels/bulk-way.ts';
import { openForward } from '../src/main/tunnels/forward.ts';
import type { Tunnel } from '../src/shared/tunnels/tunnel.ts';
import { linkTo, type BenchServer } from './link-to.ts';

export interface RuntimeSetUp extends BenchServer {
  readonly sourcePort: number;
  /** Listens here, over the link alone. */
  readonly linkPort: number;
  /** Listens here, over whatever way is fastest. */
  readonly bulkPort: number;
}

const QUIET = { info: () => undefined };
const silence = (): void => undefined;

process.once('message', (message) => void run(message as RuntimeSetUp));

async function run(setUp: RuntimeSetUp): Promise<void> {
  const connection = await linkTo(setUp);
  const bulk = openBulkWay({ connection, log: QUIET, heavyBytes: 1, isCryptoSlow: () => true });
  const target = { host: '127.0.0.1', port: setUp.sourcePort };
  const open = async (listenPort: number, openStream: SshConnection['openStream']) => {
    const tunnel: Tunnel = {
      id: 'bench',
      name: 'bench',
      kind: 'local',
      service: 'tcp',
      listenPort,
      isExposed: false,
      target,
      isOn: true,
    };
    const counter = { opened: silence, closed: silence, sent: silence, received: silence };
    const { listenOnBox } = connection;
    const opened = await openForward({
      tunnel,
      openStream,
      listenOnBox,
      counter,
      onRefused: silence,
    });
    if (!opened.ok) throw new Error(`port ${String(listenPort)} could not be opened`);
  };
  await open(setUp.linkPort, (...to) => connection.openStream(...to));
  await open(setUp.bulkPort, (...to) => bulk.openStream(...to));
  bulk.count(1);
  process.send?.({ cryptoMBPerS: measureCryptoMBPerS() });
  process.on('message', (message) => {
    if (message !== 'end') return;
    bulk.close();
    connection.close();
    void connection.closed.then(() => process.exit(0));
  });
}
