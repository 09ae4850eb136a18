import type { EvidenceCheck, EvidenceEntry } from '../../shared/evidence/chain.ts';
import { evidencePage, receiptPage, type ReadEntry } from '../../shared/evidence/evidence-page.ts';
import type { Problem } from '../../shared/problem.ts';
import { toMarkdown } from '../../shared/recovery/page.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';
import { readProof } from '../transfer/read-proof.ts';

export type EvidenceFormat = 'json' | 'markdown';

export interface ExportedEvidence {
  readonly text: string;
  readonly check: EvidenceCheck;
}

/** The whole record. A broken one is exported too, and says so itself: that is when it is needed. */
export function exportEvidence(
  evidence: Pick<EvidenceTable, 'all'>,
  format: EvidenceFormat,
  atMs: number,
): Result<ExportedEvidence, Problem> {
  const all = evidence.all();
  if (!all.ok) return all;
  const { rows, check } = all.value;
  const text =
    format === 'json'
      ? // Each entry as it was hashed, its body letter by letter: who has this can check the chain without Leasehold.
        `${JSON.stringify({ format: 1, exportedAtMs: atMs, ...check, entries: rows }, null, 2)}\n`
      : toMarkdown(evidencePage(rows.map(readEntry), { check, atMs }));
  return ok({ text, check });
}

/** Of one entry, by its number; null: there is none. */
export function receiptOf(
  evidence: Pick<EvidenceTable, 'all'>,
  seq: number,
  { box, atMs }: { readonly box: (boxId: string) => string; readonly atMs: number },
): Result<ExportedEvidence | null, Problem> {
  const all = evidence.all();
  if (!all.ok) return all;
  const { rows, check } = all.value;
  const entry = rows.find((each) => each.seq === seq);
  if (entry === undefined) return ok(null);
  const page = receiptPage(readEntry(entry), box(entry.boxId), { check, atMs });
  return ok({ text: toMarkdown(page), check });
}

function readEntry(entry: EvidenceEntry): ReadEntry {
  const proof = readProof(entry);
  return { entry, proof: proof.ok ? proof.value : null };
}
