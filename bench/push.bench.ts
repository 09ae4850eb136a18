// Pushing 20,000 files over a real loopback sshd, beside rsync on the same files: for the first time, unchanged, and with 1 % changed.
// What is timed is the whole of it: reading the folder here, the look at the box, what is sent, and reading it back. rsync does the same
// work with -ac, which compares by checksum, and -anc after it, which reads back what is there; -a alone believes sizes and times.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
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
const ROUNDS = 3;
/** 1 % of them. */
const CHANGED = FILES / 100;
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

interface PeerTimes {
  readonly plainMs: number;
  readonly sameWorkMs: number;
}

/** Into two folders of their own, so that both have the same to do. */
async function peers(to: TestSshd, from: string, into: string): Promise<PeerTimes> {
  const plainMs = await rsync(to, '-a', from, `${into}-plain`);
  const sentMs = await rsync(to, '-ac', from, into);
  return { plainMs, sameWorkMs: sentMs + (await rsync(to, '-anc', from, into)) };
}

class Pusher {
  readonly #runtime: ChildProcess;

  private constructor(runtime: ChildProcess) {
    this.#runtime = runtime;
  }

  static async start(sshd: TestSshd, hashes: string): Promise<Pusher> {
    const runtime = await startRuntime('./push.runtime.ts');
    const setUp: PushSetUp = {
      sshdPort: sshd.port,
      user: sshd.user,
      privateKey: sshd.privateKey,
      scripts: fileURLToPath(new URL('../resources/onbox', import.meta.url)),
      hashes,
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

interface Round {
  readonly times: PushTimes;
  readonly peer: PeerTimes;
}

function rowsOf(measure: string, rounds: readonly Round[]): readonly BenchRow[] {
  const ours = median(rounds.map(({ times }) => all(times)));
  const many = rounds.length === 1 ? '' : `, median of ${String(rounds.length)}`;
  const beside = (peerOf: (peer: PeerTimes) => number) => ({
    ...{ value: ours, unit: 'ms', baseline: median(rounds.map(({ peer }) => peerOf(peer))) },
    ratio: median(rounds.map(({ times, peer }) => all(times) / peerOf(peer))),
  });
  const same = beside(({ sameWorkMs }) => sameWorkMs);
  return [
    {
      measure: `${measure} (baseline: rsync -ac and -anc)${many}`,
      ...same,
      goal: `at most ${String(GOAL_RATIO)}× rsync`,
      isMet: same.ratio <= GOAL_RATIO,
    },
    { measure: '  beside rsync -a', ...beside(({ plainMs }) => plainMs) },
    {
      measure: '  of it, up to the plan',
      value: median(rounds.map(({ times }) => times.planMs)),
      unit: 'ms',
    },
  ];
}

/** Both in each round: a slow moment of the machine hits both. */
async function compare(
  measure: string,
  push: () => Promise<PushTimes>,
  peer: () => Promise<PeerTimes>,
  count = ROUNDS,
): Promise<readonly BenchRow[]> {
  const rounds: Round[] = [];
  for (let round = 0; round < count; round += 1) {
    const peerTimes = await peer();
    rounds.push({ times: await push(), peer: peerTimes });
  }
  return rowsOf(measure, rounds);
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
const hashes = join(folder, 'hashes');
let pusher = await Pusher.start(sshd, hashes);
const load = (): string => loadavg()[0]?.toFixed(0) ?? '';
const loadBefore = load();
try {
  await settle();
  const theirs = boxFolder('theirs');
  const order: PushOrder = { push: request(), to: boxFolder('ours') };
  const both = (): Promise<PeerTimes> => peers(sshd, from, theirs);
  const push = (): Promise<PushTimes> => pusher.push(order);
  const rows: BenchRow[] = [
    ...(await compare(`first push of ${String(FILES)} files`, push, both, 1)),
  ];
  await settle();
  rows.push(...(await compare(`the same ${String(FILES)} files, unchanged`, push, both)));
  let round = 0;
  const change = (): void => {
    round += 1;
    for (let at = 0; at < CHANGED; at += 1) {
      const file = `package_${String(at % FOLDERS)}/module_${String(at)}.py`;
      writeFileSync(join(from, file), `# ${String(round)}\n`.repeat(400));
    }
  };
  rows.push(
    ...(await compare(`${String(CHANGED)} of them changed`, push, () => {
      change();
      return both();
    })),
    ...(await compare(
      'unchanged, every file read again',
      () => pusher.push({ ...order, push: request({ rehash: true }) }),
      both,
    )),
    ...(await compare(
      'unchanged, after a restart of the app',
      async () => {
        await pusher.stop();
        pusher = await Pusher.start(sshd, hashes);
        return push();
      },
      both,
    )),
    { measure: `load at the start ${loadBefore}; at the end`, value: Number(load()), unit: '' },
  );
  report({ name: 'push', rows });
} finally {
  await pusher.stop();
  await sshd.stop();
  rmSync(folder, { recursive: true, force: true });
  rmSync(BUNDLE, { recursive: true, force: true });
}
