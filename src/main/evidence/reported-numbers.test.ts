import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ReportedNumber, RereadNow } from '../../shared/evidence/reread.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { PulledFile, RunProof } from '../../shared/transfer/pull.ts';
import { parseKey } from '../../shared/verify/numbers/number-key.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { keepProof } from '../transfer/read-proof.ts';
import { sourceWorker } from '../workers/source-worker.fixture.ts';
import { Workers } from '../workers/workers.ts';
import { exportEvidence, receiptOf } from './export-evidence.ts';
import { ReportedNumbers } from './reported-numbers.ts';

const BOX = '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01';
const RUN = 'r-20260101-000000-00000000';

let folder: string;
let database: Database;
let workers: Workers;
let proof: RunProof;
let reported: ReportedNumbers;
beforeEach(async () => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-reread-'));
  database = openTemporaryDatabase();
  workers = new Workers(sourceWorker);
  reported = new ReportedNumbers({
    ...{ workers, evidence: database.evidence },
    proof: () => Promise.resolve(ok(proof)),
  });
  lay('eval/metrics.json', '{"accuracy": 0.91298, "f1": 0.5}');
  lay('log.csv', 'step,loss\n1,0.50\n2,0.25\n3,0.30\n');
  proof = await cameHome('eval/metrics.json', 'log.csv');
});
afterEach(() => {
  workers.close();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const value = <T>(result: Result<T, Problem>): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

function lay(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

async function cameHome(...paths: string[]): Promise<RunProof> {
  const files = paths.map((path): PulledFile => {
    const bytes = readFileSync(join(folder, path));
    return {
      ...{ path, bytes: bytes.length, modifiedAtMs: 1, keep: 'evidence', mark: 'equal' },
      sha256: createHash('sha256').update(bytes).digest('hex'),
      ...{ level: 'loaded', loaded: { kind: 'loaded', format: 'json', holds: '' }, says: null },
    };
  });
  const about = { runId: RUN, runName: 'a run', from: '/b', to: folder, manifest: '' };
  return value(await keepProof(database.evidence, BOX, { ...about, files }));
}

function number(path: string, key: string, figure: string | null = null): ReportedNumber {
  return { path, key: value(keyOf(key)), name: null, figure };
}
function keyOf(text: string) {
  const key = parseKey(text);
  if (!key.ok) throw new Error(key.error);
  return ok(key.value);
}
const look = async (): Promise<RereadNow> => {
  const now = value(await reported.look(BOX, RUN));
  if (now === null) throw new Error('nothing was kept');
  return now;
};
const states = ({ now }: RereadNow) => now.map(({ state }) => state);

it('lists the numbers of a file that came home, and of no other', async () => {
  const found = value(await reported.list(BOX, RUN, 'eval/metrics.json'));
  expect(found.numbers).toHaveLength(2);
  for (const path of ['../other.json', 'eval/none.json', folder]) {
    expect(await reported.list(BOX, RUN, path)).toMatchObject({
      error: { code: 'numbers-not-read' },
    });
  }
  lay('eval/metrics.json', '{"accuracy": 0.99}');
  const other = await reported.list(BOX, RUN, 'eval/metrics.json');
  expect(other).toMatchObject({ error: { message: expect.stringContaining('its hash') } });
});

it('reads reported numbers again, compares them as they are written, and keeps that', async () => {
  expect(await reported.look(BOX, RUN)).toEqual({ ok: true, value: null });
  const kept = value(
    await reported.reread(BOX, RUN, [
      number('eval/metrics.json', 'accuracy', '0.913'),
      number('log.csv', 'loss@lowest', '0.25'),
      number('eval/metrics.json', 'f1', '0.6'),
      number('log.csv', 'loss@1'),
      number('eval/metrics.json', 'recall', '0.5'),
    ]),
  );
  expect(kept.report.numbers.map(({ literal, verdict }) => [literal, verdict])).toEqual([
    ['0.91298', 'rounded'],
    ['0.25', 'equal'],
    ['0.5', 'differs'],
    ['0.50', null],
    [null, null],
  ]);
  expect(kept.report.numbers[0]?.sha256).toBe(proof.report.files[0]?.sha256);
  expect(kept.report.numbers[4]?.says).toContain('no number under this key');
  expect(kept.report.proof).toEqual({ seq: proof.seq, hash: proof.hash });
  expect(await database.evidence.check()).toEqual({ ok: true, value: { count: 2, fault: null } });
  expect((await look()).kept).toEqual(kept);
  expect(states(await look())).toEqual(['same', 'same', 'same', 'same', 'not-read']);
});

it('a file whose hash is no more the one that was proven is not re-read', async () => {
  lay('log.csv', 'step,loss\n1,0.01\n');
  const kept = value(await reported.reread(BOX, RUN, [number('log.csv', 'loss@last', '0.01')]));
  expect(kept.report.numbers).toMatchObject([{ literal: null, sha256: null, verdict: null }]);
  expect(kept.report.numbers[0]?.says).toContain('not the one that came home');
});

it('a file that was hashed and not loaded gives no number', async () => {
  const [first, ...more] = proof.report.files;
  if (first === undefined) throw new Error('no file');
  const files = [{ ...first, level: 'hashed' } as const, ...more];
  proof = { ...proof, report: { ...proof.report, files } };
  const kept = value(await reported.reread(BOX, RUN, [number('eval/metrics.json', 'f1')]));
  expect(kept.report.numbers).toMatchObject([{ literal: null }]);
});

it('a later look tells what changed since: the number, only the file, or that it is gone', async () => {
  await reported.reread(BOX, RUN, [
    number('eval/metrics.json', 'accuracy', '0.913'),
    number('eval/metrics.json', 'f1'),
    number('log.csv', 'loss@last'),
  ]);
  lay('eval/metrics.json', '{"accuracy": 0.92, "f1": 0.5}');
  rmSync(join(folder, 'log.csv'));
  const later = await look();
  expect(states(later)).toEqual(['changed', 'moved', 'not-read']);
  expect(later.now[0]).toMatchObject({ literal: '0.92', says: 'It was 0.91298 when it was kept.' });
  expect(await database.evidence.check()).toMatchObject({ value: { count: 2 } });
});

it('stands in the export and on the receipt of the pull that proved the files', async () => {
  const names = [{ ...number('eval/metrics.json', 'accuracy', '0.92'), name: 'final | accuracy' }];
  value(await reported.reread(BOX, RUN, names));
  const markdown = value(await exportEvidence(database.evidence, 'markdown', 0)).text;
  expect(markdown).toContain('No. 2: reported numbers of “a run”, re-read');
  expect(markdown).toContain('eval/metrics.json:accuracy');
  expect(markdown).toMatch(/0\.91298.*0\.92.*re-read, DIFFERS/);
  const receipt = async (seq: number) =>
    value(await receiptOf(database.evidence, seq, { box: () => 'b', atMs: 0 }))?.text ?? '';
  expect(await receipt(1)).toContain('re-read, DIFFERS');
  const again = await cameHome('log.csv');
  expect(await receipt(again.seq)).not.toContain('re-read');
  const json = value(await exportEvidence(database.evidence, 'json', 0)).text;
  expect(JSON.parse(json)).toMatchObject({ entries: [{ kind: 'pull' }, { kind: 'reread' }, {}] });
});
