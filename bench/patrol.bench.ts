// What one patrol costs the box: CPU time and bytes, under each shell that a box may have, where nothing runs.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BOX_SHELLS,
  onboxScripts,
  runOnboxScript,
} from '../src/main/onbox/onbox-scripts.fixture.ts';
import { forAnyShell } from '../src/shared/boxes/any-shell.ts';
import { LOCAL_TYPES, SYSTEM_FOLDERS } from '../src/shared/mounts/select-mounts.ts';
import { ok } from '../src/shared/result.ts';
import { report, type BenchRow } from './harness.ts';

const GOAL_CPU_MS = 20;
const GOAL_WALL_MS = 1000;
const LOOKS = 40;

const root = mkdtempSync(join(tmpdir(), 'leasehold-patrol-bench-'));
const proc = join(root, 'proc');
mkdirSync(proc);
// This machine's kernel, and of its processes the first alone.
for (const name of ['meminfo', 'vmstat', 'stat', 'uptime', 'loadavg', 'sys', 'self', '1']) {
  symlinkSync(`/proc/${name}`, join(proc, name));
}
const env = {
  PATH: process.env['PATH'] ?? '',
  TMUX_TMPDIR: root,
  LEASEHOLD_MARK: 'nonce',
  LEASEHOLD_LOGS: '',
  LEASEHOLD_FOLDERS: '',
  LEASEHOLD_SYSTEM_FOLDERS: SYSTEM_FOLDERS.join(' '),
  LEASEHOLD_LOCAL_TYPES: [...LOCAL_TYPES].join(' '),
  LEASEHOLD_KERNEL_AFTER: '',
  LEASEHOLD_LOOKS: '',
  LEASEHOLD_SNAPSHOTS: '',
  LEASEHOLD_PROC_ROOT: proc,
};

/** `times` of a shell: its own on the first line, its children's on the second, "0m1.23s 0m0.45s". */
function childrenMs(times: string): number {
  const [, children = ''] = times.trim().split('\n');
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
    0,
  );
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** What main says to the box, and what it gives it to read. */
async function asked(): Promise<{ readonly line: string; readonly input: string }> {
  let told = { line: '', input: '' };
  const { LEASEHOLD_PROC_ROOT: _own, PATH: _path, TMUX_TMPDIR: _tmux, ...values } = env;
  const ran = await onboxScripts.run(
    {
      run: (line, options) => {
        told = { line: forAnyShell(line), input: options?.input ?? '' };
        return Promise.resolve(ok({ stdout: '', stderr: '', end: { kind: 'exited', code: 0 } }));
      },
    },
    'patrol.sh',
    values,
  );
  if (!ran.ok) throw new Error(ran.error.message);
  return told;
}

/** Its script comes over a pipe, as from a server; what the bench itself needs to fill the pipe is not the box's. */
function cpuMsOf(command: string, more: Readonly<Record<string, string>>): number {
  const loop = `i=0; while [ $i -lt ${String(LOOKS)} ]; do cat "$FILE" | ${command} >/dev/null 2>&1; i=$((i + 1)); done; times`;
  const { stdout } = spawnSync('bash', ['-c', loop], {
    env: { ...env, ...more },
    encoding: 'utf8',
  });
  return childrenMs(stdout) / LOOKS;
}

async function measure(
  name: string,
  shell: (typeof BOX_SHELLS)[number]['shell'],
): Promise<readonly BenchRow[]> {
  const { line, input } = await asked();
  const file = join(root, 'input');
  writeFileSync(file, input);
  const bin = join(root, `bin-${shell.join('-')}`);
  mkdirSync(bin);
  const { stdout: real } = spawnSync('sh', ['-c', 'command -v "$0"', shell[0]], {
    encoding: 'utf8',
  });
  symlinkSync(real.trim(), join(bin, 'sh'));
  const box = { FILE: file, LINE: line, PATH: `${bin}:${env.PATH}` };
  const beganMs = performance.now();
  const lookMs = cpuMsOf('eval "$LINE"', box);
  const wallMs = round((performance.now() - beganMs) / LOOKS);
  const cpuMs = round(lookMs - cpuMsOf('{ :; }', box));
  const bytes = Buffer.byteLength(await runOnboxScript(shell, 'patrol.sh', env));
  return [
    {
      measure: `CPU of one look, ${name}`,
      value: cpuMs,
      unit: 'ms',
      goal: `under ${String(GOAL_CPU_MS)}`,
      isMet: cpuMs < GOAL_CPU_MS,
    },
    {
      measure: `time of one look, ${name}`,
      value: wallMs,
      unit: 'ms',
      goal: `under ${String(GOAL_WALL_MS)}`,
      isMet: wallMs < GOAL_WALL_MS,
    },
    { measure: `its answer, ${name}`, value: bytes, unit: 'bytes' },
  ];
}

try {
  const rows: BenchRow[] = [];
  for (const { name, shell, isInstalled } of BOX_SHELLS) {
    if (isInstalled) rows.push(...(await measure(name, shell)));
  }
  report({ name: 'patrol', rows });
} finally {
  rmSync(root, { recursive: true, force: true });
}
