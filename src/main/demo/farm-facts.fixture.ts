import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GpuModelName } from '../../shared/demo/gpu-models.ts';
import { runOnboxScript } from '../onbox/onbox-scripts.fixture.ts';
import type { BoxFolders } from './home.ts';
import { KernelLog } from './kernel-log.ts';
import { ToolBench } from './tools.fixture.ts';

const MARK = 'leasehold-recorded';
const REFUSED = new RegExp(`^${MARK} refused (\\S+)$`, 'gm');
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';
/** Longer ago than detectors ask back for would be no news. */
const XID_TEXT = [
  "NVRM: Xid (PCI:0000:19:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
  'NVRM: GPU 0000:19:00.0: GPU has fallen off the bus.',
];

export type FarmLoad = 'training' | 'idle' | 'throttled' | 'lost-gpu' | 'mig';

/** The simulated driver in front of which MIG is on: each card in two parts, in the layout recorded with driver 590. */
const MIG_TOOL = `#!/bin/sh
case $* in
  -L)
    "$DRIVER" -L | sed 's/^GPU .*/&\\
  MIG 3g.40gb     Device  0: (UUID: MIG-00000000-0000-0000-0000-000000000000)\\
  MIG 1g.10gb     Device  1: (UUID: MIG-00000001-0000-0000-0000-000000000001)/'
    ;;
  '')
    "$DRIVER"
    echo '| MIG devices:                                                                            |'
    for card in $("$DRIVER" -L | sed 's/^GPU \\([0-9]*\\):.*/\\1/'); do
      printf '|%3s    2   0   0  |           11091MiB / 40448MiB    | 60      0 |  3   0    3    0    3 |\\n' "$card"
      echo '|                  |               0MiB / 24739MiB    |           |                       |'
      printf '|%3s    3   0   1  |               9MiB /  9984MiB    | 16      0 |  1   0    1    0    1 |\\n' "$card"
      echo '|                  |               0MiB /  6184MiB    |           |                       |'
    done
    ;;
  *) "$DRIVER" "$@" | sed 's/, Disabled, Enabled$/, Enabled, Enabled/' ;;
esac
`;

/** The folder of a tool that splits what the driver in `bin` shows. */
async function writeMigTool({ root }: BoxFolders): Promise<string> {
  const folder = join(root, 'mig');
  await mkdir(folder);
  await writeFile(join(folder, 'nvidia-smi'), MIG_TOOL, { mode: 0o755 });
  return folder;
}

/** What the slow probe prints when it is asked for all, and when it is asked again: the fields that were refused are not. */
export interface RecordedFacts {
  readonly first: string;
  readonly later: string;
}

/**
 * What the slow probe prints on such a box: the real script over the simulated tools, run twice. A shell and a dozen tools for
 * each of a hundred boxes every half a minute would measure this machine's process table.
 */
export async function recordFacts(
  model: GpuModelName,
  count: number,
  load: FarmLoad,
): Promise<RecordedFacts> {
  const bench = await ToolBench.open(model, count);
  try {
    const log = new KernelLog(bench.folders.sys);
    await log.restart(Date.now() - 3_600_000);
    if (load === 'lost-gpu') await log.write('err', XID_TEXT, Date.now() - 30_000);
    const inputs = { isThrottled: load === 'throttled', isLastGpuLost: load === 'lost-gpu' };
    if (load === 'idle') await bench.advance(60, inputs);
    else await bench.train(inputs);
    const { bin } = bench.folders;
    const tools = load === 'mig' ? [await writeMigTool(bench.folders), bin] : [bin];
    const look = (refused: readonly string[], isFirst: boolean): Promise<string> =>
      runOnboxScript(['sh'], 'gpu-facts.sh', {
        PATH: [...tools, SYSTEM_PATH].join(':'),
        DRIVER: join(bin, 'nvidia-smi'),
        LEASEHOLD_MARK: MARK,
        LEASEHOLD_REFUSED: refused.join(','),
        LEASEHOLD_STATIC: isFirst ? '1' : '0',
        LEASEHOLD_SUSPECT: '0',
        LEASEHOLD_PROC_ROOT: bench.folders.proc,
      });
    const first = await look([], true);
    const refused = [...first.matchAll(REFUSED)].map(([, field = '']) => field);
    return { first, later: await look(refused, false) };
  } finally {
    await bench.close();
  }
}

/** The recording as box number `box` would print it now, under this mark. */
export function playFacts(recorded: string, mark: string, box: number): string {
  const nowS = Math.floor(Date.now() / 1000);
  const recordedS = Number(/^now (\d+)$/m.exec(recorded)?.[1]);
  return (
    recorded
      .replaceAll(MARK, mark)
      .replace(/^now \d+$/m, `now ${String(nowS)}`)
      // A machine that goes on is up for longer each time.
      .replace(
        /^uptime [\d.]+/m,
        (said) => `uptime ${String(Number(said.slice(7)) + nowS - recordedS)}`,
      )
      .replace(/GPU-[0-9a-f]{4}/g, `GPU-${box.toString(16).padStart(4, '0')}`)
  );
}
