import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from './replace-file.ts';

const GIB = 1024 ** 3;
const LIMIT = 96 * GIB; // as in the recorded memory.max
const IDLE_BYTES = 1.2 * GIB;
const TRAINING_BYTES = 31 * GIB;
/** A slice of a machine with more: the limit is what counts. */
const CPUS = 8;
export const HOST_CPUS = 64;
const PERIODS_PER_S = 10;
const [IDLE_CPUS, TRAINING_CPUS] = [0.1, 6.2];
const TRAINING_STALLS = 0.06;
const [IDLE_THREADS, TRAINING_THREADS] = [9, 14];

/**
 * The box's memory limit as cgroup v2 files (facts/nvidia.md 5.1). A process cannot be put under a real limit without
 * rights, so these are simulated; commands find them under $LEASEHOLD_CGROUP_ROOT instead of /sys/fs/cgroup.
 */
export class Cgroup {
  readonly #folder: string;
  #oomKills = 0;
  #peak = IDLE_BYTES;
  #usedS = 0;
  #periods = 0;
  #throttled = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** As after a start of the container: counters begin again at 0. */
  async restart(): Promise<void> {
    this.#oomKills = 0;
    this.#usedS = 0;
    this.#periods = 0;
    this.#throttled = 0;
    this.#peak = IDLE_BYTES;
    await Promise.all([
      this.#write('cgroup.controllers', 'cpu memory pids'),
      this.#write('memory.max', LIMIT),
      this.#write('memory.high', 'max'),
      this.#write('memory.swap.max', 0),
      this.#write('cpu.max', `${CPUS * 100_000} 100000`),
      this.#writeEvents(),
      this.setTraining(false),
    ]);
  }

  async setTraining(isTraining: boolean): Promise<void> {
    await this.#writeUsage(isTraining ? TRAINING_BYTES : IDLE_BYTES);
  }

  /** CPU time and scheduler periods go on: a training run keeps its data loaders busy and meets its limit now and then. */
  async advance(elapsedS: number, isTraining: boolean): Promise<void> {
    this.#usedS += elapsedS * (isTraining ? TRAINING_CPUS : IDLE_CPUS);
    this.#periods += elapsedS * PERIODS_PER_S;
    this.#throttled += elapsedS * PERIODS_PER_S * (isTraining ? TRAINING_STALLS : 0);
    const counts = {
      usage_usec: this.#usedS * 1e6,
      nr_periods: this.#periods,
      nr_throttled: this.#throttled,
      throttled_usec: this.#throttled * 20_000,
    };
    const text = Object.entries(counts).map(([name, count]) => `${name} ${Math.round(count)}`);
    await Promise.all([
      this.#write('cpu.stat', text.join('\n')),
      this.#write('pids.current', isTraining ? TRAINING_THREADS : IDLE_THREADS),
    ]);
  }

  /** Memory reached the limit and the kernel killed a process. */
  async recordOomKill(): Promise<void> {
    this.#oomKills += 1;
    this.#peak = LIMIT;
    await Promise.all([this.#writeEvents(), this.#writeUsage(IDLE_BYTES)]);
  }

  async #writeUsage(bytes: number): Promise<void> {
    this.#peak = Math.max(this.#peak, bytes);
    await Promise.all([
      this.#write('memory.current', Math.round(bytes)),
      this.#write('memory.peak', Math.round(this.#peak)),
      this.#write('memory.stat', `anon ${Math.round(bytes)}\nfile 0\ninactive_file 0`),
    ]);
  }

  async #writeEvents(): Promise<void> {
    const kills = this.#oomKills;
    const counts = { low: 0, high: 0, max: kills, oom: kills, oom_kill: kills, oom_group_kill: 0 };
    const text = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
    await Promise.all([
      this.#write('memory.events', text.join('\n')),
      this.#write('memory.events.local', text.join('\n')),
    ]);
  }

  async #write(name: string, value: string | number): Promise<void> {
    await replaceFile(join(this.#folder, name), `${value}\n`);
  }
}

/** The kernel's words for a kill by the memory limit (shape recorded; facts/nvidia.md 5.1). */
export async function describeOomKill(pid: number): Promise<string[]> {
  const command = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'sh');
  const task = command.trim();
  return [
    `oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=demo-box,mems_allowed=0,oom_memcg=/demo-box,task_memcg=/demo-box,task=${task},pid=${pid},uid=0`,
    `Memory cgroup out of memory: Killed process ${pid} (${task}) total-vm:${LIMIT / 1024}kB, anon-rss:${LIMIT / 1024}kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:196608kB oom_score_adj:0`,
  ];
}
