import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { chainText, evidenceKinds, type EvidenceEntry } from '../../shared/evidence/chain.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { isHere, pulledState } from '../../shared/transfer/home.ts';
import type { PullReport } from '../../shared/transfer/pull.ts';
import { sha256 } from '../storage/sha256.ts';
import { readStep } from '../teardown/teardown-records.ts';
import { lookHere } from '../transfer/look-here.ts';
import { readProof } from '../transfer/read-proof.ts';
import { jsonBody } from './json-body.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const entry = z.strictObject({
  seq: z.int().min(1),
  atMs: z.int(),
  kind: z.enum(evidenceKinds),
  boxId: z.string(),
  about: z.string(),
  body: z.string(),
  previous: hash,
  hash,
}) satisfies z.ZodType<EvidenceEntry>;
const told = z.strictObject({
  receipt: z.int().min(1),
  box: z.string(),
  writtenAtMs: z.int(),
  count: z.int(),
  fault: z.strictObject({ seq: z.int(), because: z.string() }).nullable(),
  /** That of the receipt first, then what it rests on, each as it was hashed. */
  entries: z.array(entry).min(1),
});
/** `seal`: over all of it, also what stands in no entry. An older Leasehold wrote none. */
const receiptFile = z.discriminatedUnion('format', [
  told.extend({ format: z.literal(1) }),
  told.extend({ format: z.literal(2), seal: hash }),
]);
type ReceiptFile = z.infer<typeof told>;

export const receiptText = (receipt: ReceiptFile): string =>
  `${JSON.stringify({ format: 2, ...receipt, seal: sealOf(receipt) }, null, 2)}\n`;

const sealOf = ({ receipt, box, writtenAtMs, count, fault, entries }: ReceiptFile): string =>
  sha256(
    JSON.stringify([
      ...[receipt, box, writtenAtMs, count, fault?.seq ?? null, fault?.because ?? null],
      ...entries.map((each) => each.hash),
    ]),
  );

export interface CheckedReceipt {
  /** False: an older Leasehold wrote it, without a seal, and nothing that it says beside its entries is proven. */
  readonly isSealed: boolean;
  readonly entries: number;
  /** Copies that were read. */
  readonly files: number;
  /** What is not as it was, a sentence each. */
  readonly faults: readonly string[];
}

/**
 * Whether a receipt is what was written, and the copies that it tells of are still what was proven. `folder`: where those lie now, side by side
 * as they were brought; null: where they were brought to. That nobody left out an entry only the record itself can tell.
 */
export async function checkReceipt(
  text: string,
  folder: string | null,
): Promise<Result<CheckedReceipt, string>> {
  const read = receiptFile.safeParse(jsonBody(text));
  if (!read.success) return err('It is no receipt as Leasehold writes them in JSON.');
  const { receipt, entries, fault } = read.data;
  const faults = entries.flatMap(({ hash: kept, ...rest }) =>
    sha256(chainText(rest)) === kept ? [] : [`Entry ${String(rest.seq)} was changed.`],
  );
  if (read.data.format === 2 && sealOf(read.data) !== read.data.seal) {
    faults.push('What the receipt says beside its entries was changed, or an entry left out.');
  }
  const isSealed = read.data.format === 2;
  if (!isSealed && entries.some(isOfSealed)) {
    faults.push(
      'It has no seal, and whoever wrote its entries sealed each receipt: it was taken off.',
    );
  }
  if (fault !== null) faults.push('The record was broken when the receipt was written.');
  for (const each of entries.filter(({ kind }) => kind === 'teardown')) {
    const step = readStep(each);
    if (!step.ok) faults.push(step.error.message);
  }
  faults.push(...missingEntries(receipt, entries));
  const pulls = entries.filter(({ kind }) => kind === 'pull');
  const reports: PullReport[] = [];
  for (const pull of pulls) {
    const proof = readProof(pull);
    if (proof.ok) reports.push(proof.value.report);
    else faults.push(proof.error.message);
  }
  const root = commonFolder(reports.map(({ to }) => to));
  let files = 0;
  for (const report of reports) {
    const to = folder === null ? report.to : join(folder, relative(root, report.to));
    for (const file of report.files.filter((each) => isHere(pulledState(each)))) {
      files += 1;
      const because = await whyNotTheCopy(to, file.path, file.sha256);
      if (because !== null) faults.push(`${file.path}: ${because}`);
    }
  }
  return ok({ isSealed, entries: entries.length, files, faults });
}

/** The innermost folder with all of them in it: what is moved as a whole. */
function commonFolder(folders: readonly string[]): string {
  let [common = ''] = folders;
  const holdsAll = (): boolean =>
    folders.every((each) => each === common || each.startsWith(join(common, sep)));
  while (!holdsAll() && dirname(common) !== common) common = dirname(common);
  return common;
}

/** By a Leasehold that seals its receipts: an older one wrote neither who said yes nor for which machine. */
function isOfSealed({ kind, body }: EvidenceEntry): boolean {
  const said = kind === 'teardown' ? jsonBody(body) : null;
  return typeof said === 'object' && said !== null && ('who' in said || 'machine' in said);
}

function missingEntries(receipt: number, entries: readonly EvidenceEntry[]): readonly string[] {
  const has = new Set(entries.map(({ seq }) => seq));
  const needed = entries.flatMap((each) => {
    const step = each.kind === 'teardown' ? readStep(each) : null;
    if (step === null || !step.ok) return [];
    if (step.value.step === 'gone') return [step.value.approval];
    return step.value.step === 'approved' ? step.value.runs.map(({ evidence }) => evidence) : [];
  });
  return [...new Set([receipt, ...needed])].flatMap((seq) =>
    seq === null || has.has(seq) ? [] : [`Entry ${String(seq)}, on which it rests, is missing.`],
  );
}

async function whyNotTheCopy(
  folder: string,
  path: string,
  told: string | null,
): Promise<string | null> {
  const here = await lookHere(folder, path);
  if (here.kind !== 'file') return 'the copy is not there any more';
  const digest = createHash('sha256');
  try {
    await pipeline(createReadStream(join(folder, ...path.split('/'))), digest);
  } catch {
    return 'the copy cannot be read';
  }
  return digest.digest('hex') === told ? null : 'the copy has other bytes than were proven';
}
