import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { DemoBoxFault } from '../../shared/demo/faults.ts';
import type { Log } from '../log/log.ts';
import { HOST_CPUS, type Cgroup } from './cgroup.ts';
import type { Driver } from './driver.ts';
import type { BoxFolders } from './home.ts';
import type { PortTable } from './port-table.ts';
import { ProcTree, type ShownProcess } from './proc-tree.ts';
import { replaceFile } from './replace-file.ts';
import type { StrayWorker } from './stray-worker.ts';
import type { Trainer } from './trainer.ts';

export interface HeartbeatParts {
  readonly folders: BoxFolders;
  readonly trainer: Trainer;
  readonly stray: StrayWorker;
  readonly driver: Driver;
  readonly cgroup: Cgroup;
  readonly ports: Pick<PortTable, 'look'>;
  readonly hasFault: (fault: DemoBoxFault) => boolean;
  readonly log: Log;
}

/** Somebody on the box may have made it another one, that does not end. One that is stopped takes no signal before it goes on. */
const MAX_MS_TO_END = 10_000;

/** Moves the simulated world on: looks at the run's process, lets the cards follow, publishes what the tools print. */
export class Heartbeat {
  readonly #parts: HeartbeatParts;
  readonly #procTree: ProcTree;
  #timer: NodeJS.Timeout | null = null;
  #beat: Promise<void> = Promise.resolve();
  #isBeating = false;
  #portLook: Promise<void> | null = null;
  #lastMs = performance.now();
  #bootedAtMs = performance.now();
  #wasTraining = false;
  readonly #lastTrouble = { beat: '', ports: '' };
  #running: readonly ShownProcess[] = [];
  readonly #awaitingBeat: (() => void)[] = [];

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
    this.#procTree = new ProcTree(parts.folders.proc);
  }

  /** Returns after the first beat, when the tools have something to print. */
  async start(everyMs: number): Promise<void> {
    await this.#advance();
    const cpus = Array.from({ length: HOST_CPUS }, (_, index) => `cpu${index} 0 0 0 0`);
    await replaceFile(join(this.#parts.folders.proc, 'stat'), `${cpus.join('\n')}\n`);
    this.#timer = setInterval(() => {
      if (this.#isBeating) return; // a slow disk: the next beat covers the time of this one
      this.#beat = this.#advanceSafely();
      // It may go through every process of this computer, which takes a busy one seconds: the cards do not wait for that.
      this.#portLook ??= this.#lookAtPorts();
    }, everyMs);
  }

  async rebooted(): Promise<void> {
    this.#bootedAtMs = performance.now();
    this.#wasTraining = false;
    this.#running = [];
    await this.#procTree.rebooted();
  }

  /** Returns when the box's tables say what is so now: a beat that is under way may have looked before. */
  async shown(): Promise<void> {
    if (this.#isBeating) await this.#endOfBeat();
    await this.#endOfBeat();
  }

  /** This run was ended, or is about to notice that it is: returns when the box's tables say so too, or after a while of one that does not go. */
  async runEnded(pid: number | null): Promise<void> {
    const { trainer } = this.#parts;
    const untilMs = performance.now() + MAX_MS_TO_END;
    do await this.shown();
    while (
      pid !== null &&
      trainer.process?.pid === pid && // the next one may have begun by itself
      trainer.load !== 'held' &&
      performance.now() < untilMs
    );
  }

  #endOfBeat(): Promise<void> {
    return new Promise((resolve) => this.#awaitingBeat.push(resolve));
  }

  /** Nothing is written after this. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#beat;
    await this.#portLook;
  }

  async #advanceSafely(): Promise<void> {
    this.#isBeating = true;
    try {
      await this.#advance();
      this.#lastTrouble.beat = '';
    } catch (cause) {
      this.#troubled('beat', cause);
    } finally {
      this.#isBeating = false;
      for (const resolve of this.#awaitingBeat.splice(0)) resolve();
    }
  }

  async #lookAtPorts(): Promise<void> {
    try {
      await this.#parts.ports.look();
      this.#lastTrouble.ports = '';
    } catch (cause) {
      this.#troubled('ports', cause);
    } finally {
      this.#portLook = null;
    }
  }

  /** A full or vanished temp folder would say the same every second. */
  #troubled(part: 'beat' | 'ports', cause: unknown): void {
    const trouble = String(cause);
    if (trouble !== this.#lastTrouble[part]) {
      this.#parts.log.warn('the demo box could not move on', { part, cause: trouble });
    }
    this.#lastTrouble[part] = trouble;
  }

  async #advance(): Promise<void> {
    const { folders, trainer, stray, driver, cgroup, hasFault } = this.#parts;
    const now = performance.now();
    const elapsedS = (now - this.#lastMs) / 1000;
    this.#lastMs = now;
    await trainer.tick(elapsedS, Date.now());
    const strayWorker = await stray.look();
    const inputs = {
      load: trainer.load,
      process: trainer.process,
      stray: strayWorker,
      isThrottled: hasFault('throttle'),
      isLastGpuLost: hasFault('xid-79'),
    };
    const gpus = driver.gpus.map(({ index }) => index);
    const running = [
      ...trainer.shownProcesses(gpus),
      ...(strayWorker === null ? [] : [strayWorker]),
    ];
    // Whatever the cards list at any moment is a process of the box then.
    const going = this.#running.filter(({ pid }) => running.every((each) => each.pid !== pid));
    await this.#procTree.show([...running, ...going]);
    await driver.advance(elapsedS, inputs, new Date());
    await this.#procTree.show(running);
    this.#running = running;
    const isTraining = trainer.load !== 'idle';
    if (isTraining !== this.#wasTraining) await cgroup.setTraining(isTraining);
    this.#wasTraining = isTraining;
    await cgroup.advance(elapsedS, isTraining);
    const uptimeS = ((now - this.#bootedAtMs) / 1000).toFixed(2);
    await replaceFile(join(folders.proc, 'uptime'), `${uptimeS} ${uptimeS}\n`);
    const load = isTraining ? '6.40 6.31 6.02' : '0.12 0.20 0.31';
    await replaceFile(join(folders.proc, 'loadavg'), `${load} 2/311 4021\n`);
  }
}
