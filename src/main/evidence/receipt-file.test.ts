import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FIRST_PREVIOUS, chainText, type EvidenceEntry } from '../../shared/evidence/chain.ts';
import { sha256 } from '../storage/sha256.ts';
import { checkReceipt, receiptText } from './receipt-file.ts';

let here: string;
beforeEach(() => (here = mkdtempSync(join(tmpdir(), 'leasehold-receipt-'))));
afterEach(() => rmSync(here, { recursive: true, force: true }));

/** Of runs whose results lie side by side, a folder each. */
function receiptOf(runs: readonly string[]): string {
  const entries: EvidenceEntry[] = [];
  for (const [at, runId] of runs.entries()) {
    const to = join(here, 'results', runId);
    mkdirSync(to, { recursive: true });
    writeFileSync(join(to, 'loss.txt'), runId);
    const body = JSON.stringify({
      ...{ runId, runName: runId, from: '/box/out', to, manifest: 'ab'.repeat(32) },
      files: [
        {
          ...{ path: 'loss.txt', bytes: 1, modifiedAtMs: 1, keep: 'evidence', mark: 'equal' },
          ...{ level: 'hashed', sha256: sha256(runId), says: null, loaded: null },
        },
      ],
    });
    const previous = entries.at(-1)?.hash ?? FIRST_PREVIOUS;
    const entry = { seq: at + 1, atMs: 1, boxId: 'b', about: runId, body, previous } as const;
    const pull = { kind: 'pull', ...entry } as const;
    entries.push({ ...pull, hash: sha256(chainText(pull)) });
  }
  const { length: count } = entries;
  return receiptText({ receipt: 1, box: 'b', writtenAtMs: 1, count, fault: null, entries });
}

it('finds the copies of several runs where the folder that has them all was moved to', async () => {
  const receipt = receiptOf(['a', 'b']);
  const moved = join(here, 'moved');
  renameSync(join(here, 'results'), moved);
  expect(await checkReceipt(receipt, null)).toMatchObject({
    value: { files: 2, faults: [{}, {}].map(() => expect.stringContaining('loss.txt') as string) },
  });
  expect(await checkReceipt(receipt, moved)).toMatchObject({ value: { files: 2, faults: [] } });
  writeFileSync(join(moved, 'b', 'loss.txt'), 'x');
  expect(await checkReceipt(receipt, moved)).toMatchObject({
    value: { faults: ['loss.txt: the copy has other bytes than were proven'] },
  });
});

it('finds those of one run in the folder that was named', async () => {
  const receipt = receiptOf(['a']);
  const moved = join(here, 'moved');
  renameSync(join(here, 'results', 'a'), moved);
  expect(await checkReceipt(receipt, moved)).toMatchObject({ value: { files: 1, faults: [] } });
});
