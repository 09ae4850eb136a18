// What the machine itself tells: its memory, its CPUs, its kernel's log and that it was started anew. The files of /proc and of the
// control groups are the box's own here; processes are really killed.
import type { RunBox } from '../runs/run-box.ts';
import type { LookIncident } from '../runs/run-incident.ts';
import { at, GIB, nothing, WAITS } from './words.ts';

const OTHER_BOOT = '3c1b0c4e-2222-4333-8444-555566667777';

const manyCpus = (count: number): string =>
  [
    'cpu  9 0 9 9 0 0 0',
    ...Array.from({ length: count }, (_none, i) => `cpu${String(i)} 9 0 9 9`),
    'intr 1\n',
  ].join('\n');

/** A part of a host with 128 CPUs and 2 TB, as the second version of control groups tells it. */
function shares(box: RunBox, load: number, stalledPct: number, max = '1600000 100000'): void {
  box.tells('proc/stat', manyCpus(128));
  box.tells(
    'proc/loadavg',
    `${load.toFixed(2)} ${load.toFixed(2)} ${load.toFixed(2)} 9/4000 991\n`,
  );
  box.tells('proc/meminfo', meminfo(1600));
  box.tells('cgroup/cpu.max', `${max}\n`);
  box.tells('cgroup/cpu.stat', 'usage_usec 9000000\nnr_periods 10\nnr_throttled 0\n');
  const figures = `avg10=${stalledPct.toFixed(2)} avg60=${stalledPct.toFixed(2)} avg300=0.00 total=1`;
  box.tells(
    'cgroup/cpu.pressure',
    `some ${figures}\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n`,
  );
}
const meminfo = (availableGib: number): string =>
  `MemTotal: ${String(2048 * 1024 ** 2)} kB\nMemAvailable: ${String(availableGib * 1024 ** 2)} kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n`;

/** The same as the first version tells it, in groups below the mount. */
function sharesOld(box: RunBox, load: number, usedS: number): void {
  shares(box, load, 0);
  for (const file of ['cgroup.controllers', 'cpu.max', 'cpu.stat', 'cpu.pressure'] as const) {
    box.forgets(`cgroup/${file}`);
  }
  box.tells(
    'proc/self/cgroup',
    '3:cpu,cpuacct:/docker/ab\n2:memory:/docker/ab\n1:name=systemd:/\n',
  );
  box.tells('cgroup/cpu/cpu.stat', 'nr_periods 0\nnr_throttled 0\nthrottled_time 0\n');
  box.tells('cgroup/cpu/cpu.cfs_quota_us', '-1\n');
  box.tells('cgroup/cpu/cpu.cfs_period_us', '100000\n');
  box.tells('cgroup/cpu/docker/ab/cpu.stat', 'nr_periods 10\nnr_throttled 0\nthrottled_time 0\n');
  box.tells('cgroup/cpu/docker/ab/cpu.cfs_quota_us', '1600000\n');
  box.tells('cgroup/cpu/docker/ab/cpu.cfs_period_us', '100000\n');
  box.tells('cgroup/cpuacct/docker/ab/cpuacct.usage', `${String(usedS * 1e9)}\n`);
  oldMemory(box, 9, 2);
}

/** Memory groups of the first version: the mount holds all of the host's, and the box's own lies below. */
function oldMemory(box: RunBox, usedGib: number, kills: number): void {
  const none = '9223372036854771712\n';
  const oom = (count: number): string =>
    `oom_kill_disable 0\nunder_oom 0\noom_kill ${String(count)}\n`;
  box.forgets('cgroup/cgroup.controllers');
  box.tells(
    'proc/self/cgroup',
    '3:cpu,cpuacct:/docker/ab\n2:memory:/docker/ab\n1:name=systemd:/\n',
  );
  box.tells('cgroup/memory/memory.stat', 'total_inactive_file 0\ntotal_active_file 0\n');
  box.tells('cgroup/memory/memory.limit_in_bytes', none);
  box.tells('cgroup/memory/memory.usage_in_bytes', `${String(900 * GIB)}\n`);
  box.tells('cgroup/memory/memory.oom_control', oom(0));
  box.tells(
    'cgroup/memory/docker/ab/memory.stat',
    'inactive_file 5\ntotal_inactive_file 0\ntotal_active_file 0\n',
  );
  box.tells('cgroup/memory/docker/ab/memory.limit_in_bytes', `${String(32 * GIB)}\n`);
  box.tells(
    'cgroup/memory/docker/ab/memory.usage_in_bytes',
    `${String(Math.round(usedGib * GIB))}\n`,
  );
  box.tells('cgroup/memory/docker/ab/memory.oom_control', oom(kills));
}

