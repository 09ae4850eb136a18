// Runs in Electron's own runtime, as main does: what tunnels cost while nobody uses them.
import type { SshConnection } from '../src/main/ssh/ssh-connection.ts';
import { StreamHub } from '../src/main/streams/stream-hub.ts';
import { BoxTunnels } from '../src/main/tunnels/box-tunnels.ts';
import { SESSION_STORE } from '../src/main/tunnels/tunnel-store.ts';
import { CHECK_EVERY_MS } from '../src/shared/tunnels/judge-tunnel.ts';
import { linkTo, type BenchServer } from './link-to.ts';

export interface IdleSetUp extends BenchServer {
  readonly targetPort: number;
  /** This and the following ports belong to the tunnels. */
  readonly firstPort: number;
  readonly count: number;
}

export interface IdleFigures {
  readonly open: number;
  /** Of each round. */
  readonly withoutPct: readonly number[];
  readonly hiddenPct: readonly number[];
  readonly shownPct: number;
  /** How many were asked in the window of `shownPct`. */
  readonly checked: number;
}

const QUIET = { info: () => undefined };
const CPU_WINDOW_MS = 5000;
const ROUNDS = 3;
/** Longer than a row's figures wait until they are told. */
const QUIET_MS = 1000;
const silence = (): void => undefined;

process.once('message', (message) => void run(message as IdleSetUp));

/** The processor time of this process with many tunnels that nobody looks at and with none, in turns, and at last on screen. */
async function run(setUp: IdleSetUp): Promise<void> {
  const connection = await linkTo(setUp);
  const withoutPct: number[] = [];
  const hiddenPct: number[] = [];
  const open: number[] = [];
  let idle = await openIdle(setUp, connection);
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round > 0) idle = await openIdle(setUp, connection);
    await settle();
    open.push(idle.open());
    hiddenPct.push(await cpuPct(CPU_WINDOW_MS));
    if (round === ROUNDS - 1) break;
    await idle.close();
    await settle();
    withoutPct.push(await cpuPct(CPU_WINDOW_MS));
  }
  idle.show();
  const fromMs = Date.now();
  const shownPct = await cpuPct(CHECK_EVERY_MS + CPU_WINDOW_MS); // with one whole round of checks in it
  const checked = idle.checkedSince(fromMs);
  await idle.close();
  await settle();
  withoutPct.push(await cpuPct(CPU_WINDOW_MS));
  const figures: IdleFigures = {
    open: Math.min(...open),
    withoutPct,
    hiddenPct,
    shownPct,
    checked,
  };
  process.send?.(figures, () => {
    connection.close();
    void connection.closed.then(() => process.exit(0));
  });
}

/** Opening and closing leave garbage, whose collection is no cost of their being there. */
async function settle(): Promise<void> {
  if (global.gc === undefined) throw new Error('start this with --expose-gc');
  await wait(QUIET_MS);
  global.gc();
  await wait(QUIET_MS);
}

/** All of them, each with the one check that follows opening behind it. */
async function openIdle(setUp: IdleSetUp, connection: SshConnection) {
  const hub = new StreamHub();
  const tunnels = new BoxTunnels({
    boxId: 'bench',
    hub,
    store: SESSION_STORE,
    log: QUIET,
    onProblem: silence,
  });
  tunnels.useConnection(connection);
  for (let i = 0; i < setUp.count; i += 1) {
    const added = tunnels.add({
      name: `idle ${String(i)}`,
      kind: 'local',
      service: 'tcp',
      listenPort: setUp.firstPort + i,
      isExposed: false,
      target: { host: '127.0.0.1', port: setUp.targetPort },
    });
    if (!added.ok) throw new Error(added.error.message);
    await tunnels.settled(added.value.id);
  }
  while (tunnels.rows.some(({ check, isChecking }) => check === null || isChecking)) {
    await wait(100);
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

async function cpuPct(windowMs: number): Promise<number> {
  const before = process.cpuUsage();
  const startedAtMs = performance.now();
  await wait(windowMs);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 10 / (performance.now() - startedAtMs);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
