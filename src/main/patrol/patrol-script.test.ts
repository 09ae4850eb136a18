import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LOCAL_TYPES, SYSTEM_FOLDERS } from '../../shared/mounts/select-mounts.ts';
import { judgeVanished } from '../../shared/patrol/judge-vanished.ts';
import type { PatrolLook } from '../../shared/patrol/patrol-look.ts';
import { readPatrol } from '../../shared/patrol/read-patrol.ts';
import { BOX_SHELLS, runOnboxScript } from '../onbox/onbox-scripts.fixture.ts';

const isLinux = process.platform === 'linux';
const [realStat, realTimeout, realAwk] = ['stat', 'timeout', 'awk'].map((program) =>
  spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim(),
);

describe.each(BOX_SHELLS)('patrol.sh under $name', ({ shell, isInstalled }) => {
  let root: string;
  let work: string;
  let children: ChildProcess[];
  let kernelAfter: string;
  let looks: string;
  let snapshots: readonly string[];
  beforeEach(() => {
    kernelAfter = '';
    looks = '';
    snapshots = [];
    root = realpathSync(mkdtempSync(join(tmpdir(), 'leasehold-patrol-')));
    work = join(root, 'work');
    children = [];
    for (const folder of ['bin', 'proc/sys/kernel/random', 'cgroup', 'work']) {
      mkdirSync(join(root, folder), { recursive: true });
    }
    writeFileSync(join(root, 'proc/uptime'), '500.25 1.0\n');
    writeFileSync(join(root, 'cgroup/cgroup.controllers'), 'cpu memory\n');
    writeFileSync(join(root, 'cgroup/memory.max'), '1000000\n');
    writeFileSync(join(root, 'cgroup/memory.current'), '600000\n');
    writeFileSync(join(root, 'cgroup/memory.stat'), 'anon 5\ninactive_file 100000\n');
    kills(2);
  });
  afterEach(async () => {
    for (const child of children) await end(child);
    rmSync(root, { recursive: true, force: true });
  });

  const kills = (count: number): void =>
    writeFileSync(join(root, 'cgroup/memory.events'), `low 0\noom 1\noom_kill ${String(count)}\n`);

  function tool(name: string, script: string): void {
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(root, 'bin', name), 0o755);
  }
  /** What hangs is waited for no more than a second; whatever else is asked may take its time on a busy machine. */
  function limit(hanging: string): void {
    tool(
      'timeout',
      `case $* in *"${hanging}"*) shift 3; set -- -s KILL 1 "$@" ;; esac\nexec ${realTimeout} "$@"`,
    );
  }

  /** A real process that the script sees as if it were alone on the box. */
  async function start(log: string, script: string): Promise<ChildProcess> {
    const child = spawn('sh', ['-c', `exec >"$1" 2>&1; ${script}`, 'sh', log], {
      cwd: work,
      detached: true,
      stdio: 'ignore',
    });
    children.push(child);
    await vi.waitFor(() => expect(existsSync(log)).toBe(true));
    const pid = String(child.pid);
    symlinkSync(`/proc/${pid}`, join(root, 'proc', pid));
    return child;
  }

  async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    process.kill(-Number(child.pid), signal); // with what it has started
    await gone;
  }

  /** What was started by what was started. */
  function showChildren(): void {
    for (const { pid } of children) {
      const below = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }).stdout.split(
        '\n',
      );
      for (const child of below.filter((each) => each !== '')) {
        const shown = join(root, 'proc', child);
        if (!existsSync(shown)) symlinkSync(`/proc/${child}`, shown);
      }
    }
  }

  function answer(logs: readonly string[]): Promise<string> {
    return runOnboxScript(shell, 'patrol.sh', {
      PATH: `${join(root, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
      TMUX_TMPDIR: root,
      LEASEHOLD_MARK: 'nonce',
      // Only a hang may be taken for one, and no busy machine.
      LEASEHOLD_LIMIT_S: '60',
      LEASEHOLD_LOGS: logs.join('\t'),
      LEASEHOLD_FOLDERS: logs.length === 0 ? '' : work,
      LEASEHOLD_SYSTEM_FOLDERS: SYSTEM_FOLDERS.join(' '),
      LEASEHOLD_LOCAL_TYPES: [...LOCAL_TYPES].join(' '),
      LEASEHOLD_KERNEL_AFTER: kernelAfter,
      LEASEHOLD_LOOKS: looks,
      LEASEHOLD_SNAPSHOTS: snapshots.join('\t'),
      LEASEHOLD_ACCELERATORS: 'turbo.example.com turbo2.example.com',
      LEASEHOLD_APT_LOG: join(root, 'history.log'),
      LEASEHOLD_PROC_ROOT: join(root, 'proc'),
      LEASEHOLD_CGROUP_ROOT: join(root, 'cgroup'),
    });
  }

  async function look(logs: readonly string[] = []): Promise<PatrolLook> {
    const stdout = await answer(logs);
    return readPatrol(stdout, 'nonce', logs, { askedAtMs: Date.now(), answeredAtMs: Date.now() });
  }

  it.skipIf(!isInstalled || !isLinux)('tells of a box on which nothing runs', async () => {
    const idle = await look();
    expect(idle).toMatchObject({ isWhole: true, isCut: false, runs: [], artefacts: [] });
    expect(idle.memory).toMatchObject({ limitBytes: 1_000_000, usedBytes: 500_000, oomKills: 2 });
    expect(idle.machine.uptimeS).toBe(500.25);
    expect(idle.unreadable).toEqual([]);
  });

  it.skipIf(!isInstalled || !isLinux)(
    'tells a run with its own log, folder and what it wrote, and says why it is gone',
    async () => {
      const log = join(work, 'a log.txt');
      const run = await start(log, 'trap "" HUP; echo step 1; : >step-1.pt; sleep 600 & wait');
      await vi.waitFor(async () => {
        expect((await look()).artefacts).toHaveLength(1);
      });
      const before = await look();
      expect(before.runs).toMatchObject([
        {
          pid: run.pid,
          folder: work,
          holdsGpu: false,
          survivesHangup: true,
          logs: [{ path: log, isDeleted: false, end: 'step 1\n' }],
        },
      ]);
      expect(before.artefacts).toMatchObject([
        { kind: 'checkpoint', path: join(work, 'step-1.pt') },
      ]);
      const [seen] = before.runs;
      if (seen === undefined) throw new Error('no run');
      expect(judgeVanished(seen, before, await look([log]), null)).toEqual({ kind: 'running' });

      await end(run);
      kills(3);
      const after = await look([log]);
      expect(after.runs).toEqual([]);
      // On a real box there is always a process; here its table is empty, which is not believed.
      expect(judgeVanished(seen, before, after, null).kind).toBe('unknown');
      const believed = { ...after, processes: { rows: [], isWhole: true } };
      expect(judgeVanished(seen, before, believed, null)).toMatchObject({
        kind: 'gone',
        cause: 'out-of-memory',
      });
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'tells all processes also where one ends while its file is read, of which mawk dies',
    async () => {
      tool('awk', `[ ! -e '${root}/died' ] && : >'${root}/died' && exit 2\nexec ${realAwk} "$@"`);
      await start(join(work, 'log'), 'exec sleep 60');
      const { processes, isWhole } = await look();
      expect(existsSync(join(root, 'died'))).toBe(true);
      expect([isWhole, processes.isWhole, processes.rows.length]).toEqual([true, true, 1]);
      // Where that does not stop, what is not known is not told as nothing.
      rmSync(join(root, 'died'));
      tool('awk', 'exit 2');
      expect((await look()).processes.isWhole).toBe(false);
    },
  );

  it.skipIf(!isInstalled)('tells the end that the folder of a launched run keeps', async () => {
    const folderOf = (id: string): string => join(work, '.local/state/leasehold/runs', id);
    const ends = {
      'r-1': 'failed 3 500 no\n',
      'r-2': 'nonce end known-1 0\n',
      'r-3': `done 0 500 no${'x'.repeat(5000)}\n`,
      'r-4': null,
    };
    for (const [id, text] of Object.entries(ends)) {
      mkdirSync(folderOf(id), { recursive: true });
      writeFileSync(join(folderOf(id), 'log'), 'bye\n');
      if (text !== null) writeFileSync(join(folderOf(id), 'end'), text);
    }
    writeFileSync(join(work, 'log'), 'bye\n');
    writeFileSync(join(work, 'end'), 'done 0 500 no\n'); // of nothing that was launched
    const logs = [...Object.keys(ends).map((id) => join(folderOf(id), 'log')), join(work, 'log')];
    const { keptEnds, knownLogs } = await look(logs);
    expect(knownLogs.size).toBe(5);
    expect([...keptEnds]).toEqual([
      [logs[0], { outcome: 'failed', exitCode: 3, atS: 500, lacksSuccessLine: false, copy: null }],
    ]);
  });

  it.skipIf(!isInstalled || !isLinux)(
    'is not led astray by a log’s name, nor by a log that was deleted',
    async () => {
      const log = join(work, 'x -> y\nnonce end runs 0\nrun 1');
      await start(log, 'echo last words; sleep 600 & wait');
      await vi.waitFor(() => expect(readFileSync(log, 'utf8')).toBe('last words\n'));
      rmSync(log);
      const [run, ...others] = (await look()).runs;
      expect(others).toEqual([]);
      expect(run?.logs).toMatchObject([{ isDeleted: true, end: 'last words\n' }]);
      expect(run?.logs[0]?.path).toContain('x -> y?nonce end runs 0?run 1');
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'stays within what main takes, however much many runs have to say',
    async () => {
      const logs = Array.from({ length: 14 }, (_none, i) => join(work, `log-${String(i)}`));
      const noise = 'head -c 20000 /dev/zero | tr "\\000" x; sleep 600 & wait';
      for (const log of logs) await start(log, noise);
      await vi.waitFor(() => {
        for (const log of logs) expect(statSync(log).size).toBe(20_000);
      });
      const told = await answer(logs);
      expect(told.length).toBeLessThan(256 * 1024);
      const seen = readPatrol(told, 'nonce', logs, { askedAtMs: 0, answeredAtMs: 0 });
      expect(seen).toMatchObject({ isWhole: true, isCut: true });
      expect(seen.runs).toHaveLength(12);
      expect(seen.knownLogs.size).toBe(12);
    },
  );

  it.skipIf(!isInstalled || !isLinux)('answers in time where a file system does not', async () => {
    limit('stat -L');
    await start(join(work, 'log'), 'echo here; sleep 600 & wait');
    tool('stat', 'case $1 in -L*) exec sleep 600 ;; esac');
    const told = await look([join(work, 'log')]);
    expect(told.isWhole).toBe(true);
    expect(told.runs).toMatchObject([{ logs: [] }]); // not told, and not "no log"
  });

  const mountLine = (path: string, device: string, type: string): string =>
    `36 35 ${device} / ${path.replaceAll(' ', '\\040')} rw,noatime - ${type} /dev/x rw\n`;
  function mounts(...lines: readonly string[]): void {
    mkdirSync(join(root, 'proc/self'), { recursive: true });
    writeFileSync(join(root, 'proc/self/mountinfo'), lines.join(''));
  }

  it.skipIf(!isInstalled || !isLinux)(
    'tells how full each disk is, and which server does not answer',
    async () => {
      limit('stat -f');
      const blank = join(root, 'a disk');
      mkdirSync(blank);
      tool('stat', `case "$*" in *${work}*) exec sleep 600 ;; *) exec ${realStat} "$@" ;; esac`);
      mounts(
        mountLine('/', '8:1', 'ext4'),
        mountLine('/proc', '0:5', 'proc'),
        mountLine('/etc/hosts', '8:1', 'ext4'),
        mountLine(blank, '8:2', 'tmpfs'),
        mountLine(work, '0:9', 'nfs4'),
        // A server's mounts, thousands of them.
        ...Array.from({ length: 3000 }, (_none, i) =>
          mountLine(`/sys/x${String(i)}`, `9:${String(i)}`, 'ext4'),
        ),
      );
      const seen = await look();
      expect(seen.mounts.map(({ path }) => path)).toEqual(['/', blank, work]);
      const [rootDisk, local, far] = seen.mounts;
      expect(rootDisk?.usage?.totalKiB).toBeGreaterThan(0);
      expect(local).toMatchObject({ because: null, usage: { mount: blank } });
      expect(far).toMatchObject({ usage: null, because: 'it did not answer in time' });
      expect(seen).toMatchObject({ isWhole: true, mountsLeftOut: 0 });
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'looks on a full disk for snapshots in the folders that it is told of',
    async () => {
      const disk = join(root, "it's $(a) disk");
      mkdirSync(disk);
      for (const folder of [disk, work]) {
        writeFileSync(join(folder, 'env.snap'), '');
        truncateSync(join(folder, 'env.snap'), 20_000_000);
      }
      tool('stat', `case $1 in -f) echo "4096 100 5 5 10 5 /" ;; *) exec ${realStat} "$@" ;; esac`);
      mounts(mountLine('/', '8:1', 'ext4'));
      expect((await look()).fills?.snapshots).toEqual([]);
      snapshots = [join(root, 'none'), disk];
      expect((await look()).fills?.snapshots).toEqual([
        { path: join(disk, 'env.snap'), bytes: 20_000_000 },
      ]);
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'tells what the kernel’s log says since the last look',
    async () => {
      const boot = '0dca9e43-aaaa-4bbb-8ccc-000000000001';
      writeFileSync(join(root, 'proc/sys/kernel/random/boot_id'), `${boot}\n`);
      tool(
        'dmesg',
        [
          "echo '[    0.000000] Linux version 6.1'",
          "echo '[  100.500000] NVRM: Xid (PCI:0000:01:00): 13, pid=1, name=python, Graphics Exception'",
          "echo '[  200.500000] Memory cgroup out of memory: Killed process 7 (my loader) total-vm:1kB'",
        ].join('\n'),
      );
      const all = (await look()).kernel;
      expect(all).toMatchObject({ closedBecause: null, fromS: 0, toS: 200.5, leftOut: 0 });
      expect(all.gpuEvents).toMatchObject([{ kind: 'xid', code: 13 }]);
      kernelAfter = `${boot} 150`;
      const since = (await look()).kernel;
      expect(since.gpuEvents).toEqual([]);
      expect(since.oomKills).toMatchObject([{ pid: 7, processName: 'my loader' }]);
      kernelAfter = 'another-boot 150';
      expect((await look()).kernel.gpuEvents).toHaveLength(1);
      tool('dmesg', "echo 'dmesg: read kernel buffer failed: Operation not permitted' >&2; exit 1");
      expect((await look()).kernel.closedBecause).toBe('the kernel log is closed to this user');
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'tells a proxy and a tracker by words of its own, and nothing else of an environment',
    async () => {
      await start(
        join(work, 'log'),
        'echo "wandb: ERROR No API key configured."; exec env http_proxy=http://other:1 https_proxy=http://u:hunter2@Turbo2.example.com:1 WANDB_MODE=offline WANDB_API_KEY=hunter3 sleep 600',
      );
      await vi.waitFor(async () => {
        expect((await look()).runs).toMatchObject([
          { proxy: 'turbo2.example.com', tracker: 'offline' },
        ]);
      });
      const [run] = (await look()).runs;
      expect(run?.logs[0]?.start?.trim()).toBe('wandb: ERROR No API key configured.');
      const told = (await answer([])).replace(/^command .*$/gm, '');
      expect(told).not.toMatch(/hunter/);
    },
  );

  it.skipIf(!isInstalled || !isLinux)('tells what waits, by its own words', async () => {
    await start(join(work, 'log'), 'exec tail -f /dev/null');
    await vi.waitFor(async () => {
      expect((await look()).waiters).toMatchObject([{ hasTerminal: false }]);
    });
    expect((await look()).waiters[0]?.command).toBe('tail -f /dev/null');
  });

  it.skipIf(!isInstalled || !isLinux)(
    'tells what a tail follows, and whether somebody still writes to it',
    async () => {
      const log = join(work, 'a log');
      const run = await start(log, 'echo step 1; sleep 600 & wait');
      await start(join(work, 'other'), `exec tail -f '${log}'`);
      const seen = { path: log, isWritten: true };
      await vi.waitFor(async () => {
        expect((await look()).waiters).toMatchObject([{ follows: seen }]);
      });
      await end(run);
      rmSync(join(root, 'proc', String(run.pid)));
      expect((await look()).waiters).toMatchObject([{ follows: { ...seen, isWritten: false } }]);
    },
  );

  it.skipIf(!isInstalled || !isLinux)('tells the log that a tee writes for a run', async () => {
    const log = join(work, 'train log');
    await start(
      join(work, 'own'),
      `exec >/dev/null 2>&1; sh -c 'echo step 1; sleep 600 & wait' 2>&1 | tee '${log}'`,
    );
    await vi.waitFor(async () => {
      showChildren();
      expect((await look()).runs).toMatchObject([
        {
          command: expect.stringMatching(/^sh -c/) as string,
          logs: [{ path: log, end: 'step 1\n' }],
        },
      ]);
    });
  });

  it.skipIf(!isInstalled || !isLinux)(
    'tells the script that a shell runs, and when it was written in its place',
    async () => {
      const path = join(root, 'queue.sh');
      writeFileSync(path, 'echo step 1\nsleep 600 & wait\necho step 2\n');
      await start(join(work, 'log'), `exec bash '${path}'`);
      const scripts = async () => (await look()).beside.scripts;
      await vi.waitFor(async () => {
        expect(await scripts()).toMatchObject([{ path, bytes: 41, isDeleted: false }]);
      });
      writeFileSync(path, 'echo another script\n');
      expect(await scripts()).toMatchObject([{ path, bytes: 20, isDeleted: false }]);
      rmSync(path);
      expect(await scripts()).toMatchObject([{ isDeleted: true }]);
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'reads the journal where the kernel log is closed, and asks for it only while runs are known',
    async () => {
      const fake = (name: string, text: string) => {
        writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
      };
      fake('dmesg', 'echo "dmesg: read kernel buffer failed: Operation not permitted" >&2; exit 1');
      const xid =
        '[  500.100000] box kernel: NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.';
      fake(
        'journalctl',
        `: >'${join(root, 'asked')}'; echo '[    1.000000] box kernel: begins'; echo '${xid}'`,
      );
      expect((await look()).kernel.closedBecause).toContain('closed');
      expect(existsSync(join(root, 'asked'))).toBe(false);
      const { kernel } = await look([join(work, 'gone.log')]);
      expect(kernel).toMatchObject({ closedBecause: null, fromS: 1, toS: 500.1 });
      expect(kernel.gpuEvents).toMatchObject([{ kind: 'xid', code: 79 }]);
      fake('journalctl', 'exit 1');
      expect((await look([join(work, 'gone.log')])).kernel.closedBecause).toContain('closed');
      if (shell !== BOX_SHELLS[0]?.shell) return; // once is enough, for it waits for a second
      limit('journalctl');
      fake('journalctl', 'sleep 60');
      expect((await look([join(work, 'gone.log')])).kernel.closedBecause).toContain('closed');
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'tells what only some platforms make worth a look, where it is asked for',
    async () => {
      await start(join(work, 'log'), 'export HF_TOKEN=secret-value; exec sh -c "sleep 600 & wait"');
      symlinkSync(join(root, 'one'), join(root, 'proc', '1'));
      mkdirSync(join(root, 'one'));
      writeFileSync(join(root, 'one', 'environ'), 'A=b\0WANDB_API_KEY=secret-value\0HF_TOKEN=x\0');
      expect((await look()).beside).toMatchObject({ podNames: null, torch: null, upgrade: null });
      looks = 'pod-names';
      const text = await answer([]);
      expect(text).not.toContain('secret-value');
      await vi.waitFor(async () => {
        const pod = await look();
        expect(pod.beside.podNames).toEqual(['WANDB_API_KEY', 'HF_TOKEN']);
        expect(pod.runs).toMatchObject([{ keys: ['HF_TOKEN'] }]);
      });
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'tells on Lambda which torch a run can import, and the last upgrade of everything',
    async () => {
      const env = join(root, 'env');
      mkdirSync(join(env, 'lib/python3.10/site-packages/torch'), { recursive: true });
      mkdirSync(join(env, 'bin'));
      writeFileSync(
        join(env, 'pyvenv.cfg'),
        'home = /usr/bin\ninclude-system-site-packages = true\n',
      );
      symlinkSync('/bin/sleep', join(env, 'bin/python3'));
      writeFileSync(
        join(root, 'history.log'),
        'Start-Date: 2026-11-01  10:00:00\nCommandline: apt-get -y dist-upgrade\n\nStart-Date: 2026-11-02  10:00:00\nCommandline: apt install htop\n',
      );
      await start(join(work, 'log'), `echo begins; exec '${env}/bin/python3' 600`);
      looks = 'python-mix';
      await vi.waitFor(async () => {
        const { beside } = await look();
        expect(beside.environments).toMatchObject([{ borrowsSystem: true, folder: env }]);
        expect(beside.torch).toContain(`${env}/lib/python3.10/site-packages/torch`);
        expect(beside.upgrade).toBe('2026-11-01 10:00:00 apt-get -y dist-upgrade');
      });
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'finds on Lambda the environment of a Python that was started by a shorter name',
    async () => {
      const env = join(work, 'env');
      mkdirSync(join(env, 'bin'), { recursive: true });
      writeFileSync(join(env, 'pyvenv.cfg'), 'include-system-site-packages = false\n');
      symlinkSync('/bin/sleep', join(env, 'bin/python3'));
      const begin = `echo begins; cd '${work}'`;
      await start(join(work, 'one'), `${begin}; exec env/bin/python3 600`);
      await start(
        join(work, 'two'),
        `${begin}; export VIRTUAL_ENV='${env}' PATH='${env}/bin'; exec python3 600`,
      );
      writeFileSync(
        join(root, 'history.log'),
        'Start-Date: 2026-11-01  10:00:00\nCommandline: apt-get -y install unattended-upgrades\n\nStart-Date: 2026-11-02  10:00:00\nCommandline: apt install --only-upgrade htop\n',
      );
      looks = 'python-mix';
      await vi.waitFor(async () => {
        const { beside } = await look();
        expect(beside.environments).toMatchObject([
          { borrowsSystem: false, folder: env },
          { borrowsSystem: false, folder: env },
        ]);
        expect(beside.upgrade).toBe('none');
      });
    },
  );

  it.skipIf(!isInstalled || !isLinux)('tells how much memory each process has', async () => {
    mkdirSync(join(root, 'proc/self'), { recursive: true });
    writeFileSync(join(root, 'proc/self/smaps'), 'Size: 8 kB\nKernelPageSize:        4 kB\n');
    const run = await start(join(work, 'log'), 'echo begins; sleep 600 & wait');
    const row = (await look()).processes.rows.find(({ pid }) => pid === run.pid);
    expect(row?.residentBytes).toBeGreaterThan(100_000);
    expect((row?.residentBytes ?? 1) % 4096).toBe(0);
  });

  it.skipIf(!isInstalled || !isLinux)('tells which cards the driver shows to the box', async () => {
    mkdirSync(join(root, 'proc/driver/nvidia/gpus/0000:3B:00.0'), { recursive: true });
    expect((await look()).cardAddresses).toEqual(['0000:3b:00']);
  });
});