const OWN_CARD = '0000:3b:00.0';
const ownsCard = (box: RunBox): void =>
  box.tells(`proc/driver/nvidia/gpus/${OWN_CARD}/information`, 'Model: NVIDIA H100\n');

export const machineLooks: readonly LookIncident[] = [
  {
    id: 'GEN6',
    label: 'found',
    what: 'the host was rebooted, and a run went with it',
    also: ['U3'],
    run: WAITS,
    happens: async (box) => {
      await box.signal('SIGKILL');
      box.boot(OTHER_BOOT);
    },
  },
  {
    id: 'GEN6',
    label: 'found',
    what: 'the container was started anew on the same host',
    also: ['U3'],
    run: WAITS,
    happens: async (box) => {
      await box.signal('SIGKILL');
      box.startInit();
    },
  },
  {
    id: 'GEN6',
    label: 'clear',
    what: 'a run is gone, and the box is the same',
    also: ['U3'],
    run: WAITS,
    happens: (box) => box.signal('SIGKILL'),
  },
  {
    id: 'GEN6',
    label: 'clear',
    what: 'the run had finished when the box was rebooted',
    run: { script: 'echo "epoch 9"; wait_here; touch "$work/run.done"' },
    happens: async (box) => {
      await box.goOnToItsEnd();
      box.boot(OTHER_BOOT);
    },
  },
  {
    id: 'GEN6',
    label: 'unknown',
    what: 'a run is gone, and the box does not tell its boot',
    also: ['U3'],
    run: WAITS,
    happens: async (box) => {
      await box.signal('SIGKILL');
      box.forgets('proc/sys/kernel/random/boot_id');
    },
  },

  {
    id: 'GEN8',
    label: 'found',
    what: 'the box shows no processes',
    run: WAITS,
    happens: at((box) => box.hideProcesses()),
  },
  { id: 'GEN8', label: 'clear', what: 'a look like the one before', run: WAITS, happens: nothing },
  {
    id: 'GEN8',
    label: 'clear',
    what: 'the last run is gone',
    also: ['U3'],
    run: WAITS,
    happens: (box) => box.signal('SIGKILL'),
  },

  {
    id: 'U22',
    label: 'found',
    what: 'a card fell off the bus since the last look',
    run: WAITS,
    happens: at((box) => {
      ownsCard(box);
      box.kernelSays(
        '[ 9000.100000] NVRM: Xid (PCI:0000:3b:00): 79, pid=4711, name=python, GPU has fallen off the bus.',
      );
    }),
  },
  {
    id: 'U22',
    label: 'found',
    what: 'a double-bit error, in a log that has said much else',
    run: WAITS,
    happens: at((box) => {
      box.kernelSays(
        ...Array.from({ length: 300 }, (_none, i) => `[ 8${String(100 + i)}.5] eth0: link up`),
        '[ 9000.100000] NVRM: Xid (PCI:0000:3b:00): 48, pid=4711, name=python, An uncorrectable double bit error (DBE) has been detected',
      );
    }),
  },
  {
    id: 'U22',
    label: 'clear',
    what: 'the driver says that it is loaded',
    run: WAITS,
    happens: at((box) => {
      box.kernelSays('[   12.100000] NVRM: loading NVIDIA UNIX x86_64 Kernel Module  590.48.01');
    }),
  },
  {
    id: 'U22',
    label: 'clear',
    what: 'another tenant’s card fell off the bus of the same host',
    run: WAITS,
    happens: at((box) => {
      ownsCard(box);
      box.kernelSays('[ 9000.100000] NVRM: Xid (PCI:0000:c1:00): 79, GPU has fallen off the bus.');
    }),
  },
  {
    id: 'U22',
    label: 'unknown',
    what: 'the kernel’s log is closed',
    run: WAITS,
    happens: at((box) => {
      box.has(
        'dmesg',
        "echo 'dmesg: read kernel buffer failed: Operation not permitted' >&2; exit 1",
      );
    }),
  },

  {
    id: 'U41',
    label: 'found',
    what: 'a load of 312 around a box of 16 CPUs that waits for nothing',
    run: WAITS,
    happens: at((box) => shares(box, 312, 0.4)),
  },
  {
    id: 'U41',
    label: 'found',
    what: 'the same with the first version of control groups, in a group below the mount',
    run: WAITS,
    happens: at((box) => sharesOld(box, 312, 40)),
    prepare: (box) => sharesOld(box, 12, 20),
  },
  {
    id: 'U41',
    label: 'found',
    what: 'a host without memory around a box that uses a third of its own',
    run: WAITS,
    happens: at((box) => {
      shares(box, 12, 0);
      box.tells('proc/meminfo', meminfo(60));
    }),
  },
  {
    id: 'U41',
    label: 'clear',
    what: 'a load of 312 that is the box’s own: it waits for its CPUs',
    run: WAITS,
    happens: at((box) => shares(box, 312, 71)),
  },
  {
    id: 'U41',
    label: 'clear',
    what: 'with the first version, a load that is the box’s own: it uses up its quota',
    run: WAITS,
    happens: at((box) => sharesOld(box, 312, 20 + 16 * 300)),
    prepare: (box) => sharesOld(box, 12, 20),
  },
  {
    id: 'U41',
    label: 'clear',
    what: 'a host on which others work as well',
    run: WAITS,
    happens: at((box) => shares(box, 60, 0)),
  },
  {
    id: 'U41',
    label: 'clear',
    what: 'a machine of one’s own under load',
    run: WAITS,
    happens: at((box) => {
      shares(box, 312, 60, 'max 100000');
      box.tells('cgroup/memory.max', 'max\n');
    }),
  },
  {
    id: 'U41',
    label: 'unknown',
    what: 'a container without control groups',
    run: WAITS,
    happens: at((box) => {
      shares(box, 312, 0);
      box.hideMemory();
    }),
  },

  {
    id: 'U9',
    label: 'found',
    what: '97 % of the limit, with the first version in a group below the mount',
    run: WAITS,
    happens: at((box) => oldMemory(box, 31, 2)),
  },
  {
    id: 'U9',
    label: 'found',
    what: 'a worker was killed, with the first version in a group below the mount',
    run: WAITS,
    happens: at((box) => oldMemory(box, 9, 3)),
    prepare: (box) => oldMemory(box, 9, 2),
  },
  {
    id: 'U9',
    label: 'found',
    what: 'the group above has the limit, and it is nearly used up',
    run: WAITS,
    happens: at((box) => {
      box.tells('proc/self/cgroup', '0::/pod\n');
      box.tells('cgroup/pod/memory.max', 'max\n');
      box.tells('cgroup/pod/memory.current', `${String(30 * GIB)}\n`);
      box.useMemory(31 * GIB);
    }),
  },
  {
    id: 'U9',
    label: 'clear',
    what: '97 % of the limit, most of which are files that were read',
    run: WAITS,
    happens: at((box) => {
      box.useMemory(31 * GIB);
      box.tells(
        'cgroup/memory.stat',
        `anon ${String(9 * GIB)}\nfile ${String(22 * GIB)}\ninactive_anon 0\nactive_anon 0\ninactive_file ${String(4 * GIB)}\nactive_file ${String(18 * GIB)}\nunevictable 0\nslab_reclaimable 1000\n`,
      );
    }),
  },
  {
    id: 'U9',
    label: 'clear',
    what: '97 % of the limit, a third of which is what the kernel remembers of millions of files',
    run: WAITS,
    happens: at((box) => {
      box.useMemory(31 * GIB);
      box.tells(
        'cgroup/memory.stat',
        `anon ${String(20 * GIB)}\ninactive_file 0\nslab_reclaimable ${String(11 * GIB)}\n`,
      );
    }),
  },
  {
    id: 'U9',
    label: 'clear',
    what: 'a neighbour’s process was killed on the same host',
    run: WAITS,
    happens: at((box) => {
      box.tells('proc/vmstat', 'nr_free_pages 9\noom_kill 12\n');
      box.kernelSays(
        '[ 9000.1] Memory cgroup out of memory: Killed process 999999 (java) total-vm:9kB, anon-rss:9kB',
      );
    }),
    prepare: (box) => box.tells('proc/vmstat', 'nr_free_pages 9\noom_kill 11\n'),
  },
  {
    id: 'U9',
    label: 'unknown',
    what: 'the group has a limit and no count of kills',
    run: WAITS,
    happens: at((box) => box.forgets('cgroup/memory.events')),
  },
];
