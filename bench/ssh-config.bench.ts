import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openConfig } from '../src/shared/boxes/ssh-config/config-boxes.ts';
import type { ConfigTree } from '../src/shared/boxes/ssh-config/sections.ts';
import { report } from './harness.ts';

// How long a person with a generated SSH config waits: all of 3,000 hosts, beside OpenSSH's own answer for one of them.

const HOSTS = 3000;
const RUNS = 9;
const GOAL_MS = 1000;

function configOf(hosts: number): string {
  const blocks = Array.from(
    { length: hosts },
    (_none, i) => `Host gpu-${i} alias-${i}.example
  HostName 10.${i >> 16}.${(i >> 8) & 255}.${i & 255}
  User user${i % 7}
  Port ${2000 + (i % 1000)}
  IdentityFile ~/.ssh/keys/%n
  ProxyJump gate-${i % 10}
`,
  );
  const gates = Array.from({ length: 10 }, (_none, i) => `Host gate-${i}\n  User jump\n`);
  return `${blocks.join('')}${gates.join('')}Host gpu-*\n  ServerAliveInterval 5\nMatch host 10.*\n  IdentitiesOnly yes\nHost *\n  Compression yes\n`;
}

function medianMs(work: () => void): number {
  const times = Array.from({ length: RUNS }, () => {
    const startedAtMs = performance.now();
    work();
    return performance.now() - startedAtMs;
  });
  times.sort((a, b) => a - b);
  return times[Math.floor(RUNS / 2)] ?? NaN;
}

const folder = mkdtempSync(join(tmpdir(), 'leasehold-bench-config-'));
try {
  const text = configOf(HOSTS);
  const file = join(folder, 'config');
  writeFileSync(file, text);
  const tree: ConfigTree = {
    roots: [file],
    files: new Map([[file, text]]),
    includes: new Map(),
    notes: [],
  };
  const ours = medianMs(() => {
    const { hosts, toBox } = openConfig(tree, { name: 'me', home: '/home/me' });
    const usable = hosts.map(toBox).filter(({ connection }) => connection !== null).length;
    if (usable !== HOSTS * 2 + 10) throw new Error(`read ${usable} hosts`);
  });
  const theirs = medianMs(() => {
    execFileSync('ssh', ['-G', '-F', file, 'gpu-1500'], { stdio: 'ignore' });
  });
  report({
    name: 'ssh-config',
    rows: [
      {
        measure: `all ${(HOSTS * 2 + 10).toLocaleString('en')} names of ${HOSTS.toLocaleString('en')} Host blocks, resolved with jump hosts (baseline: ssh -G for one, process start included)`,
        value: Math.round(ours),
        unit: 'ms',
        baseline: Math.round(theirs),
        ratio: Math.round((ours / theirs) * 10) / 10,
        goal: `under ${GOAL_MS.toLocaleString('en')} ms`,
        isMet: ours < GOAL_MS,
      },
    ],
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
