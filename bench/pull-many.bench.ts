// Twenty thousand small files brought home over a real loopback sshd, hashed on both sides and proven, beside scp and rsync, which hash
// nothing; in Electron, as the window does it, and in Node, as the command line does. And over a slow link, where they come compressed.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSshd } from '../src/main/ssh/sshd.fixture.ts';
import { startDelayingProxy } from './delaying-proxy.ts';
import { report, type BenchRow } from './harness.ts';
import { pullBeside } from './pull-peers.ts';
import { Puller } from './puller.ts';

const FILES = 20_000;
const FOLDERS = 200;
const ROUNDS = 1;
const SLOW_MB_PER_S = 5;
const SLOW_ONE_WAY_MS = 20;

const folder = mkdtempSync(join(tmpdir(), 'leasehold-pull-many-bench-'));
const results = join(folder, 'box');
for (let at = 0; at < FILES; at += 1) {
  const inside = join(results, `step_${String(at % FOLDERS)}`);
  if (at < FOLDERS) mkdirSync(inside, { recursive: true });
  const line = `{"step":${String(at)},"loss":${String(1 / (at + 1))}}\n`;
  writeFileSync(join(inside, `part_${String(at)}.jsonl`), line.repeat(60 + (at % 60)));
}
const sshd = await startSshd({ configLines: ['Subsystem sftp internal-sftp'] });
const manifests = join(folder, 'manifests');
const inElectron = await Puller.start(sshd, sshd.port, manifests);
const inNode = await Puller.start(sshd, sshd.port, manifests, 'node');
const proxy = await startDelayingProxy(sshd.port, SLOW_ONE_WAY_MS, SLOW_MB_PER_S * 1_000_000);
const distant = await Puller.start(sshd, proxy.port, manifests);
try {
  const rows: BenchRow[] = [];
  for (const [where, puller] of [
    ['Electron', inElectron],
    ['Node', inNode],
  ] as const) {
    const what = `${String(FILES)} small files, in ${where}`;
    rows.push(...(await pullBeside(what, { puller, results, sshd, folder }, ROUNDS)));
  }
  const slow = `the same in Electron, over ${String(SLOW_MB_PER_S)} MB/s and ${String(2 * SLOW_ONE_WAY_MS)} ms`;
  const behind = { ...sshd, port: proxy.port };
  rows.push(
    ...(await pullBeside(
      slow,
      { puller: distant, results, sshd: behind, folder, isFar: true },
      ROUNDS,
    )),
  );
  report({ name: 'pull-many', rows });
} finally {
  await inElectron.stop();
  await inNode.stop();
  await distant.stop();
  await proxy.stop();
  await sshd.stop();
  await rm(folder, { recursive: true, force: true });
}
