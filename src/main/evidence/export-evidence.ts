import { withAccepted } from '../../shared/evidence/accepted.ts';
import type { EvidenceCheck, EvidenceEntry } from '../../shared/evidence/chain.ts';
import { evidencePage, receiptPage, type ReadEntry } from '../../shared/evidence/evidence-page.ts';
import type { Problem } from '../../shared/problem.ts';
import { toMarkdown, type Block } from '../../shared/recovery/page.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';
import { readProof } from '../transfer/read-proof.ts';
import { readAccept } from './accept-damaged.ts';
import type { TeardownStep } from '../../shared/teardown/teardown-record.ts';
import { readLosses, readRemovedSecrets, readStep } from '../teardown/teardown-records.ts';
import { receiptText } from './receipt-file.ts';
import { readReread } from './read-reread.ts';

export type EvidenceFormat = 'json' | 'markdown';

export interface ExportedEvidence {
  readonly text: string;
  readonly check: EvidenceCheck;
}

/** The whole record. A broken one is exported too, and says so itself: that is when it is needed. */
export async function exportEvidence(
  evidence: Pick<EvidenceTable, 'all'>,
  format: EvidenceFormat,
  atMs: number,
): Promise<Result<ExportedEvidence, Problem>> {
  const all = await evidence.all();
  if (!all.ok) return all;
  const { rows, check } = all.value;
  const text =
    format === 'json'
      ? // Each entry as it was hashed, its body letter by letter: who has this can check the chain without Leasehold.
        `${JSON.stringify({ format: 1, exportedAtMs: atMs, ...check, entries: rows }, null, 2)}\n`
      : toMarkdown(evidencePage(rows.map(readEntry), { check, atMs }));
  return ok({ text, check });
}

interface ReceiptOptions {
  readonly box: (boxId: string) => string;
  readonly atMs: number;
}

/** Of one entry, by its number; null: there is none. */
export async function receiptOf(
  evidence: Pick<EvidenceTable, 'all'>,
  seq: number,
  { format = 'markdown', ...options }: ReceiptOptions & { readonly format?: EvidenceFormat },
): Promise<Result<ExportedEvidence | null, Problem>> {
  const gathered = await gatherReceipt(evidence, seq, options);
  if (!gathered.ok) return gathered;
  if (gathered.value === null) return ok(null);
  const { entry, beside, name, check, blocks } = gathered.value;
  const text =
    format === 'markdown'
      ? toMarkdown(blocks)
      : receiptText({
          ...{ receipt: seq, box: name, writtenAtMs: options.atMs, ...check },
          entries: [entry, ...beside.map((each) => each.entry)],
        });
  return ok({ text, check });
}

/** The same as a page of the window; null: there is none. */
export async function receiptBlocks(
  evidence: Pick<EvidenceTable, 'all'>,
  seq: number,
  options: ReceiptOptions,
): Promise<Result<readonly Block[] | null, Problem>> {
  const gathered = await gatherReceipt(evidence, seq, options);
  return gathered.ok ? ok(gathered.value?.blocks ?? null) : gathered;
}

interface GatheredReceipt {
  readonly entry: EvidenceEntry;
  readonly beside: readonly ReadEntry[];
  readonly name: string;
  readonly check: EvidenceCheck;
  readonly blocks: readonly Block[];
}

async function gatherReceipt(
  evidence: Pick<EvidenceTable, 'all'>,
  seq: number,
  { box, atMs }: ReceiptOptions,
): Promise<Result<GatheredReceipt | null, Problem>> {
  const all = await evidence.all();
  if (!all.ok) return all;
  const { rows, check } = all.value;
  const entry = rows.find((each) => each.seq === seq);
  if (entry === undefined) return ok(null);
  const read = readEntry(entry);
  const later = [acceptedOf(read, rows), rereadOf(entry, rows)].filter((each) => each !== null);
  const rests = restsOn(read, rows);
  const beside = [...rests, ...later];
  // As it was typed: a box may have another name by now.
  const name = rests.find(isApproval)?.says.step.boxName ?? box(entry.boxId);
  const blocks = receiptPage(read, beside, name, { check, atMs });
  return ok({ entry, beside, name, check, blocks });
}

const isApproval = (
  read: ReadEntry,
): read is ReadEntry & { says: { step: Extract<TeardownStep, { readonly step: 'approved' }> } } =>
  read.says?.kind === 'teardown' && read.says.step.step === 'approved';

/** The approval of the end of a box, the pulls that this rests on, and what of them was accepted although it is damaged. */
function restsOn({ says }: ReadEntry, rows: readonly EvidenceEntry[]): readonly ReadEntry[] {
  if (says?.kind !== 'teardown' || says.step.step !== 'gone') return [];
  const { approval } = says.step;
  const approved = rows.find(({ seq }) => seq === approval);
  if (approved === undefined) return [];
  const read = readEntry(approved);
  if (!isApproval(read)) return [read];
  const proofs = new Set(read.says.step.runs.map(({ evidence }) => evidence));
  const pulls = rows.filter(({ seq }) => proofs.has(seq)).map(readEntry);
  const before = rows.filter(({ seq }) => seq < approval);
  return [
    read,
    ...pulls.flatMap((pull) => [
      pull,
      ...[acceptedOf(pull, before)].filter((each) => each !== null),
    ]),
  ];
}

/** The numbers that were last read again from what this entry proved. */
function rereadOf(
  { kind, seq, boxId, about }: EvidenceEntry,
  rows: readonly EvidenceEntry[],
): ReadEntry | null {
  if (kind !== 'pull') return null;
  for (const row of [...rows].reverse()) {
    if (row.kind !== 'reread' || row.boxId !== boxId || row.about !== about) continue;
    const read = readEntry(row);
    if (read.says?.kind === 'reread' && read.says.report.proof.seq === seq) return read;
  }
  return null;
}

/** What was last accepted of the files that this entry proved. */
function acceptedOf({ entry, says }: ReadEntry, rows: readonly EvidenceEntry[]): ReadEntry | null {
  if (says?.kind !== 'pull') return null;
  const { boxId, about } = entry;
  const newest = rows
    .filter((row) => row.kind === 'accept' && row.boxId === boxId && row.about === about)
    .at(-1);
  if (newest === undefined) return null;
  const read = readEntry(newest);
  if (read.says?.kind !== 'accept') return null;
  const isOfThese = withAccepted(says, read.says.report.accepted).report.files.some(
    ({ accepted }) => accepted !== undefined,
  );
  return isOfThese ? read : null;
}

function readEntry(entry: EvidenceEntry): ReadEntry {
  switch (entry.kind) {
    case 'pull': {
      const proof = readProof(entry);
      return { entry, says: proof.ok ? { kind: 'pull', ...proof.value } : null };
    }
    case 'reread': {
      const kept = readReread(entry);
      return { entry, says: kept.ok ? { kind: 'reread', ...kept.value } : null };
    }
    case 'accept': {
      const kept = readAccept(entry);
      return { entry, says: kept.ok ? { kind: 'accept', ...kept.value } : null };
    }
    case 'losses': {
      const kept = readLosses(entry);
      return { entry, says: kept.ok ? { kind: 'losses', losses: kept.value } : null };
    }
    case 'secrets': {
      const kept = readRemovedSecrets(entry);
      return { entry, says: kept.ok ? { kind: 'secrets', removed: kept.value } : null };
    }
    case 'teardown': {
      const kept = readStep(entry);
      return { entry, says: kept.ok ? { kind: 'teardown', step: kept.value } : null };
    }
  }
}
