import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import type { PulledFile, RunProof } from '../../shared/transfer/pull.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { keepProof } from '../transfer/read-proof.ts';
import { acceptDamaged, besideAccepted } from './accept-damaged.ts';
import { exportEvidence, receiptOf } from './export-evidence.ts';

const BOX = '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01';
const RUN = 'r-20260101-000000-00000000';
const [TORN, OTHER] = ['ab'.repeat(32), 'cd'.repeat(32)];

let database: Database;
beforeEach(() => {
  database = openTemporaryDatabase();
});
afterEach(() => database.close());

const value = <T>(result: Result<T, Problem>): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

const file = (path: string, more: Partial<PulledFile> = {}): PulledFile => ({
  ...{ path, bytes: 7, modifiedAtMs: 1, keep: 'evidence', mark: 'equal', level: 'hashed' },
  ...{ sha256: TORN, says: null },
  loaded: { kind: 'damaged', format: 'npy', because: 'it ends too early' },
  ...more,
});

async function cameHome(...files: readonly PulledFile[]): Promise<RunProof> {
  const about = { runId: RUN, runName: 'a run', from: '/b', to: '/here', manifest: '' };
  return value(await keepProof(database.evidence, BOX, { ...about, files }));
}
const known = (proof: RunProof): RunProof => value(besideAccepted(database.evidence, BOX, proof));
const reasons = (proof: RunProof) =>
  known(proof).report.files.map(({ accepted }) => accepted ?? null);
const accept = (proof: RunProof, path: string, because: string, sha256 = TORN) =>
  acceptDamaged(database.evidence, BOX, known(proof), { path, sha256, because });

it('takes one damaged file at a time, and holds for the same bytes when they come once more', async () => {
  const proof = await cameHome(file('a.npy'), file('b.npy'));
  value(accept(proof, 'a.npy', 'all there is'));
  expect(reasons(proof)).toEqual(['all there is', null]);
  value(accept(proof, 'b.npy', 'so is this'));
  value(accept(proof, 'a.npy', 'the run was stopped'));
  const later = await cameHome(file('a.npy'), file('b.npy', { sha256: OTHER }));
  expect(reasons(later)).toEqual(['the run was stopped', null]);
  // The entries of the pulls are as they were written.
  expect(value(await database.evidence.check())).toEqual({ count: 5, fault: null });
});

it('takes nothing that is not damaged, not the same on both sides, or not what the person has seen', async () => {
  const proof = await cameHome(
    file('a.npy'),
    file('whole.npy', { loaded: { kind: 'loaded', format: 'npy', holds: '' } }),
    file('here.npy', { mark: 'differs', sha256: null }),
    file('grows.npy', { isGrowing: true }),
  );
  for (const path of ['whole.npy', 'here.npy', 'grows.npy', 'unknown.npy']) {
    expect(accept(proof, path, 'x')).toMatchObject({ error: { code: 'results-not-pulled' } });
  }
  expect(accept(proof, 'a.npy', 'x', OTHER)).toMatchObject({
    error: { message: 'The file was not accepted. “a.npy” has other bytes by now.' },
  });
  expect(reasons(proof)).toEqual([null, null, null, null]);
});

it('stands in the export, and on the receipt of what it is about alone', async () => {
  const proof = await cameHome(file('a.npy'));
  value(accept(proof, 'a.npy', 'all there is'));
  const later = await cameHome(file('a.npy', { sha256: OTHER }));
  const { text } = value(await exportEvidence(database.evidence, 'markdown', 0));
  expect(text).toContain('damaged files of “a run”, accepted');
  const told = { box: () => 'train-a', atMs: 0 };
  const receipt = value(await receiptOf(database.evidence, proof.seq, told));
  expect(receipt?.text).toMatch(/a\.npy.*it ends too early.*all there is/);
  const other = value(await receiptOf(database.evidence, later.seq, told));
  expect(other?.text).not.toContain('accepted');
});
