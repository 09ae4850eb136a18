// Twenty thousand small files brought home over a real loopback sshd, hashed on both sides and proven, beside scp and rsync, which hash
// nothing; in Electron, as the window does it, and in Node, as the command line does.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSshd } from '../src/main/ssh/sshd.fixture.ts';
import { report, type BenchRow } from './harness.ts';
import { pullBeside } from './pull-peers.ts';
import { Puller } from './puller.ts';

const FILES = 20_000;
const FOLDERS = 200;
const ROUNDS = 1;

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
try {
  const rows: BenchRow[] = [];
  for (const [where, puller] of [
    ['Electron', inElectron],
    ['Node', inNode],
  ] as const) {
    const what = `${String(FILES)} small files, in ${where}`;
    rows.push(...(await pullBeside(what, { puller, results, sshd, folder }, ROUNDS)));
  }
  report({ name: 'pull-many', rows });
} finally {
  await inElectron.stop();
  await inNode.stop();
  await sshd.stop();
  await rm(folder, { recursive: true, force: true });
}
