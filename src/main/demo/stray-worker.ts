import { once } from 'node:events';
import { join } from 'node:path';
import type { BoxChild, BoxProcesses } from './box-processes.ts';
import type { BoxFolders } from './home.ts';
import type { ShownProcess } from './proc-tree.ts';
import { readLiveness } from './process-facts.ts';

/** A worker that outlived its run and holds memory of GPU 0, which nvidia-smi then shows as held by nobody (U11). */
export class StrayWorker {
  readonly #folders: BoxFolders;
  readonly #processes: BoxProcesses;
  #child: BoxChild | null = null;

  constructor(folders: BoxFolders, processes: BoxProcesses) {
    this.#folders = folders;
    this.#processes = processes;
  }

  /** `onEnd` is called when it ends, whoever ended it. */
  start(onEnd: () => void): void {
    const { home } = this.#folders;
    const child = this.#processes.start({
      file: this.#processes.shell,
      args: [join(home, 'train', 'worker.sh')],
    });
    child.stdin.end();
    child.stdout.resume();
    child.stderr.resume();
    this.#child = child;
    const ended = (): void => {
      if (this.#child !== child) return;
      this.#child = null;
      onEnd();
    };
    child.on('exit', ended);
    child.on('error', ended);
  }

  /** Ends it, if there is one, and returns when it is gone. */
  async end(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async look(): Promise<ShownProcess | null> {
    const pid = this.#child?.pid;
    if (pid === undefined) return null;
    const argv = ['python3', '-u', 'train.py', '--worker', '3'] as const;
    const isStopped = (await readLiveness(pid)) === 'stopped';
    return { pid, parentPid: 1, argv: [...argv], isStopped, gpus: [0], work: null };
  }
}
