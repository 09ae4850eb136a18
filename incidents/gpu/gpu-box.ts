import { constants, closeSync, openSync, writeSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOOLS_FOLDER } from '../../src/main/demo/demo-box.fixture.ts';
import { startSshd, type TestSshd } from '../../src/main/ssh/sshd.fixture.ts';
import { dmonHeader, dmonRow } from './dmon-text.ts';
import { CALM_CPU, ONE_CARD, type Card, type GpuBoxState } from './gpu-incident.ts';

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';
const BUSES = ['19', '3B', '4C', '5D', '9B', 'BB', 'CB', 'DB'];
const TICKS_PER_S = 100;

/**
 * `dmon` prints what comes through a pipe, so that the incident's seconds pass as fast as they are read; everything else is the
 * demo box's tool over the recorded fields of an H100 under driver 590.
 */
const NVIDIA_SMI = `#!/bin/sh
here=\${0%/*}
if [ -r "$here/../sys/says" ]; then
  cat "$here/../sys/says"
  exit "$(cat "$here/../sys/code")"
fi
case \${1-} in
  --query-compute-apps=*)
    if [ -e "$here/../sys/no-processes" ]; then
      echo 'Insufficient Permissions'
      exit 4
    fi
    ;;
  dmon)
    case $* in *' -c 1') exec sh "$here/demo-nvidia-smi" "$@" ;; esac
    # Nobody else may hold the writing end, or the pipe would never end.
    exec cat "$here/../sys/dmon"
    ;;
esac
exec sh "$here/demo-nvidia-smi" "$@"
`;
const DMESG = `#!/bin/sh
here=\${0%/*}
if [ -r "$here/../sys/kernel-log" ]; then exec cat "$here/../sys/kernel-log"; fi
echo 'dmesg: read kernel buffer failed: Operation not permitted' >&2
exit 1
`;
const JOURNALCTL = `#!/bin/sh
echo 'No journal files were found.'
exit 1
`;

/** A machine behind a real sshd whose driver, kernel log and control group say what an incident says. */
export class GpuBox {
  readonly #root: string;
  readonly sshd: TestSshd;
  #pipe: number | null = null;

  private constructor(root: string, sshd: TestSshd) {
    this.#root = root;
    this.sshd = sshd;
  }

  static async start(): Promise<GpuBox> {
    const root = await mkdtemp(join(await realpath(tmpdir()), 'leasehold-incident-'));
    for (const folder of ['bin', 'sys/proc/1', 'sys/proc/self', 'sys/cgroup', 'home']) {
      await mkdir(join(root, folder), { recursive: true });
    }
    await mkdir(join(root, 'sys/proc/sys/kernel/random'), { recursive: true });
    await cp(join(TOOLS_FOLDER, 'lib'), join(root, 'lib'), { recursive: true });
    await cp(join(TOOLS_FOLDER, 'bin/nvidia-smi'), join(root, 'bin/demo-nvidia-smi'));
    for (const [name, text] of [
      ['dmesg', DMESG],
      ['journalctl', JOURNALCTL],
    ] as const) {
      await program(join(root, 'bin', name), text);
    }
    execFileSync('mkfifo', [join(root, 'sys/dmon')]);
    const sshd = await startSshd({
      home: join(root, 'home'),
      path: `${join(root, 'bin')}:${SYSTEM_PATH}`,
      env: {
        LEASEHOLD_PROC_ROOT: join(root, 'sys/proc'),
        LEASEHOLD_CGROUP_ROOT: join(root, 'sys/cgroup'),
      },
    });
    return new GpuBox(root, sshd);
  }

