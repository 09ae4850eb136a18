// Bringing results home over a real loopback sshd, hashed on both sides and proven, beside scp and rsync, which hash nothing: many small
// files and one large one; and one file over a round trip of 100 ms, beside ssh2's own download.
import { spawn } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { closeSync, mkdirSync, mkdtempSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSshd, type TestSshd } from '../src/main/ssh/sshd.fixture.ts';
import { startDelayingProxy } from './delaying-proxy.ts';
import { report, type BenchRow } from './harness.ts';
import { Puller } from './puller.ts';
import type { PullAnswer } from './pull.runtime.ts';
import { endOf } from './ssh-command.ts';
import { median } from './windows.ts';

const FILES = 20_000;
const FOLDERS = 200;
const LARGE_MB = 2_000;
/** So many that the beginning, where each side feels its way, counts for little. */
const FAR_MB = 400;
const FAR_ONE_WAY_MS = 50;
const HASHED_MB = 4;
const HASHED_TIMES = 40;
const ROUNDS = 1;
const GOALS = { scp: 1, rsync: 0.9, fastGet: 3 };

const folder = mkdtempSync(join(tmpdir(), 'leasehold-pull-bench-'));
const many = join(folder, 'box', 'many');
const large = join(folder, 'box', 'large');
const far = join(folder, 'box', 'far');
for (const each of [many, large, far]) mkdirSync(each, { recursive: true });

function makeFiles(): void {
  for (let at = 0; at < FILES; at += 1) {
    const inside = join(many, `step_${String(at % FOLDERS)}`);
    if (at < FOLDERS) mkdirSync(inside);
    const line = `{"step":${String(at)},"loss":${String(1 / (at + 1))}}\n`;
    writeFileSync(join(inside, `part_${String(at)}.jsonl`), line.repeat(60 + (at % 60)));
  }
  makeLarge(join(large, 'model.bin'), LARGE_MB);
  makeLarge(join(far, 'model.bin'), FAR_MB);
}

function makeLarge(file: string, megabytes: number): void {
  const bytes = Buffer.alloc(1_000_000);
  const fd = openSync(file, 'w');
  for (let at = 0; at < megabytes; at += 1) writeSync(fd, randomFillSync(bytes));
  closeSync(fd);
}

/** As a person would type it; it logs in each time, as the app does not. */
async function byCommand(words: readonly string[]): Promise<number> {
  const [program = '', ...args] = words;
  const beganMs = performance.now();
  await endOf(
    spawn(program, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { PATH: process.env['PATH'] },
    }),
  );
  return performance.now() - beganMs;
}

const OPTIONS = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR'];
const sshWords = ({ keyFile }: TestSshd): readonly string[] => [
  ...['-F', 'none', '-i', keyFile, '-o', 'IdentitiesOnly=yes'],
  ...OPTIONS.flatMap((option) => ['-o', option]),
];
const byScp = (sshd: TestSshd, from: string, to: string): Promise<number> => {
  const where = `${sshd.user}@127.0.0.1:${from}`;
  return byCommand(['scp', '-q', '-r', ...sshWords(sshd), '-P', String(sshd.port), where, to]);
};
const byRsync = (sshd: TestSshd, from: string, to: string): Promise<number> => {
  const ssh = ['ssh', ...sshWords(sshd), '-p', String(sshd.port)].join(' ');
  return byCommand(['rsync', '-a', '-e', ssh, `${sshd.user}@127.0.0.1:${from}/`, `${to}/`]);
};

let rounds = 0;
/** A folder that nothing has been brought into, gone again afterwards. */
async function intoFresh<T>(act: (to: string) => Promise<T>): Promise<T> {
  rounds += 1;
  const to = join(folder, `here-${String(rounds)}`);
  try {
    return await act(to);
  } finally {
    // Without waiting in place: the proxy of the distant one runs in this process.
    await rm(to, { recursive: true, force: true });
  }
}

