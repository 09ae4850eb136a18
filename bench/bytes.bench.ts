// A command's bytes through main's own SSH library, beside `ssh host cat`: in Electron, as the window carries them, and in Node, as
// the command line does. No goal: for what is large the way is chosen by measuring (decision 8).
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSshd } from '../src/main/ssh/sshd.fixture.ts';
import type { BytesOrder } from './bytes.runtime.ts';
import { report, type BenchRow } from './harness.ts';
import type { BenchServer } from './link-to.ts';
import { BUNDLE, startRuntime } from './main-runtime.ts';
import { endOf, startSsh } from './ssh-command.ts';
import { median } from './windows.ts';

/** Odd, so that the median is a round that was measured. */
const ROUNDS = 5;
const BYTES = 200_000_000;

const folder = mkdtempSync(join(tmpdir(), 'leasehold-bytes-'));
const file = join(folder, 'data');
writeFileSync(file, Buffer.alloc(BYTES, 7));
const sshd = await startSshd();
const { user, keyFile, privateKey, port } = sshd;

async function openRuntime(runtime: 'electron' | 'node'): Promise<ChildProcess> {
  const child = await startRuntime('./bytes.runtime.ts', { runtime });
  const server: BenchServer = { sshdPort: port, user, privateKey };
  const ready = once(child, 'message');
  child.send(server);
  await ready;
  return child;
}

async function ours(child: ChildProcess, way: BytesOrder['way']): Promise<number> {
  const order: BytesOrder = { way, file, bytes: BYTES };
  const answered = once(child, 'message');
  child.send(order);
  const [{ ms }] = (await answered) as [{ ms: number }];
  return BYTES / 1e3 / ms;
}

async function openSsh(way: BytesOrder['way']): Promise<number> {
  const startedMs = performance.now();
  if (way === 'down') {
    await endOf(startSsh({ user, keyFile }, port, { command: `cat ${file}` }));
  } else {
    const input = openSync(file, 'r');
    await endOf(
      startSsh({ user, keyFile }, port, {
        command: 'wc -c',
        stdio: [input, 'ignore', 'ignore'],
      }),
    );
    closeSync(input);
  }
  return BYTES / 1e3 / (performance.now() - startedMs);
}

const children: ChildProcess[] = [];
const rows: BenchRow[] = [];
try {
  for (const runtime of ['electron', 'node'] as const) {
    const child = await openRuntime(runtime);
    children.push(child);
    for (const way of ['down', 'up'] as const) {
      await ours(child, way); // warms up
      const seen: { ours: number; ssh: number }[] = [];
      // By turns, so that a slow moment of the machine hits both.
      for (let round = 0; round < ROUNDS; round += 1) {
        seen.push({ ours: await ours(child, way), ssh: await openSsh(way) });
      }
      const command = way === 'down' ? 'ssh host cat' : 'ssh host wc -c';
      rows.push({
        measure: `${way === 'down' ? 'output' : 'input'} of a command in ${runtime === 'node' ? 'Node' : 'Electron'} (baseline: ${command})`,
        value: median(seen.map((round) => round.ours)),
        unit: 'MB/s',
        baseline: median(seen.map((round) => round.ssh)),
        ratio: median(seen.map((round) => round.ours / round.ssh)),
      });
    }
  }
  report({ name: 'bytes', rows });
} finally {
  for (const child of children.filter(({ connected }) => connected)) {
    const gone = once(child, 'exit');
    child.send('end');
    await gone;
  }
  await sshd.stop();
  rmSync(BUNDLE, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}
