// What a box that is well tells besides its runs, as full of oddities as real ones are: a root at 88 %, a data disk that fills and is
// cleaned each day, disks of servers that count no inodes, a cache of files as large as the memory, another tenant's faults in the
// kernel's log, tails of an editor, a notebook server, a clock that was set.
import { busOf } from '../gpu/gpu-box.ts';
import { CARDS } from './healthy-week.ts';

const DAY_S = 86_400;
const GIB = 1024 ** 3;
/** On the third day somebody let the clock be set. */
const CLOCK_SET_AT_S = 2 * DAY_S + 3 * 3600;
const CLOCK_SET_BY_S = 3600;

export const boxClock = (second: number): number =>
  second + (second >= CLOCK_SET_AT_S ? CLOCK_SET_BY_S : 0);

type Section = (name: string, text: string) => string;

export const cardLines = (): string =>
  Array.from({ length: CARDS }, (_none, index) => `card ${busOf(index)}`).join('\n');

/** `usedShare`: of the limit of 512 GiB, without what gives way. Files that were read fill the rest up to 97 %. */
export function memoryText(usedShare: number): string {
  const limit = 512 * GIB;
  const cache = Math.round((0.97 - usedShare) * limit);
  return [
    'group',
    `max ${String(limit)}`,
    `current ${String(Math.round(0.97 * limit))}`,
    'events oom 4',
    'events oom_kill 0',
    `stat inactive_file ${String(Math.round(cache * 0.3))}`,
    `stat active_file ${String(Math.round(cache * 0.6))}`,
    `stat slab_reclaimable ${String(Math.round(cache * 0.1))}`,
    'pressure-memory some avg10=0.00 avg60=0.20 avg300=0.10 total=5',
  ].join('\n');
}

export const HOST = [
  'host MemTotal: 2113929216 kB',
  'host MemAvailable: 1313929216 kB',
  'host SwapTotal: 8388604 kB',
  'host SwapFree: 1048576 kB',
  'host oom_kill 3',
].join('\n');

interface Place {
  readonly path: string;
  readonly type: string;
  readonly gb: number;
  readonly usedPct: number;
  readonly inodes?: readonly [total: string, free: string];
}
const LOCAL: ReadonlySet<string> = new Set(['overlay', 'tmpfs', 'xfs', 'ext4']);

function placesAt(second: number): readonly Place[] {
  const dayShare = (second % DAY_S) / DAY_S;
  return [
    { path: '/', type: 'overlay', gb: 30, usedPct: 85 + 3 * dayShare },
    { path: '/dev/shm', type: 'tmpfs', gb: 64, usedPct: 99.9 },
    { path: '/root/autodl-tmp', type: 'xfs', gb: 400, usedPct: 60 + 34 * dayShare },
    { path: '/mnt', type: 'ext4', gb: 200, usedPct: 92 },
    { path: '/root/autodl-fs', type: 'nfs4', gb: 200, usedPct: 97, inodes: ['200000', '50000'] },
    { path: '/workspace', type: 'fuse.mfs', gb: 900_000, usedPct: 71, inodes: ['0', '0'] },
    {
      path: '/data',
      type: 'ceph',
      gb: 90_000,
      usedPct: 88,
      inodes: ['77', '18446744073709551615'],
    },
  ];
}

export function diskSections(section: Section, mark: string, second: number): string {
  const places = placesAt(second);
  const lines = places.map(
    ({ path, type }, at) =>
      `${String(30 + at)} 25 0:${String(40 + at)} / ${path} rw,relatime - ${type} ${type} rw`,
  );
  const far = places.filter(({ type }) => !LOCAL.has(type));
  // A server that is asked for nothing: two before it had not answered.
  const isSlow = second % 7200 < 300;
  return [
    section('mounts', lines.join('\n')),
    section(
      'space',
      places
        .filter(({ type }) => LOCAL.has(type))
        .map(spaceOf)
        .join('\n'),
    ),
    ...far.map((place, at) =>
      isSlow && at === far.length - 1
        ? `\n${mark} unasked ${String(at)}\n`
        : section(`far-${String(at)}`, spaceOf(place)),
    ),
    section(
      'fills',
      'cache /root/.cache/huggingface\nmodel 2000000 /root/.cache/huggingface/hub/models--a--b',
    ),
  ].join('');
}

