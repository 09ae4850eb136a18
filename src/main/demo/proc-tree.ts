import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { replaceFile } from './replace-file.ts';

/** A process of the box as its process table shows it. */
export interface ShownProcess {
  readonly pid: number;
  readonly parentPid: number;
  readonly argv: readonly [program: string, ...rest: string[]];
  readonly isStopped: boolean;
  /** The cards whose device nodes it holds open. */
  readonly gpus: readonly number[];
  /** Where it works, and the file that it prints to; null: nobody needs to see it. */
  readonly work: { readonly folder: string; readonly log: string } | null;
}

/** Without one a table of processes is not believed: something started everything else. */
const INIT: ShownProcess = {
  pid: 1,
  parentPid: 0,
  argv: ['/sbin/init'],
  isStopped: false,
  gpus: [],
  work: null,
};

/** What `getconf CLK_TCK` says. */
const TICKS_PER_S = 100;

/**
 * The processes that matter on the box as `/proc/<pid>`, found under $LEASEHOLD_PROC_ROOT. They are real ones, but no real
 * table could say that they hold a simulated card, and the box has booted later than the machine under it.
 */
export class ProcTree {
  readonly #folder: string;
  /** What stands in the folder, and since when. */
  readonly #shown = new Map<
    number,
    { readonly process: ShownProcess; readonly startTicks: number }
  >();
  #bootedAtMs = performance.now();
  #before: Promise<void> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async rebooted(): Promise<void> {
    this.#bootedAtMs = performance.now();
    await this.show([]);
  }

  /** One after the other: of two at once each would take away folders that the other one fills. */
  show(running: readonly ShownProcess[]): Promise<void> {
    const shown = this.#before.then(() => this.#show(running));
    // Whoever asked is told of a fault; the next one does not fail with it.
    this.#before = shown.catch(() => undefined);
    return shown;
  }

  async #show(running: readonly ShownProcess[]): Promise<void> {
    const processes = [INIT, ...running];
    const there = new Set(processes.map(({ pid }) => pid));
    for (const pid of [...this.#shown.keys()].filter((known) => !there.has(known))) {
      this.#shown.delete(pid);
      await rm(join(this.#folder, String(pid)), { recursive: true, force: true });
    }
    for (const each of processes) await this.#put(each);
  }

  async #put(shown: ShownProcess): Promise<void> {
    const known = this.#shown.get(shown.pid);
    if (known !== undefined && isSame(known.process, shown)) return;
    const startTicks =
      known?.startTicks ??
      Math.round(((performance.now() - this.#bootedAtMs) * TICKS_PER_S) / 1000);
    const folder = join(this.#folder, String(shown.pid));
    if (known !== undefined && isSame({ ...known.process, isStopped: shown.isStopped }, shown)) {
      // It was only stopped or goes on: who looks at this moment must not find it gone.
      await replaceFile(join(folder, 'stat'), describeStat(shown, startTicks));
      this.#shown.set(shown.pid, { process: shown, startTicks });
      return;
    }
    await rm(folder, { recursive: true, force: true });
    await mkdir(join(folder, 'fd'), { recursive: true });
    const [program] = shown.argv;
    await Promise.all([
      writeFile(join(folder, 'stat'), describeStat(shown, startTicks)),
      writeFile(join(folder, 'cmdline'), shown.argv.map((word) => `${word}\0`).join('')),
      symlink(program, join(folder, 'exe')),
      ...shown.gpus.map((gpu) => symlink(`/dev/nvidia${gpu}`, join(folder, 'fd', String(gpu + 3)))),
      ...(shown.work === null ? [] : describeWork(shown.work, folder)),
    ]);
    this.#shown.set(shown.pid, { process: shown, startTicks });
  }
}

/** Both of its streams go to its log, and no hang-up ends it, as nohup leaves a run. Its environment is nobody's business. */
function describeWork(
  { folder, log }: NonNullable<ShownProcess['work']>,
  at: string,
): readonly Promise<void>[] {
  return [
    symlink(folder, join(at, 'cwd')),
    symlink(log, join(at, 'fd', '1')),
    symlink(log, join(at, 'fd', '2')),
    writeFile(join(at, 'status'), 'SigIgn:\t0000000000000001\n'),
  ];
}

function isSame(one: ShownProcess, other: ShownProcess): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Fields 1 to 24 of proc(5); those that nobody reads are 0. */
function describeStat({ pid, parentPid, argv, isStopped }: ShownProcess, start: number): string {
  const name = (argv[0].split('/').at(-1) ?? '').slice(0, 15);
  const middle = Array.from({ length: 14 }, () => '0').join(' ');
  return `${pid} (${name}) ${isStopped ? 'T' : 'S'} ${parentPid} ${pid} ${middle} 1 0 ${start} 0 0\n`;
}