  async stop(): Promise<void> {
    this.endPipe();
    await this.sshd.stop();
    await rm(this.#root, { recursive: true, force: true });
  }

  /** The box as it is from now on. `second`: since the incident began. */
  async become(state: GpuBoxState, second: number): Promise<void> {
    await this.#setTool(state);
    await this.#setKernel(state);
    await this.#sys('gpus.tsv', driverTable(state.cards ?? ONE_CARD));
    await this.#sys('gpu-processes.tsv', processLines(state));
    if (state.processes === 'not-told') await this.#sys('no-processes', '');
    else await rm(join(this.#root, 'sys/no-processes'), { force: true });
    await this.#sys('proc/sys/kernel/random/boot_id', `${state.bootId ?? BOOT_ID}\n`);
    await this.#sys('proc/1/cgroup', state.isContainer === false ? '0::/\n' : '0::/docker/4f2a\n');
    await this.#sys('proc/self/cgroup', '0::/\n');
    await this.passTo(state, second);
  }

  /** What goes on by itself: the uptime, and what the control group counts. */
  async passTo(
    { cpu = CALM_CPU, uptimeS = 90_000, initStartS = 12 }: GpuBoxState,
    second: number,
  ): Promise<void> {
    const upS = uptimeS + second;
    await this.#sys('proc/uptime', `${upS.toFixed(2)} 1.00\n`);
    await this.#sys('proc/1/stat', `1 (init) ${initFields(initStartS * TICKS_PER_S)}\n`);
    await this.#sys('proc/loadavg', '4.20 4.00 3.90 3/812 4711\n');
    if (cpu === null || cpu === 'no-group') {
      await rm(join(this.#root, 'sys/cgroup/cgroup.controllers'), { force: true });
      await this.#sys('proc/stat', cpu === null ? 'intr 0\n' : hostCpuLines(64));
      return;
    }
    await this.#sys('proc/stat', hostCpuLines(cpu.hostCpus));
    const { quotaCpus, usedCpus, throttledPct, threads } = cpu;
    const periods = upS * 10;
    await this.#sys('cgroup/cgroup.controllers', 'cpu memory pids\n');
    await this.#sys(
      'cgroup/cpu.max',
      quotaCpus === null ? 'max 100000\n' : `${Math.round(quotaCpus * 100_000)} 100000\n`,
    );
    await this.#sys(
      'cgroup/cpu.stat',
      [
        `usage_usec ${Math.round(usedCpus * upS * 1e6)}`,
        `nr_periods ${Math.round(periods)}`,
        `nr_throttled ${Math.round((periods * throttledPct) / 100)}`,
        'throttled_usec 1000',
        '',
      ].join('\n'),
    );
    await this.#sys('cgroup/pids.current', `${threads}\n`);
  }

  /** Whether somebody on the box reads the stream now. */
  hasReader(): boolean {
    if (this.#pipe !== null) return true;
    try {
      this.#pipe = openSync(
        join(this.#root, 'sys/dmon'),
        constants.O_WRONLY | constants.O_NONBLOCK,
      );
      return true;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENXIO') return false;
      throw cause;
    }
  }

  /** Prints to `dmon`. False: it has ended. */
  print(text: string): boolean {
    if (this.#pipe === null) return false;
    try {
      writeSync(this.#pipe, text);
      return true;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EPIPE') throw cause;
      this.endPipe();
      return false;
    }
  }

  /** `dmon` ends. */
  endPipe(): void {
    if (this.#pipe !== null) closeSync(this.#pipe);
    this.#pipe = null;
  }

  async #setTool({ tool }: GpuBoxState): Promise<void> {
    const path = join(this.#root, 'bin/nvidia-smi');
    if (tool === 'missing') await rm(path, { force: true });
    else await program(path, NVIDIA_SMI);
    if (tool === undefined || tool === 'works' || tool === 'missing') {
      await rm(join(this.#root, 'sys/says'), { force: true });
      return;
    }
    await this.#sys('code', `${tool.code}\n`);
    await this.#sys('says', tool.says);
  }

  async #setKernel({ kernelLog = HEALTHY_LOG }: GpuBoxState): Promise<void> {
    if (kernelLog === null) await rm(join(this.#root, 'sys/kernel-log'), { force: true });
    else await this.#sys('kernel-log', kernelLog);
  }

  async #sys(name: string, text: string): Promise<void> {
    await writeFile(join(this.#root, 'sys', name), text);
  }
}

const BOOT_ID = '0f0e64a8-1111-4222-8333-444455556666';
export const HEALTHY_LOG = '[    0.000000] Linux version 6.8.0-60-generic\n';

export const uuidOf = (index: number): string =>
  `GPU-${String(index).padStart(8, '0')}-1111-4222-8333-444455556666`;
export const busOf = (index: number): string => `00000000:${BUSES[index] ?? '00'}:00.0`;

function driverTable(cards: readonly Card[]): string {
  const rows = cards.map((card, place): Record<string, string | number> => {
    const index = card.index ?? place;
    return {
      state: card.isLost === true ? 'lost' : 'ok',
      index,
      uuid: uuidOf(card.slot ?? index),
      'pci.bus_id': busOf(card.slot ?? index),
      ...card.fields,
    };
  });
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  // A field that only some cards were given: the others say what was recorded.
  const defaults: Record<string, string> = RECORDED;
  const lines = rows.map((row) =>
    names.map((name) => row[name] ?? defaults[name] ?? 'N/A').join('\t'),
  );
  return [names.join('\t'), ...lines, ''].join('\n');
}

/** What incidents change on one card of several, as the others have it (resources/demo/lib/fields-590.tsv). */
const RECORDED = {
  name: 'NVIDIA H100 80GB HBM3',
  'memory.used': '19818',
  'memory.total': '81559',
  'clocks_event_reasons.active': '0x0000000000000000',
  'pcie.link.gen.current': '5',
  'pcie.link.width.current': '16',
  'power.limit': '700.00',
  'enforced.power.limit': '700.00',
  'power.default_limit': '700.00',
  'clocks.max.sm': '1980',
  'mig.mode.current': 'Disabled',
  'ecc.errors.uncorrected.volatile.total': '0',
  'ecc.errors.corrected.volatile.total': '0',
  'remapped_rows.pending': 'No',
  'remapped_rows.failure': 'No',
  gpu_recovery_action: 'None',
};

function hostCpuLines(count: number): string {
  const each = Array.from({ length: count }, (_none, i) => `cpu${i} 0 0 0 0 0 0 0 0 0 0`);
  return ['cpu  0 0 0 0 0 0 0 0 0 0', ...each, 'intr 0', ''].join('\n');
}

function processLines({ processes = [] }: GpuBoxState): string {
  if (processes === 'not-told') return '';
  return processes
    .map(
      ({ gpu, pid, name, memoryMiB }) => [gpu, pid, 'C', name, memoryMiB, 0, 0].join('\t') + '\n',
    )
    .join('');
}

function initFields(startTicks: number): string {
  const before = Array.from({ length: 17 }, () => '0').join(' ');
  return `S 0 ${before} ${startTicks} 0 0`;
}

async function program(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await chmod(path, 0o755);
}

/** One cycle of `dmon`, with the header again as a long stream has it. */
export function cycleText(state: GpuBoxState, second: number, isFirst: boolean): string {
  const rows = (state.cards ?? ONE_CARD)
    .map((card, place) => ({ card, index: card.index ?? place }))
    .filter(({ card }) => card.isLost !== true)
    .map(({ card, index }) => {
      const cells = typeof card.dmon === 'function' ? card.dmon(second, index) : card.dmon;
      return dmonRow(index, cells ?? {});
    });
  return (isFirst || second % 30 === 0 ? dmonHeader() : '') + rows.join('');
}
