import { spawnSync } from 'node:child_process';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GpuModelName } from '../../shared/demo/gpu-models.ts';
import { TOOLS_FOLDER } from './demo-box.fixture.ts';
import { Driver, type DriverInputs } from './driver.ts';
import { createHome, type BoxFolders } from './home.ts';

export interface ToolShell {
  readonly name: string;
  readonly command: readonly string[];
  /** BusyBox brings its own awk, so that the tools meet two of them. */
  readonly hasOwnAwk: boolean;
}

const BUSYBOX = '/usr/bin/busybox';
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

export const toolShells: readonly ToolShell[] = [
  { name: 'dash', command: ['dash'], hasOwnAwk: false },
  { name: 'bash', command: ['bash', '--posix'], hasOwnAwk: false },
  { name: 'busybox', command: [BUSYBOX, 'sh'], hasOwnAwk: true },
];

/** A reason to skip where the shell is missing. */
export function whyNot({ name, command: [file = ''] }: ToolShell): string | null {
  return spawnSync(file, ['--help']).error === undefined ? null : `${name} is not installed`;
}

export interface ToolOutcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** The box's folders with a driver in them, but no server: tools are run directly. */
export class ToolBench {
  readonly folders: BoxFolders;
  readonly #driver: Driver;

  private constructor(folders: BoxFolders, driver: Driver) {
    this.folders = folders;
    this.#driver = driver;
  }

  static async open(model: GpuModelName, count: number): Promise<ToolBench> {
    const { folders } = await createHome(TOOLS_FOLDER);
    await symlink(BUSYBOX, join(folders.tmp, 'awk'));
    const bench = new ToolBench(folders, new Driver(folders.sys, model, count, { seed: 7 }));
    await bench.advance(0);
    return bench;
  }

  async advance(seconds: number, inputs: Partial<DriverInputs> = {}): Promise<void> {
    const idle = {
      load: 'idle',
      process: null,
      stray: null,
      isThrottled: false,
      isLastGpuLost: false,
    } as const;
    await this.#driver.advance(
      seconds,
      { ...idle, ...inputs },
      new Date(2026, 6, 14, 8, 12, 53, 353),
    );
  }

  /** Half a minute of training by process 4321. */
  async train(inputs: Partial<DriverInputs> = {}): Promise<void> {
    const training = { load: 'training', process: { pid: 4321, name: './train.sh' } } as const;
    for (let second = 0; second < 30; second += 1)
      await this.advance(1, { ...training, ...inputs });
  }

  run(shell: ToolShell, tool: string, ...args: readonly string[]): ToolOutcome {
    const [file = '', ...first] = shell.command;
    const path = join(this.folders.bin, tool);
    const { stdout, stderr, status } = spawnSync(file, [...first, path, ...args], {
      env: { PATH: shell.hasOwnAwk ? `${this.folders.tmp}:${SYSTEM_PATH}` : SYSTEM_PATH },
      encoding: 'utf8',
    });
    return { stdout, stderr, code: status };
  }

  async writeKernelLog(text: string): Promise<void> {
    await writeFile(join(this.folders.sys, 'kmsg.tsv'), text);
  }

  async close(): Promise<void> {
    await rm(this.folders.root, { recursive: true, force: true });
  }
}