/** All of them in each round: a slow moment of the machine hits all. How many times as fast as each, in the median. */
async function beside(
  measure: string,
  ours: () => Promise<PullAnswer>,
  peers: readonly {
    readonly name: string;
    readonly goal: number;
    readonly run: () => Promise<number>;
  }[],
): Promise<readonly BenchRow[]> {
  const done: { readonly answer: PullAnswer; readonly peerMs: readonly number[] }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const peerMs: number[] = [];
    for (const { run } of peers) peerMs.push(await run());
    done.push({ answer: await ours(), peerMs });
  }
  const value = median(done.map(({ answer }) => answer.ms));
  return [
    ...peers.map(({ name, goal }, at): BenchRow => {
      const timesAsFast = median(done.map(({ answer, peerMs }) => (peerMs[at] ?? 0) / answer.ms));
      return {
        measure: `${measure}, beside ${name}, median of ${String(ROUNDS)}`,
        ...{ value, unit: 'ms', baseline: median(done.map(({ peerMs }) => peerMs[at] ?? 0)) },
        goal: `at least ${String(goal)}× as fast: ${timesAsFast.toFixed(2)}×`,
        isMet: timesAsFast >= goal,
      };
    }),
    {
      measure: `  ${[...new Set(done.map(({ answer }) => answer.over))].join(', then ')}; load average of the last minute`,
      value: loadavg()[0] ?? 0,
      unit: 'of the machine',
    },
    {
      measure: '  of it, main held up at a time, at most',
      value: median(done.map(({ answer }) => answer.stalledMs)),
      unit: 'ms',
    },
  ];
}

/** What a large file is bound by: a runtime hashes on one core, and Electron's library need not know the processor's instructions for it. */
async function hashing(name: string, puller: Puller): Promise<BenchRow> {
  let leastMs = Infinity;
  // The fastest of many short ones: others work on the same cores.
  for (let no = 0; no < HASHED_TIMES; no += 1) {
    const { ms } = await puller.do({ kind: 'hash', megabytes: HASHED_MB });
    leastMs = Math.min(leastMs, ms);
  }
  return { measure: `SHA-256 in ${name}`, value: (HASHED_MB / leastMs) * 1000, unit: 'MB/s' };
}

makeFiles();
const sshd = await startSshd({ configLines: ['Subsystem sftp internal-sftp'] });
const manifests = join(folder, 'manifests');
const near = await Puller.start(sshd, sshd.port, manifests);
const inNode = await Puller.start(sshd, sshd.port, manifests, 'node');
const proxy = await startDelayingProxy(sshd.port, FAR_ONE_WAY_MS);
const distant = await Puller.start(sshd, proxy.port, manifests);
try {
  const rows: BenchRow[] = [];
  for (const [what, puller, results] of [
    [`${String(FILES)} small files`, near, many],
    [`one file of ${String(LARGE_MB)} MB`, near, large],
    [`the same in Node, as cli -- pull`, inNode, large],
  ] as const) {
    rows.push(
      ...(await beside(what, () => intoFresh((to) => puller.do({ kind: 'pull', results, to })), [
        {
          ...{ name: 'scp -r', goal: GOALS.scp },
          run: () => intoFresh((to) => byScp(sshd, results, to)),
        },
        {
          ...{ name: 'rsync -a', goal: GOALS.rsync },
          run: () => intoFresh((to) => byRsync(sshd, results, to)),
        },
      ])),
    );
  }
  rows.push(
    ...(await beside(
      `one file of ${String(FAR_MB)} MB over a round trip of ${String(2 * FAR_ONE_WAY_MS)} ms`,
      () => intoFresh((to) => distant.do({ kind: 'pull', results: far, to })),
      [
        {
          ...{ name: 'fastGet of ssh2', goal: GOALS.fastGet },
          run: async () =>
            intoFresh(async (to) => {
              mkdirSync(to);
              const order = { file: join(far, 'model.bin'), to: join(to, 'model.bin') };
              return (await distant.do({ kind: 'fast-get', ...order })).ms;
            }),
        },
      ],
    )),
  );
  rows.push(await hashing('Electron', near), await hashing('Node', inNode));
  report({ name: 'pull', rows });
} finally {
  await near.stop();
  await inNode.stop();
  await distant.stop();
  await proxy.stop();
  await sshd.stop();
  await rm(folder, { recursive: true, force: true });
}