function spaceOf({ path, gb, usedPct, inodes = ['4000000', '3100000'] }: Place): string {
  const blocks = Math.round((gb * 1e9) / 4096);
  const free = Math.round(blocks * (1 - usedPct / 100));
  return `4096 ${String(blocks)} ${String(free)} ${String(free)} ${inodes.join(' ')} ${path}`;
}

/** Twice a day a card of somebody else's on the same host. */
export function kernelText(uptimeS: number, second: number): string {
  const isNeighbour = second % (DAY_S / 2) < 300;
  return [
    'from 0.000000',
    `to ${uptimeS.toFixed(6)}`,
    'left_out 0',
    'line [   12.100000] NVRM: loading NVIDIA UNIX x86_64 Kernel Module  590.48.01',
    ...(isNeighbour
      ? [
          `line [${(uptimeS - 30).toFixed(6)}] NVRM: Xid (PCI:000f:c1:00): 79, GPU has fallen off the bus.`,
          `line [${(uptimeS - 20).toFixed(6)}] Memory cgroup out of memory: Killed process 3199999 (java) total-vm:9kB`,
        ]
      : []),
  ].join('\n');
}

/** Who waits: an editor, a person, what keeps the container up, and one loop for the run. */
export function waitersText(second: number, runPid: number | null, log: string): string {
  const tail = (
    pid: number,
    path: string,
    input: string,
    writtenS: number,
    isWritten: boolean,
  ): readonly string[] => [
    `pid ${String(pid)}`,
    'start 900',
    'user root',
    'program /usr/bin/tail',
    `command tail -f ${path}`,
    `terminal ${input}`,
    `follows ${isWritten ? '1' : '0'} ${String(Math.max(0, writtenS))} 100 7 1 ${path}`,
  ];
  return [
    ...tail(900, '/root/.vscode-server/data/logs/a/remoteagent.log', 'socket:[7]', 10, false),
    ...tail(901, '/var/log/supervisor/supervisord.log', '/dev/null', 10, false),
    ...tail(902, log, '/dev/pts/3', boxClock(second - 4), runPid !== null),
    ...tail(903, '/root/data/loader.log', 'pipe:[9]', boxClock(second - 3000), true),
    'pid 1\nstart 512\nuser root\nprogram /usr/bin/tail\ncommand tail -f /dev/null\nterminal /dev/null',
    'pid 904\nstart 900\nuser root\nprogram /usr/bin/bash\ncommand bash -c while true; do [ -d /data ] && rsync -a /root/work /data; sleep 600; done\nterminal /dev/null',
    ...(runPid === null
      ? []
      : [
          `pid 905\nstart 900\nuser root\nprogram /usr/bin/bash\ncommand bash -c while kill -0 ${String(runPid)}; do sleep 30; done\nterminal /dev/null`,
        ]),
  ].join('\n');
}

/** A notebook server: it writes to a file, and is no run. */
export function notebookText(second: number): string {
  return [
    'pid 880',
    'start 900',
    'user root',
    'program /usr/bin/python3.11',
    'command /usr/bin/python3 /usr/local/bin/jupyter-lab --allow-root --port=8888',
    'arguments 4',
    'cwd /root',
    'ignores 0000000000000000',
    'unbuffered 0',
    'proxy none',
    'tracker offline',
    `log 1 ${String(Math.max(0, boxClock(second) - 20_000))} 900 66 1 /root/jupyter.log`,
  ].join('\n');
}
