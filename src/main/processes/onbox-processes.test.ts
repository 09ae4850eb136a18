import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseEndedProcesses, parseGpuHolders } from '../../shared/probes/gpu-holders.ts';
import { BOX_SHELLS, runOnboxScript } from '../onbox/onbox-scripts.fixture.ts';
import type { OnboxScript } from '../onbox/onbox-scripts.ts';

const isLinux = process.platform === 'linux';

describe.skipIf(!isLinux).each(BOX_SHELLS)('under $name', ({ name, shell, isInstalled }) => {
  let root: string;
  let started: ChildProcess[];
  beforeEach(({ skip }) => {
    skip(!isInstalled, `${name} is not installed`);
    started = [];
    root = mkdtempSync(join(tmpdir(), 'leasehold-holders-'));
    for (const folder of ['bin', 'dev', 'proc/41/fd', 'proc/42/fd', 'proc/driver/nvidia/gpus/a']) {
      mkdirSync(join(root, folder), { recursive: true });
    }
  });
  afterEach(async () => {
    for (const child of started) await end(child);
    rmSync(root, { recursive: true, force: true });
  });

  function start(file: string, ...args: readonly string[]): ChildProcess & { pid: number } {
    const child = spawn(file, args, { stdio: 'ignore' });
    started.push(child);
    if (child.pid === undefined) throw new Error(`${file} did not start`);
    return Object.assign(child, { pid: child.pid });
  }

  function tool(name: string, body: string): void {
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(root, 'bin', name), 0o755);
  }

  function run(
    script: OnboxScript,
    env: Readonly<Record<string, string>>,
    path?: string,
  ): Promise<string> {
    return runOnboxScript(shell, script, {
      PATH: path ?? `${join(root, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
      LEASEHOLD_MARK: 'nonce',
      ...env,
    });
  }

  describe('gpu-holders.sh', () => {
    const stat = (pid: number, name: string, state: string, parent: number, ticks: number): void =>
      writeFileSync(
        join(root, `proc/${String(pid)}/stat`),
        `${String(pid)} (${name}) ${state} ${String(parent)} 1 1 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 ${String(ticks)} 0\n`,
      );

    async function look(path?: string) {
      const env = {
        LEASEHOLD_PROC_ROOT: join(root, 'proc'),
        LEASEHOLD_DEV_ROOT: join(root, 'dev'),
      };
      return parseGpuHolders(await run('gpu-holders.sh', env, path), 'nonce', 7);
    }

    beforeEach(() => {
      writeFileSync(join(root, 'dev/nvidia1'), '');
      writeFileSync(join(root, 'proc/uptime'), '500.00 1.0\n');
      writeFileSync(
        join(root, 'proc/driver/nvidia/gpus/a/information'),
        'Model: \t NVIDIA A100\nGPU UUID: \t GPU-0123abcd-0000\nDevice Minor: \t 1\n',
      );
      stat(41, 'a) b\nc', 'S', 1, 40_000);
      stat(42, 'python3', 'D', 41, 50_000);
      writeFileSync(
        join(root, 'proc/42/cmdline'),
        'python3\0train.py\0--x=a\nnonce end processes 0\0',
      );
      writeFileSync(join(root, 'proc/41/cmdline'), 'launch\0');
      symlinkSync(join(root, 'dev/nvidia1'), join(root, 'proc/42/fd/3'));
      symlinkSync(join(root, 'dev/nvidiactl'), join(root, 'proc/41/fd/3'));
    });

    it('asks fuser, and says of each holder what it is', async () => {
      tool('fuser', 'printf "%s: m\\n" "$1" >&2; printf " 41 42"');
      tool(
        'nvidia-smi',
        'case "$*" in *compute-apps*) printf "pid, gpu_uuid\\n42, GPU-0123abcd-0000\\n";; *) printf "index, uuid, memory.used [MiB], memory.total [MiB]\\n0, GPU-0123abcd-0000, 30000 MiB, 81920 MiB\\n";; esac',
      );
      mkdirSync(join(root, 'proc/sys/kernel/random'), { recursive: true });
      writeFileSync(
        join(root, 'proc/sys/kernel/random/boot_id'),
        '11111111-1111-4111-8111-111111111111\n',
      );
      const { look: found, isWhole } = await look();
      expect(isWhole).toBe(true);
      expect(found).toMatchObject({
        kind: 'known',
        way: 'fuser',
        cards: [{ index: 0, memoryUsedMiB: 30_000, memoryTotalMiB: 81_920 }],
        holders: [
          {
            bootId: '11111111-1111-4111-8111-111111111111',
            pid: 41,
            startTicks: 40_000,
            nodes: [1],
            command: 'launch',
            ageS: 100,
            parentPid: 1,
            parentCommand: null,
            isListed: false,
            guard: null,
          },
          {
            pid: 42,
            startTicks: 50_000,
            state: 'D',
            gpus: ['GPU-0123abcd-0000'],
            command: 'python3 train.py --x=a?nonce end processes 0',
            parentPid: 41,
            parentCommand: 'launch',
            isListed: true,
          },
        ],
      });
    });

    it('asks lsof where there is no fuser, and the process table where there is neither', async () => {
      const bare = bareTools();
      tool('lsof', 'printf "42\\n"');
      expect((await look(`${join(root, 'bin')}${delimiter}${bare}`)).look).toMatchObject({
        way: 'lsof',
        holders: [{ pid: 42, isListed: null }],
      });
      rmSync(join(root, 'bin/lsof'));
      mkdirSync(join(root, 'proc', 'self/fd'), { recursive: true });
      // Without a table of its own processes nothing can be said.
      expect((await look(bare)).look).toMatchObject({
        kind: 'unknown',
        because: expect.stringContaining('neither fuser nor lsof'),
      });
    });

    it('does not call a box without device nodes empty', async () => {
      tool('fuser', 'exit 1');
      rmSync(join(root, 'dev/nvidia1'));
      expect((await look()).look).toMatchObject({
        kind: 'unknown',
        because: expect.stringContaining('no device nodes'),
      });
    });

    it('does not take a tool that failed for one that found nobody', async () => {
      tool('fuser', 'exit 139');
      expect((await look()).look).toMatchObject({
        kind: 'unknown',
        because: expect.stringContaining('139'),
      });
    });

    it('finds a real process that has the node open through the real process table', async () => {
      const child = start(
        'sh',
        '-c',
        `exec 3<"${join(root, 'dev/nvidia1')}"; while :; do sleep 1; done`,
      );
      const bare = bareTools();
      const env = { LEASEHOLD_DEV_ROOT: join(root, 'dev') };
      let found = parseGpuHolders(await run('gpu-holders.sh', env, bare), 'nonce', 7).look;
      while (found.kind === 'known' && found.holders.length === 0) {
        found = parseGpuHolders(await run('gpu-holders.sh', env, bare), 'nonce', 7).look;
      }
      expect(found).toMatchObject({
        kind: 'known',
        way: 'proc',
        holders: expect.arrayContaining([
          expect.objectContaining({
            pid: child.pid,
            startTicks: startOf(child.pid),
            mayBeEnded: true,
            guard: null,
          }),
        ]),
      });
    });

    /** Everything that the script needs, without fuser, lsof and nvidia-smi. */
    function bareTools(): string {
      const folder = join(root, 'bare');
      mkdirSync(folder);
      for (const each of new Set([
        shell[0],
        'sh',
        'sed',
        'cut',
        'head',
        'tr',
        'awk',
        'ls',
        'sort',
        'stat',
        'readlink',
        'getconf',
        'id',
        'cat',
        'timeout',
        'true',
        'sleep',
      ])) {
        const { stdout } = spawnSync('sh', ['-c', `command -v ${each}`], { encoding: 'utf8' });
        if (stdout.startsWith('/')) symlinkSync(stdout.trim(), join(folder, each));
      }
      return folder;
    }
  });

  describe('end-processes.sh', () => {
    async function endThem(processes: string, signal = 'TERM', wait = '60', boot = bootId()) {
      const env = {
        LEASEHOLD_BOOT: boot,
        LEASEHOLD_PROCESSES: processes,
        LEASEHOLD_SIGNAL: signal,
        LEASEHOLD_WAIT: wait,
      };
      return parseEndedProcesses(await run('end-processes.sh', env), 'nonce');
    }
    const named = (pid: number): string => `${String(pid)}:${String(startOf(pid))}`;

    it('ends exactly those that were named, and sees them gone', async () => {
      const [one, two, bystander] = [
        start('sleep', '600'),
        start('sleep', '600'),
        start('sleep', '600'),
      ];
      const gone = Promise.all([once(one, 'exit'), once(two, 'exit')]);
      // Told in the order in which they end.
      const ended = await endThem(`${named(one.pid)} ${named(two.pid)}`);
      const byPid = [...(ended ?? [])].sort(
        (a, b) => Number(a.pid === two.pid) - Number(b.pid === two.pid),
      );
      expect(byPid).toEqual([
        { pid: one.pid, outcome: 'ended', state: null },
        { pid: two.pid, outcome: 'ended', state: null },
      ]);
      await gone;
      expect([one.signalCode, two.signalCode]).toEqual(['SIGTERM', 'SIGTERM']);
      expect(process.kill(bystander.pid, 0)).toBe(true);
    });

    it('never signals a number that another process has by now, nor one of another boot', async () => {
      const child = start('sleep', '600');
      const other = `${String(child.pid)}:${String(startOf(child.pid) + 1)}`;
      expect(await endThem(other, 'KILL')).toEqual([
        { pid: child.pid, outcome: 'other', state: null },
      ]);
      expect(await endThem(named(child.pid), 'KILL', '60', 'another-boot')).toEqual([
        { pid: child.pid, outcome: 'other', state: null },
      ]);
      expect(process.kill(child.pid, 0)).toBe(true);
      expect(child.signalCode).toBeNull();
    });

    it('says what is left after TERM, and KILL ends it', async () => {
      const child = start('sleep', '600');
      // A stopped process hears TERM only when it goes on; one that has yet to stop may hear it before.
      process.kill(child.pid, 'SIGSTOP');
      await vi.waitFor(() =>
        expect(readFileSync(`/proc/${String(child.pid)}/stat`, 'utf8')).toContain(') T '),
      );
      expect(await endThem(named(child.pid), 'TERM', '1')).toEqual([
        { pid: child.pid, outcome: 'left', state: 'T' },
      ]);
      const gone = once(child, 'exit');
      expect(await endThem(named(child.pid), 'KILL')).toMatchObject([{ outcome: 'ended' }]);
      await gone;
    });

    it('tells who is there without a signal to anybody', async () => {
      const [stays, ends] = [start('sleep', '600'), start('sleep', '600')];
      const names = `${named(stays.pid)} ${named(ends.pid)}`;
      const gone = once(ends, 'exit');
      ends.kill();
      await gone;
      expect(await endThem(names, '0', '0')).toEqual([
        { pid: ends.pid, outcome: 'gone', state: null },
        { pid: stays.pid, outcome: 'left', state: 'S' },
      ]);
      expect(stays.signalCode).toBeNull();
    });

    it('leaves process 1 and its own session alone, and says who is gone already', async () => {
      const own = spawnSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' });
      const past = Number(own.stdout);
      expect(
        await endThem(`1:${String(startOf(1))} ${named(process.pid)} ${String(past)}:5`, 'KILL'),
      ).toEqual([
        { pid: 1, outcome: 'protected', state: null },
        { pid: process.pid, outcome: 'protected', state: null },
        { pid: past, outcome: 'gone', state: null },
      ]);
    });

    it('counts a zombie as ended: only its parent can take it off the list', async () => {
      // `exec` keeps the parent, which never asks for the child's end.
      const parent = start('sh', '-c', 'sleep 600 & exec sleep 600');
      let pid = 0;
      while (pid === 0) {
        const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(parent.pid)], {
          encoding: 'utf8',
        });
        pid = Number(stdout.trim());
      }
      expect(await endThem(named(pid), 'KILL')).toEqual([{ pid, outcome: 'ended', state: null }]);
      expect(readFileSync(`/proc/${String(pid)}/stat`, 'utf8')).toContain(') Z ');
    });

    it.each([
      ['a signal that is none', '77:1', 'HUP'],
      ['a word that is no number', '77:1 $(touch x):2', 'TERM'],
      ['a start that is no number', '77:1;reboot', 'TERM'],
    ])('does nothing for %s', async (_what, processes, signal) => {
      expect(await endThem(processes, signal)).toBeNull();
    });
  });
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

function startOf(pid: number): number {
  const text = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[19]);
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}
