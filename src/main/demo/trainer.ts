import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DemoBoxFault } from '../../shared/demo/faults.ts';
import type { Log } from '../log/log.ts';
import type { BoxChild, BoxProcesses } from './box-processes.ts';
import type { GpuProcess } from './gpu/driver-table.ts';
import type { Load } from './gpu/gpu-physics.ts';
import type { BoxFolders } from './home.ts';
import type { ShownProcess } from './proc-tree.ts';
import { readLiveness, readStartTime } from './process-facts.ts';
import { replaceFile } from './replace-file.ts';
import { checkpointPath, type RunFiles } from './run-files.ts';
import { formatStep, writeTrainingScript } from './training-script.ts';

/** How fast the toy run goes; tests make it faster. */
export interface TrainingPace {
  readonly stepS: number;
  readonly stepsPerEpoch: number;
  readonly epochs: number;
  /** Pause before the next run after one that finished, and after one that died. */
  readonly pauseAfterFinishS: number;
  readonly pauseAfterDeathS: number;
}

/** Ten minutes a run; a dead one stays dead long enough to be noticed and looked at. */
export const DEFAULT_PACE: TrainingPace = {
  stepS: 2,
  stepsPerEpoch: 10,
  epochs: 30,
  pauseAfterFinishS: 20,
  pauseAfterDeathS: 180,
};

/** A run that is asked to be alive may be dying just then; its end is noticed within this time and answered at once. */
const MEND_WITHIN_S = 3;
const MEND_STEP_S = 0.5;

interface TrainerOptions {
  readonly folders: BoxFolders;
  readonly processes: BoxProcesses;
  readonly files: RunFiles;
  readonly pace: TrainingPace;
  readonly seed: number;
  readonly hasFault: (fault: DemoBoxFault) => boolean;
  readonly log: Log;
}

/** What `train.sh` last said of itself. */
interface Status {
  readonly pid: number;
  readonly phase: Load;
  readonly run: string;
}

/**
 * Looks after the toy run: starts it, sees what its process does, and writes the files that it asks for. The process is a
 * shell script on the box; whatever happens to it there is what the GPUs show.
 */
export class Trainer {
  readonly #options: TrainerOptions;
  #status: Status | null = null;
  /** When the process of the run in `#status` began, as it was first seen. */
  #birth: { readonly run: string; readonly startTime: string | null } | null = null;
  #load: Load = 'idle';
  #quietS = 0;
  #mayRestart = true;
  #mendingS = 0;
  #started = 0;
  /** `run.sh` as this class started it, while it lives: the moments before the run tells its state. */
  #launcher: BoxChild | null = null;
  #isStarting = false;
  readonly #awaitingNews: (() => void)[] = [];

  constructor(options: TrainerOptions) {
    this.#options = options;
  }

  get load(): Load {
    return this.#load;
  }

