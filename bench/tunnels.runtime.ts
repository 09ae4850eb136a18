// Runs in Electron's own runtime, as main does: the tunnels under test, and what they cost while nobody uses them.
import { openConnection, type SshConnection } from '../src/main/ssh/ssh-connection.ts';
import { StreamHub } from '../src/main/streams/stream-hub.ts';
import { BoxTunnels } from '../src/main/tunnels/box-tunnels.ts';
import { measureCryptoMBPerS, openBulkWay } from '../src/main/tunnels/bulk-way.ts';
import { openForward } from '../src/main/tunnels/forward.ts';
import { SESSION_STORE } from '../src/main/tunnels/tunnel-store.ts';
import type { Tunnel } from '../src/shared/tunnels/tunnel.ts';

export interface RuntimeSetUp {
  readonly sshdPort: number;
  readonly user: string;
  readonly privateKey: string;
  readonly sourcePort: number;
  /** Listens here, over the link alone. */
  readonly linkPort: number;
  /** Listens here, over whatever way is fastest. */
  readonly bulkPort: number;
  /** This and the following ports belong to the idle tunnels. */
  readonly idlePort: number;
  readonly idleCount: number;
}

const QUIET = { info: () => undefined };
const CPU_WINDOW_MS = 15_000;
const IDLE_ROUNDS = 3;
/** The one check that follows opening is over, and V8 has cleaned up after it. */
const SETTLE_MS = 10_000;
const silence = (): void => undefined;

process.once('message', (message) => void run(message as RuntimeSetUp));

async function run(setUp: RuntimeSetUp): Promise<void> {
  const connection = await connect(setUp);
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
  process.send?.({ kind: 'ready', cryptoMBPerS: measureCryptoMBPerS() });
  process.on('message', (message) => {
    if (message === 'idle') void measureIdle(setUp, connection);
    if (message !== 'end') return;
    bulk.close();
    connection.close();
    void connection.closed.then(() => process.exit(0));
  });
}

async function connect({ sshdPort, user, privateKey }: RuntimeSetUp): Promise<SshConnection> {
  const opened = await openConnection({
    address: { host: '127.0.0.1', port: sshdPort, user },
    credentials: [{ kind: 'key', privateKey }],
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
  });
  if (!opened.ok) throw new Error(opened.error.detail ?? opened.error.message);
  return opened.value;
}

/**
 * The processor time of this process with no tunnel and with many that nobody looks at, in turns, and at last with as many on
 * screen. Opening and closing them leaves garbage, whose collection is no cost of their being there.
 */
async function measureIdle(setUp: RuntimeSetUp, connection: SshConnection): Promise<void> {
  const withoutPct: number[] = [];
  const hiddenPct: number[] = [];
  let idle = await openIdle(setUp, connection);
  const open: number[] = [];
  for (let round = 0; round < IDLE_ROUNDS; round += 1) {
    await wait(SETTLE_MS);
    open.push(idle.open());
    hiddenPct.push(await cpuPct());
    await idle.close();
    await wait(SETTLE_MS);
    withoutPct.push(await cpuPct());
    idle = await openIdle(setUp, connection);
  }
  await wait(SETTLE_MS);
  idle.show();
  await wait(SETTLE_MS); // the round of checks that follows looking
  const fromMs = Date.now();
  const shownPct = await cpuPct(2 * CPU_WINDOW_MS); // one whole round of checks
  const checked = idle.checkedSince(fromMs);
  await idle.close();
  const figures = { open: Math.min(...open), withoutPct, hiddenPct, shownPct, checked };
  process.send?.({ kind: 'idle', ...figures });
}

async function openIdle(setUp: RuntimeSetUp, connection: SshConnection) {
  const hub = new StreamHub();
  const tunnels = new BoxTunnels({
    boxId: 'bench',
    hub,
    store: SESSION_STORE,
    log: QUIET,
    onProblem: silence,
  });
  tunnels.useConnection(connection);
  for (let i = 0; i < setUp.idleCount; i += 1) {
    const added = tunnels.add({
      name: `idle ${String(i)}`,
      kind: 'local',
      service: 'tcp',
      listenPort: setUp.idlePort + i,
      isExposed: false,
      target: { host: '127.0.0.1', port: setUp.sourcePort },
    });
    if (!added.ok) throw new Error(added.error.message);
    await tunnels.settled(added.value.id);
  }
  return {
    open: () => tunnels.rows.filter(({ state }) => state.kind === 'listening').length,
    checkedSince: (ms: number) =>
      tunnels.rows.filter(({ check }) => (check?.atMs ?? 0) > ms).length,
    show: () => {
      hub.addClient(1, silence);
      hub.open(1, 'tunnels', 'bench');
    },
    close: async () => {
      await tunnels.close();
      hub.dispose();
    },
  };
}

async function cpuPct(windowMs = CPU_WINDOW_MS): Promise<number> {
  const before = process.cpuUsage();
  const startedAtMs = performance.now();
  await wait(windowMs);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 10 / (performance.now() - startedAtMs);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
