// How fast a tunnel is beside `ssh -L`, in Electron's own runtime.
import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { freePort, startSshd, type TestSshd } from '../src/main/ssh/sshd.fixture.ts';
import { report, type BenchRow } from './harness.ts';
import { BUNDLE, startRuntime } from './main-runtime.ts';
import type { RuntimeSetUp } from './tunnel-throughput.runtime.ts';
import { startSsh } from './ssh-command.ts';
import { median } from './windows.ts';

const GOAL_RATIO = 0.8;
/** Odd, so that the median is a round that was measured. */
const ROUNDS = 7;
/** A second or so each: with half of that, one pause of the machine moves a round by a tenth. */
const BYTES = 500_000_000;
/** What is told beside the goal: fewer rounds, and fewer bytes for the slow one, take as long as they need to. */
const SIDE_ROUNDS = 3;
const SIDE_BYTES = { link: 100_000_000, bare: BYTES };

/** The other end of the tunnels, or the program that uses them. */
class Traffic {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;

  constructor(role: 'source' | 'client') {
    const file = fileURLToPath(new URL('./tunnel.traffic.ts', import.meta.url));
    this.#child = spawn(process.execPath, ['--import', 'tsx', file, role], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async next(): Promise<number> {
    const { value, done } = await this.#answers.next();
    if (done === true) throw new Error('the other end of the tunnels died');
    return Number(value);
  }

  ask(...question: readonly number[]): Promise<number> {
    this.#child.stdin.write(`${question.join(' ')}\n`);
    return this.next();
  }

  end(): void {
    this.#child.kill();
  }
}

function startForward({ port, user, keyFile }: TestSshd, from: number, to: number): ChildProcess {
  const forward = `127.0.0.1:${String(from)}:127.0.0.1:${String(to)}`;
  return startSsh({ user, keyFile }, port, { options: ['-N', '-L', forward] });
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

/**
 * Each round asks both, and the next one in the other order: a slow moment of the machine hits both, or one of seven rounds.
 * What is compared is the two of a round, never a good moment of one with a bad one of the other.
 */
async function measureThroughput(
  client: Traffic,
  ports: Ports,
  streams: number,
): Promise<readonly BenchRow[]> {
  const speed = (way: keyof Ports, bytes: number): Promise<number> =>
    client.ask(ports[way], streams, bytes);
  await speed('bulk', SIDE_BYTES.link); // warms up; meanwhile the heavy way opens
  const rounds: { ssh: number; bulk: number; ratio: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? (['ssh', 'bulk'] as const) : (['bulk', 'ssh'] as const);
    const seen = { ssh: NaN, bulk: NaN };
    for (const way of order) seen[way] = await speed(way, BYTES);
    rounds.push({ ...seen, ratio: seen.bulk / seen.ssh });
  }
  const baseline = median(rounds.map(({ ssh }) => ssh));
  const ratio = median(rounds.map((round) => round.ratio));
  const label = `${String(streams)} stream${streams === 1 ? '' : 's'}`;
  const rows: BenchRow[] = [
    {
      measure: `${label}, a heavy tunnel (baseline: ssh -L), median of ${String(ROUNDS)} rounds`,
      value: median(rounds.map(({ bulk }) => bulk)),
      unit: 'MB/s',
      baseline,
      ratio,
      goal: `at least ${String(GOAL_RATIO)}× ssh -L`,
      isMet: ratio >= GOAL_RATIO,
    },
    {
      measure: `${label}, the worst and the best of these rounds`,
      value: Math.min(...rounds.map((round) => round.ratio)),
      unit: `× to ${Math.max(...rounds.map((round) => round.ratio)).toFixed(2)}×`,
    },
  ];
  const words = { link: 'over ssh2 in this runtime', bare: 'the same traffic without any tunnel' };
  for (const way of ['link', 'bare'] as const) {
    const seen: number[] = [];
    for (let round = 0; round < SIDE_ROUNDS; round += 1) {
      seen.push(await speed(way, SIDE_BYTES[way]));
    }
    const value = median(seen);
    const measure = `${label}, ${words[way]} (baseline: ssh -L)`;
    rows.push({ measure, value, unit: 'MB/s', baseline, ratio: value / baseline });
  }
  return rows;
}

const sshd = await startSshd();
const [source, client] = [new Traffic('source'), new Traffic('client')];
const sourcePort = await source.next();
const setUp: RuntimeSetUp = {
  sshdPort: sshd.port,
  user: sshd.user,
  privateKey: sshd.privateKey,
  sourcePort,
  linkPort: await freePort(),
  bulkPort: await freePort(),
};
const runtime = await startRuntime('./tunnel-throughput.runtime.ts');
const sshPort = await freePort();
const ssh = startForward(sshd, sshPort, sourcePort);
try {
  runtime.send(setUp);
  const [{ cryptoMBPerS }] = (await once(runtime, 'message')) as [{ cryptoMBPerS: number }];
  await listening(ssh, sshPort);
  const ports = { bare: sourcePort, link: setUp.linkPort, bulk: setUp.bulkPort, ssh: sshPort };
  const rows: BenchRow[] = [];
  for (const streams of [1, 8]) rows.push(...(await measureThroughput(client, ports, streams)));
  const measure = 'AES-128-GCM of this runtime, 32 KiB at a time';
  rows.push({ measure, value: cryptoMBPerS, unit: 'MB/s' });
  report({ name: 'tunnel-throughput', rows });
} finally {
  ssh.kill();
  source.end();
  client.end();
  if (runtime.connected) {
    const gone = once(runtime, 'exit');
    runtime.send('end');
    await gone;
  }
  await sshd.stop();
  rmSync(BUNDLE, { recursive: true, force: true });
}
