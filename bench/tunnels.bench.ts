// How fast a tunnel is beside `ssh -L`, in Electron's own runtime, and what 200 idle ones cost.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { freePort, startSshd, type TestSshd } from '../src/main/ssh/sshd.fixture.ts';
import { report, type BenchRow } from './harness.ts';
import { BUNDLE, startRuntime } from './main-runtime.ts';
import type { RuntimeSetUp } from './tunnels.runtime.ts';
import { median } from './windows.ts';

const GOAL_RATIO = 0.8;
const RUNS = 5;
/** A second or so each: with half of that, one pause of the machine moves a median by a tenth. */
const BYTES = { ssh: 500_000_000, bulk: 500_000_000, link: 100_000_000, bare: 500_000_000 };
const IDLE_TUNNELS = 200;
/** A tenth of a percent of one core: 15 ms in a window of 15 s. Windows with no tunnel differ by about a tenth of that. */
const UNMEASURABLE_PCT = 0.1;

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const TRAFFIC = ['--import', 'tsx', here('./tunnels.traffic.ts')];

interface IdleFigures {
  readonly open: number;
  /** Of each round. */
  readonly withoutPct: readonly number[];
  readonly hiddenPct: readonly number[];
  readonly shownPct: number;
  /** How many were asked in the window of `shownPct`. */
  readonly checked: number;
}

async function startSource(): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const child = spawn(process.execPath, [...TRAFFIC, 'source'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(line.toString()) };
}

function mbPerS(port: number, streams: number, bytes: number): number {
  const args = [...TRAFFIC, 'client', ...[port, streams, bytes].map(String)];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

function startSsh({ port, user, keyFile }: TestSshd, from: number, to: number): ChildProcess {
  const options = [
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'IdentitiesOnly=yes',
    'LogLevel=ERROR',
  ].flatMap((option) => ['-o', option]);
  const forward = `127.0.0.1:${String(from)}:127.0.0.1:${String(to)}`;
  const where = ['-p', String(port), '-l', user, '127.0.0.1'];
  const args = ['-F', 'none', '-N', '-i', keyFile, ...options, '-L', forward, ...where];
  return spawn('ssh', args, { stdio: 'ignore' });
}

async function listening(ssh: ChildProcess, port: number): Promise<void> {
  while (ssh.exitCode === null) {
    const socket = connect({ port, host: '127.0.0.1' });
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('ssh -L ended');
}

interface Ports {
  readonly bare: number;
  readonly link: number;
  readonly bulk: number;
  readonly ssh: number;
}

/** Taken in turns, so that a noisy moment of the machine hits all; the first round only warms up. */
function measureThroughput(ports: Ports, streams: number): readonly BenchRow[] {
  const seen: Record<keyof Ports, number[]> = { bare: [], link: [], bulk: [], ssh: [] };
  for (let run = 0; run <= RUNS; run += 1) {
    for (const way of ['ssh', 'bulk', 'link', 'bare'] as const) {
      const speed = mbPerS(ports[way], streams, BYTES[way]);
      if (run > 0) seen[way].push(speed);
    }
  }
  const baseline = median(seen.ssh);
  const row = (way: keyof Ports, measure: string): BenchRow => {
    const value = median(seen[way]);
    return { measure, value, unit: 'MB/s', baseline, ratio: value / baseline };
  };
  const label = `${String(streams)} stream${streams === 1 ? '' : 's'}`;
  const bulk = row('bulk', `${label}, a heavy tunnel (baseline: ssh -L)`);
  return [
    {
      ...bulk,
      goal: `at least ${String(GOAL_RATIO)}× ssh -L`,
      isMet: (bulk.ratio ?? 0) >= GOAL_RATIO,
    },
    row('link', `${label}, over ssh2 in this runtime (baseline: ssh -L)`),
    row('bare', `${label}, the same traffic without any tunnel (baseline: ssh -L)`),
  ];
}

function idleRows({
  open,
  withoutPct,
  hiddenPct,
  shownPct,
  checked,
}: IdleFigures): readonly BenchRow[] {
  const without = median(withoutPct);
  const cost = median(hiddenPct) - without;
  return [
    {
      measure: `processor of ${String(open)} idle tunnels, more than with none`,
      value: cost,
      unit: '% of a core',
      goal: `not measurable: at most ${String(UNMEASURABLE_PCT)}`,
      isMet: cost <= UNMEASURABLE_PCT,
    },
    {
      measure: 'this process with none, and by how much its windows differ',
      value: without,
      unit: `% ± ${(Math.max(...withoutPct) - Math.min(...withoutPct)).toFixed(3)}`,
    },
    {
      measure: `the same with their rows on screen, ${String(checked)} of them asked in these 30 s`,
      value: shownPct - without,
      unit: '% of a core',
    },
  ];
}

const sshd = await startSshd();
const source = await startSource();
const setUp: RuntimeSetUp = {
  sshdPort: sshd.port,
  user: sshd.user,
  privateKey: sshd.privateKey,
  sourcePort: source.port,
  linkPort: await freePort(),
  bulkPort: await freePort(),
  idlePort: 21_000,
  idleCount: IDLE_TUNNELS,
};
const runtime = await startRuntime('./tunnels.runtime.ts');
const sshPort = await freePort();
const ssh = startSsh(sshd, sshPort, source.port);
try {
  runtime.send(setUp);
  const [{ cryptoMBPerS }] = (await once(runtime, 'message')) as [{ cryptoMBPerS: number }];
  await listening(ssh, sshPort);
  const ports = { bare: source.port, link: setUp.linkPort, bulk: setUp.bulkPort, ssh: sshPort };
  const throughput = [1, 8].flatMap((streams) => measureThroughput(ports, streams));
  runtime.send('idle');
  const [idle] = (await once(runtime, 'message')) as [IdleFigures];
  report({
    name: 'tunnels',
    rows: [
      ...throughput,
      {
        measure: 'AES-128-GCM of this runtime, 32 KiB at a time',
        value: cryptoMBPerS,
        unit: 'MB/s',
      },
      ...idleRows(idle),
    ],
  });
} finally {
  ssh.kill();
  source.child.kill();
  if (runtime.connected) {
    const gone = once(runtime, 'exit');
    runtime.send('end');
    await gone;
  }
  await sshd.stop();
  rmSync(BUNDLE, { recursive: true, force: true });
}
