// Pushing 20,000 files over a real loopback sshd, beside rsync on the same files: for the first time, unchanged, and with one change.
// What is timed is the whole of it: reading the folder here, the look at the box, what is sent, and reading it back.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSshd, type TestSshd } from '../src/main/ssh/sshd.fixture.ts';
import type { PushRequest } from '../src/shared/runs/launch/run-request.ts';
import { report, type BenchRow } from './harness.ts';
import { BUNDLE, startRuntime } from './main-runtime.ts';
import type { PushOrder, PushSetUp, PushTimes } from './push.runtime.ts';
import { endOf } from './ssh-command.ts';
import { median } from './windows.ts';

const FILES = 20_000;
const FOLDERS = 400;
const ROUNDS = 5;
const GOAL_RATIO = 2;
/** What has just been written is hashed again: its time would not tell of another change in the same moment. */
const SETTLE_MS = 2500;

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SETTLE_MS));

function makeProject(folder: string): void {
  for (let at = 0; at < FILES; at += 1) {
    const inside = join(folder, `package_${String(at % FOLDERS)}`);
    if (at < FOLDERS) mkdirSync(inside, { recursive: true });
    const line = `def function_${String(at)}(value):  # ${'.'.repeat(at % 50)}\n    return value\n`;
    writeFileSync(join(inside, `module_${String(at)}.py`), line.repeat(20 + (at % 40)));
  }
  execFileSync('git', ['init', '-q'], { cwd: folder });
  execFileSync('git', ['add', '.'], { cwd: folder });
}

/** As a person would type it; it logs in each time, as the app does not. */
async function rsync(
  { user, keyFile, port }: TestSshd,
  flags: string,
  from: string,
  to: string,
): Promise<number> {
  const ssh = `ssh -F none -i ${keyFile} -p ${String(port)} -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o IdentitiesOnly=yes -o LogLevel=ERROR`;
  const beganMs = performance.now();
  await endOf(
    spawn('rsync', [flags, '--exclude=.git', '-e', ssh, `${from}/`, `${user}@127.0.0.1:${to}/`], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { PATH: process.env['PATH'] },
    }),
  );
  return performance.now() - beganMs;
}

class Pusher {
  readonly #runtime: ChildProcess;

  private constructor(runtime: ChildProcess) {
    this.#runtime = runtime;
  }

  static async start(sshd: TestSshd): Promise<Pusher> {
    const runtime = await startRuntime('./push.runtime.ts');
    const setUp: PushSetUp = {
      sshdPort: sshd.port,
      user: sshd.user,
      privateKey: sshd.privateKey,
      scripts: fileURLToPath(new URL('../resources/onbox', import.meta.url)),
    };
    const ready = once(runtime, 'message');
    runtime.send(setUp);
    await ready;
    return new Pusher(runtime);
  }

  async push(order: PushOrder): Promise<PushTimes> {
    const answer = once(this.#runtime, 'message');
    this.#runtime.send(order);
    const [times] = (await answer) as [PushTimes];
    return times;
  }

  async stop(): Promise<void> {
    const gone = once(this.#runtime, 'exit');
    this.#runtime.send('end');
    await gone;
  }
}

const all = ({ planMs, pushMs }: PushTimes): number => planMs + pushMs;

/** Both in each round: a slow moment of the machine hits both. */
async function compare(
  measure: string,
  push: () => Promise<PushTimes>,
  peer: () => Promise<number>,
  goalRatio: number | null = null,
): Promise<readonly BenchRow[]> {
  const rounds: { readonly times: PushTimes; readonly peerMs: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const peerMs = await peer();
    rounds.push({ times: await push(), peerMs });
  }
  const ratio = median(rounds.map(({ times, peerMs }) => all(times) / peerMs));
  return [
    {
      measure: `${measure}, median of ${String(ROUNDS)}`,
      value: median(rounds.map(({ times }) => all(times))),
      unit: 'ms',
      baseline: median(rounds.map(({ peerMs }) => peerMs)),
      ratio,
      ...(goalRatio === null
        ? {}
        : { goal: `at most ${String(goalRatio)}× rsync`, isMet: ratio <= goalRatio }),
    },
    {
      measure: '  of it, up to the plan',
      value: median(rounds.map(({ times }) => times.planMs)),
      unit: 'ms',
    },
  ];
}

const folder = mkdtempSync(join(tmpdir(), 'leasehold-push-bench-'));
const from = join(folder, 'project');
const boxFolder = (name: string): string => join(folder, 'box', name);
mkdirSync(boxFolder(''), { recursive: true });
makeProject(from);
const sshd = await startSshd();
const request = (more: Partial<PushRequest> = {}): PushRequest => ({
  from,
  ignore: [],
  delete: false,
  fixLineEnds: false,
  rehash: false,
  ...more,
});
let pusher = await Pusher.start(sshd);
try {
  await settle();
  const to = boxFolder('ours');
  const theirs = boxFolder('theirs');
  const order: PushOrder = { push: request(), to };
  const firstPeerMs = await rsync(sshd, '-a', from, theirs);
  const first = await pusher.push(order);
  const rows: BenchRow[] = [
    {
      measure: `first push of ${String(FILES)} files (baseline: rsync -a)`,
      value: all(first),
      unit: 'ms',
      baseline: firstPeerMs,
      ratio: all(first) / firstPeerMs,
    },
  ];
  await settle();
  rows.push(
    ...(await compare(
      `the same ${String(FILES)} files, unchanged (baseline: rsync -a)`,
      () => pusher.push(order),
      () => rsync(sshd, '-a', from, theirs),
      GOAL_RATIO,
    )),
  );
  let round = 0;
  const change = (): void =>
    writeFileSync(join(from, 'package_7', 'module_7.py'), `# ${String((round += 1))}\n`);
  rows.push(
    ...(await compare(
      'one of them changed (baseline: rsync -a)',
      () => pusher.push(order),
      () => {
        change();
        return rsync(sshd, '-a', from, theirs);
      },
    )),
  );
  rows.push(
    ...(await compare(
      'unchanged, every file read again (baseline: rsync -ac)',
      () => pusher.push({ ...order, push: request({ rehash: true }) }),
      () => rsync(sshd, '-ac', from, theirs),
    )),
  );
  await pusher.stop();
  pusher = await Pusher.start(sshd);
  const restarted = await pusher.push(order);
  const peerMs = await rsync(sshd, '-a', from, theirs);
  rows.push({
    measure: 'unchanged, after a restart of the app (baseline: rsync -a)',
    value: all(restarted),
    unit: 'ms',
    baseline: peerMs,
    ratio: all(restarted) / peerMs,
  });
  report({ name: 'push', rows });
} finally {
  await pusher.stop();
  await sshd.stop();
  rmSync(folder, { recursive: true, force: true });
  rmSync(BUNDLE, { recursive: true, force: true });
}
