import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { SYSTEM_FOLDERS } from './find-program.ts';
import type { BoxFolders, Leftover } from './home.ts';
import { listHolders } from './process-facts.ts';

export const BOX_USER = 'demo';

/** A command on the box, before it is bound to a channel. */
export interface BoxCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface BoxChild extends ChildProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

export interface BoxShells {
  /** Runs commands and scripts. */
  readonly posix: string;
  /** What a person gets in a terminal. */
  readonly interactive: string;
}

/** Starts the box's processes and ends all of them, also those that left their group and session. */
export class BoxProcesses {
  readonly #folders: BoxFolders;
  readonly #marker: string;
  readonly #shells: BoxShells;
  readonly #sweeper: Sweeper;
  /** Resolves once per "swept" that the sweeper answers. */
  readonly #answers: (() => void)[] = [];

  constructor(folders: BoxFolders, marker: string, shells: BoxShells) {
    this.#folders = folders;
    this.#marker = marker;
    this.#shells = shells;
    this.#sweeper = startSweeper(shells.posix, folders.sweeper, { root: folders.root, marker });
    createInterface(this.#sweeper.stdout).on('line', () => this.#answers.shift()?.());
  }

  get shell(): string {
    return this.#shells.posix;
  }

  /** Runs in a session of its own, in the box's home, with nothing of the app's environment but its language and zone. */
  start(command: BoxCommand): BoxChild {
    const lifeline = openSync(this.#folders.lifeline, 'r');
    try {
      const child = spawn(command.file, command.args, {
        cwd: this.#folders.home,
        env: { ...this.#environment(), ...command.env },
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe', lifeline],
      });
      if (!hasPipes(child)) throw new Error('spawn gave no pipes');
      return child;
    } finally {
      closeSync(lifeline);
    }
  }

  /** Whether this process runs on the box. SECURITY: asked before a pid that the box reported is signalled. */
  async owns(pid: number): Promise<boolean> {
    if (process.platform !== 'linux') {
      return (await listHolders(this.#folders.lifeline)).includes(pid);
    }
    const environ = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    return environ.split('\0').includes(`LEASEHOLD_DEMO_BOX=${this.#marker}`);
  }

  /** Ends every process of the box; the box itself stays. */
  async sweep(): Promise<void> {
    const answered = new Promise<void>((resolve) => this.#answers.push(resolve));
    this.#sweeper.stdin.write('sweep\n');
    await Promise.race([answered, ended(this.#sweeper)]);
  }

  /** Ends every process, removes the box's folders, and returns when that is done. */
  async stop(): Promise<void> {
    this.#sweeper.stdin.end();
    await ended(this.#sweeper);
    // Somebody killed the sweeper: a second one does its work.
    const { root, sweeper } = this.#folders;
    if (existsSync(sweeper))
      await sweepLeftover(this.shell, sweeper, { root, marker: this.#marker });
  }

  #environment(): Record<string, string> {
    const { home, bin, sys, cgroup, proc, dev, tmp } = this.#folders;
    const inherited = ['LANG', 'TZ'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    return {
      LANG: 'C.UTF-8',
      ...Object.fromEntries(inherited),
      PATH: [bin, ...SYSTEM_FOLDERS].join(':'),
      HOME: home,
      // SECURITY: the other home folders here are this computer's own, and no secret in them is the demo box's.
      LEASEHOLD_PASSWD: '/dev/null',
      USER: BOX_USER,
      LOGNAME: BOX_USER,
      SHELL: this.#shells.interactive,
      TMPDIR: tmp,
      TMUX_TMPDIR: tmp,
      LEASEHOLD_DEMO_BOX: this.#marker,
      LEASEHOLD_DEMO_SYS: sys,
      LEASEHOLD_CGROUP_ROOT: cgroup,
      LEASEHOLD_PROC_ROOT: proc,
      // What a person launches there is real, and ends with the box.
      LEASEHOLD_RUN_PROC_ROOT: '/proc',
      LEASEHOLD_DEV_ROOT: dev,
    };
  }
}

function hasPipes(child: ChildProcess): child is BoxChild {
  return child.stdin !== null && child.stdout !== null && child.stderr !== null;
}

type Sweeper = ChildProcessByStdio<Writable, Readable, null>;

/** Ends what a box of an app that died left behind. */
export async function sweepLeftover(
  shell: string,
  script: string,
  leftover: Leftover,
): Promise<void> {
  const sweeper = startSweeper(shell, script, leftover);
  sweeper.stdout.resume();
  sweeper.stdin.end();
  await ended(sweeper);
}

/**
 * `sweep.sh` in a session of its own, so that neither Ctrl-C in the app's terminal nor the app's death reaches it before its
 * work is done: its stdin ends when the app ends, however that happened.
 */
function startSweeper(shell: string, script: string, { root, marker }: Leftover): Sweeper {
  const sweeper = spawn(shell, [script, marker, root, String(process.pid)], {
    cwd: '/',
    env: { PATH: SYSTEM_FOLDERS.join(':') },
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // Writing to a sweeper that was killed fails; `ended` is how its end is noticed.
  sweeper.stdin.on('error', () => undefined);
  return sweeper;
}

async function ended(sweeper: Sweeper): Promise<void> {
  if (sweeper.exitCode === null && sweeper.signalCode === null) await once(sweeper, 'exit');
}
