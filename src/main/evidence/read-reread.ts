import { z } from 'zod';
import type { EvidenceEntry } from '../../shared/evidence/chain.ts';
import type { KeptReread, RereadReport } from '../../shared/evidence/reread.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { numberKey } from '../../shared/verify/numbers/number-key-schema.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';
import { jsonBody } from './json-body.ts';

const report = z.strictObject({
  runId: z.string(),
  runName: z.string(),
  folder: z.string(),
  proof: z.strictObject({ seq: z.int(), hash: z.string() }),
  numbers: z.array(
    z.strictObject({
      path: z.string(),
      key: numberKey,
      name: z.string().nullable(),
      figure: z.string().nullable(),
      literal: z.string().nullable(),
      sha256: z.string().nullable(),
      verdict: z.enum(['equal', 'rounded', 'differs']).nullable(),
      says: z.string().nullable(),
    }),
  ),
}) satisfies z.ZodType<RereadReport>;

/** Keeps what reading numbers again found as evidence, and reads it back. */
export function keepReread(
  evidence: Pick<EvidenceTable, 'append'>,
  boxId: string,
  found: RereadReport,
): Result<KeptReread, Problem> {
  const entry = evidence.append({
    atMs: Date.now(),
    kind: 'reread',
    boxId,
    about: found.runId,
    body: JSON.stringify(found),
  });
  return entry.ok ? readReread(entry.value) : entry;
}

/** An entry of kind `reread`, as it was kept. */
export function readReread({ seq, atMs, hash, body }: EvidenceEntry): Result<KeptReread, Problem> {
  const read = report.safeParse(jsonBody(body));
  if (read.success) return ok({ seq, atMs, hash, report: read.data });
  const said = `Evidence entry ${String(seq)} is not what Leasehold writes.`;
  return err(problem('database-corrupt', said));
}
