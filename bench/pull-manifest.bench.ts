// The manifest of a folder with a million files over a real loopback sshd, in how much memory, and how soon it says anything; and of 20,000
// files that are all home how long it takes to be sure of that again.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSshd } from '../src/main/ssh/sshd.fixture.ts';
import { report, type BenchRow } from './harness.ts';
import { watchGrowth } from './process-figures.ts';
import { Puller } from './puller.ts';

const MANY = Number(process.env['MANIFEST_FILES'] ?? 1_000_000);
const HOME = 20_000;
const IN_FOLDER = 1000;
/** Each worker's heap may take some, whatever there is to do. */
const GOALS = { homeMs: 5000, firstMs: 1000, growthMiB: 256 };

const folder = mkdtempSync(join(tmpdir(), 'leasehold-manifest-bench-'));
const many = join(folder, 'box', 'many');
const home = join(folder, 'box', 'home');

function makeFiles(into: string, count: number): void {
  for (let at = 0; at < count; at += 1) {
    const inside = join(into, `step_${String(Math.floor(at / IN_FOLDER))}`);
    if (at % IN_FOLDER === 0) mkdirSync(inside, { recursive: true });
    writeFileSync(join(inside, `part_${String(at)}.jsonl`), `{"step":${String(at)}}\n`);
  }
}

makeFiles(home, HOME);
makeFiles(many, MANY);
const sshd = await startSshd({});
const puller = await Puller.start(sshd, sshd.port, join(folder, 'manifests'));
const row = (measure: string, value: number, unit: string, most?: number): BenchRow => ({
  ...{ measure, value, unit },
  ...(most !== undefined && { goal: `at most ${String(most)} ${unit}`, isMet: value <= most }),
});
const count = (files: number): string => files.toLocaleString('en');
try {
  const rows: BenchRow[] = [];
  await puller.do({ kind: 'pull', results: home, to: join(folder, 'here') });
  const again = await puller.do({ kind: 'home', results: home });
  rows.push(row(`${count(HOME)} files that are home, proven again`, again.ms, 'ms', GOALS.homeMs));
  rows.push(row('  of it, main held up at a time, at most', again.stalledMs, 'ms'));
  for (const [what, kind] of [
    ['listed and hashed', 'manifest'],
    ['listed once more, nothing changed', 'since'],
  ] as const) {
    const { result, growthMiB } = await watchGrowth([puller.pid], () =>
      puller.do({ kind, results: many }),
    );
    rows.push(row(`${count(MANY)} files, ${what}`, result.ms, 'ms'));
    rows.push(row('  until it first says how many', result.firstMs, 'ms', GOALS.firstMs));
    rows.push(row('  memory, workers and all', growthMiB[0] ?? NaN, 'MiB', GOALS.growthMiB));
    rows.push(row('  main held up at a time, at most', result.stalledMs, 'ms'));
  }
  rows.push(row('load average of the last minute', loadavg()[0] ?? NaN, 'of the machine'));
  report({ name: 'pull-manifest', rows });
} finally {
  await puller.stop();
  await sshd.stop();
  await rm(folder, { recursive: true, force: true });
}