  get process(): GpuProcess | null {
    if (this.#load === 'idle' || this.#status === null) return null;
    return { pid: this.#status.pid, name: './train.sh' }; // as `run.sh` starts it, and as ps shows it
  }

  /** The run and what started it, as the box's process table shows them. */
  shownProcesses(gpus: readonly number[]): readonly ShownProcess[] {
    const { process } = this;
    if (process === null || this.#status === null) return [];
    const isStopped = this.#load === 'held';
    const parentPid = this.#launcher?.pid ?? 1;
    const argv = [process.name, this.#status.run] as const;
    const run: ShownProcess = {
      pid: process.pid,
      parentPid,
      argv: [...argv],
      isStopped,
      gpus,
      work: {
        folder: join(this.#options.folders.home, 'train'),
        log: join(this.#status.run, 'train.log'),
      },
    };
    if (parentPid === 1) return [run];
    const launcher = ['sh', 'train/run.sh'] as const;
    return [
      run,
      { pid: parentPid, parentPid: 1, argv: [...launcher], isStopped: false, gpus: [], work: null },
    ];
  }

  /** Begins a new run as a process of its own on the box. */
  async start(): Promise<void> {
    this.#isStarting = true;
    try {
      await this.#launch();
    } finally {
      this.#isStarting = false;
    }
  }

  async #launch(): Promise<void> {
    const { folders, pace, processes, seed, log } = this.#options;
    const { stepS, stepsPerEpoch, epochs } = pace;
    this.#started += 1;
    this.#quietS = 0;
    this.#mendingS = 0;
    this.#mayRestart = true;
    const script = writeTrainingScript(seed + 10 * this.#started, epochs, stepsPerEpoch);
    await rm(join(folders.trainer, 'held.log'), { force: true });
    await writeFile(join(folders.trainer, 'pace'), `${stepS} ${stepsPerEpoch} ${epochs}\n`);
    await writeFile(join(folders.trainer, 'script.txt'), `${script.map(formatStep).join('\n')}\n`);
    const child = processes.start({
      file: processes.shell,
      args: [join(folders.home, 'train', 'run.sh')],
    });
    this.#launcher = child;
    const forget = (): void => {
      if (this.#launcher === child) this.#launcher = null;
      this.#tellNews();
    };
    child.on('exit', forget);
    child.on('error', (cause) => {
      forget();
      log.warn('the toy run did not start', { cause: cause.message });
    });
    child.stdin.end();
    child.stdout.resume();
    child.stderr.resume();
  }

  /** Starts a run unless one is alive; also when the one that seems alive ends in the next moments. */
  async ensureRunning(): Promise<void> {
    await this.#readStatus();
    if (this.#isQuiet()) await this.start();
    else this.#mendingS = MEND_WITHIN_S;
  }

  #isQuiet(): boolean {
    return this.#load === 'idle' && this.#launcher === null && !this.#isStarting;
  }

  /** The box went down: nothing starts by itself until somebody starts it, unless the box has an autostart file. */
  async rebooted(): Promise<void> {
    this.wentDown();
    const autostart = join(this.#options.folders.home, 'train', 'autostart');
    if (existsSync(autostart)) await this.start();
  }

  /** Everything on the box ends, and nothing starts by itself. */
  wentDown(): void {
    this.#load = 'idle';
    this.#mendingS = 0;
    this.#mayRestart = false;
  }

  /**
   * Ends the run's process from outside and returns its pid, once its log and its exit status say so; null when none runs. One that is
   * just starting has told nothing of itself yet and is waited for: it would outlive its own death.
   */
  async kill(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    await this.#readStatus();
    while (this.#load === 'idle' && this.#launcher !== null) await this.#nextNews();
    const pid = this.#load === 'idle' ? undefined : this.#status?.pid;
    // SECURITY: the pid comes from a file that anything on the box may have written.
    if (pid === undefined || !(await this.#options.processes.owns(pid))) return null;
    const launcher = this.#launcher;
    try {
      process.kill(pid, signal);
      // Over is a run once its launcher has written how it ended; one that is held hears no SIGTERM.
      while (launcher !== null && this.#launcher === launcher && this.#load !== 'held') {
        await this.#nextNews();
      }
      return pid;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ESRCH') return null; // it ended by itself just now
      throw cause;
    }
  }

  /** After the next look at the run, or when what started it has ended. */
  #nextNews(): Promise<void> {
    return new Promise((resolve) => this.#awaitingNews.push(resolve));
  }

  #tellNews(): void {
    for (const resolve of this.#awaitingNews.splice(0)) resolve();
  }

  async tick(elapsedS: number, nowMs: number): Promise<void> {
    await this.#answerRequest(nowMs);
    await this.#readStatus();
    this.#tellNews();
    // Time in which this process itself stood still is no time in which it could have noticed anything.
    this.#mendingS -= Math.min(elapsedS, MEND_STEP_S);
    this.#quietS = this.#isQuiet() ? this.#quietS + elapsedS : 0;
    if (this.#isQuiet() && this.#isTimeToStart()) await this.start();
  }

  #isTimeToStart(): boolean {
    if (this.#mendingS > 0) return true;
    const { pauseAfterFinishS, pauseAfterDeathS } = this.#options.pace;
    const pauseS = this.#hasFinished() ? pauseAfterFinishS : pauseAfterDeathS;
    return this.#mayRestart && this.#quietS >= pauseS;
  }

  #hasFinished(): boolean {
    return this.#status !== null && existsSync(join(this.#status.run, 'DONE'));
  }

  async #readStatus(): Promise<void> {
    const text = await readFile(join(this.#options.folders.trainer, 'status'), 'utf8').catch(
      () => '',
    );
    // The script writes it in place: an empty or cut line is a moment of that, and the last one stands.
    this.#status = parseStatus(text) ?? this.#status;
    if (this.#status === null) return;
    const { pid, run } = this.#status;
    if (this.#birth?.run !== run) this.#birth = { run, startTime: await readStartTime(pid) };
    // Numbers come around: the process that has this one by now may be another.
    const isSame = (await readStartTime(pid)) === this.#birth.startTime;
    const liveness = isSame ? await readLiveness(pid) : 'gone';
    const phases = { running: this.#status.phase, stopped: 'held', gone: 'idle' } as const;
    this.#load = phases[liveness];
  }

  /** `train.sh` asks for the files of an epoch with `pid epoch step folder` and waits for one line of answer. */
  async #answerRequest(nowMs: number): Promise<void> {
    const { folders, log } = this.#options;
    const path = join(folders.trainer, 'request');
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text === null) return;
    await rm(path, { force: true });
    const [, epoch, step, folder] = /^\d+ (\d+) (\d+) (.+)\n$/.exec(text) ?? [];
    if (folder === undefined || !this.#options.files.isRunFolder(folder)) {
      log.warn('the toy run asked for something unreadable', { request: text.slice(0, 200) });
      return;
    }
    const answer = await this.#save(folder, Number(epoch), Number(step), nowMs);
    await replaceFile(join(folders.trainer, 'answer'), `${answer}\n`);
  }

  async #save(folder: string, epoch: number, step: number, nowMs: number): Promise<string> {
    const { files, hasFault, log } = this.#options;
    if (hasFault('inodes-full')) return `no-inode ${checkpointPath(folder, epoch)}.tmp`;
    if (hasFault('disk-full')) return `no-space ${await files.breakOff(folder, epoch, step)}`;
    try {
      return `saved ${await files.saveEpoch(folder, epoch, step, nowMs)}`;
    } catch (cause) {
      // This machine's own disk: the run hears of it as it would on any box.
      log.warn('a toy checkpoint could not be written', { cause: String(cause) });
      return `no-space ${checkpointPath(folder, epoch)}`;
    }
  }
}

function parseStatus(text: string): Status | null {
  const [, pid, phase, run] =
    /^(\d+) (starting|training|saving) \d+ \d+ (\/.+)\n$/.exec(text) ?? [];
  if (pid === undefined || phase === undefined || run === undefined) return null;
  return { pid: Number(pid), phase: phase as Load, run };
}
