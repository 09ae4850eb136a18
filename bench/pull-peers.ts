// A pull beside what a person would type, each on files that nothing has been brought of: scp, rsync.
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { TestSshd } from '../src/main/ssh/sshd.fixture.ts';
import type { BenchRow } from './harness.ts';
import type { PullAnswer } from './pull.runtime.ts';
import type { Puller } from './puller.ts';
import { endOf } from './ssh-command.ts';
import { median } from './windows.ts';

const GOALS = { scp: 1, rsync: 0.9 };

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

let times = 0;
/** A folder in this one that nothing has been brought into. */
const freshIn = (folder: string): string => {
  times += 1;
  return join(folder, `here-${String(times)}`);
};

/** Such a folder, gone again afterwards. */
export async function intoFresh<T>(folder: string, act: (to: string) => Promise<T>): Promise<T> {
  const to = freshIn(folder);
  try {
    return await act(to);
  } finally {
    // Without waiting in place: the proxy of the distant one runs in this process.
    await rm(to, { recursive: true, force: true });
  }
}

/** All of them in each round: a slow moment of the machine hits all. How many times as fast as each, in the median. */
export async function beside(
  measure: string,
  ours: () => Promise<PullAnswer>,
  peers: readonly {
    readonly name: string;
    readonly goal: number;
    readonly run: () => Promise<number>;
  }[],
  rounds = 1,
): Promise<readonly BenchRow[]> {
  const done: { readonly answer: PullAnswer; readonly peerMs: readonly number[] }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const peerMs: number[] = [];
    for (const { run } of peers) peerMs.push(await run());
    done.push({ answer: await ours(), peerMs });
  }
  const value = median(done.map(({ answer }) => answer.ms));
  return [
    ...peers.map(({ name, goal }, at): BenchRow => {
      const timesAsFast = median(done.map(({ answer, peerMs }) => (peerMs[at] ?? 0) / answer.ms));
      return {
        measure: `${measure}, beside ${name}, median of ${String(rounds)}`,
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

/** What a pull of one folder takes beside both. */
export function pullBeside(
  what: string,
  {
    puller,
    results,
    sshd,
    folder,
    isFar,
  }: {
    readonly puller: Puller;
    readonly results: string;
    readonly sshd: TestSshd;
    /**
     * Where it is brought to. All copies stay until that goes: for some minutes ext4 looks past each number of a file that was deleted, one
     * by one, so that after ten thousands of those whoever makes new files next would take several times as long.
     */
    readonly folder: string;
    /** scp asks and waits for each file: over a link that answers late, ten thousands of them take it the better part of an hour. */
    readonly isFar?: true;
  },
  rounds?: number,
): Promise<readonly BenchRow[]> {
  const ours = (): Promise<PullAnswer> => puller.do({ kind: 'pull', results, to: freshIn(folder) });
  const peers = [
    ...(isFar === true ? [] : [{ name: 'scp -r', goal: GOALS.scp, by: byScp }]),
    { name: 'rsync -a', goal: GOALS.rsync, by: byRsync },
  ].map(({ by, ...peer }) => ({
    ...peer,
    run: () => by(sshd, results, freshIn(folder)),
  }));
  return beside(what, ours, peers, rounds);
}
