import { z } from 'zod';
import {
  withAccepted,
  type AcceptedFile,
  type AcceptReport,
  type KeptAccept,
  type ToAccept,
} from '../../shared/evidence/accepted.ts';
import type { EvidenceEntry } from '../../shared/evidence/chain.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { pulledState, type PulledState } from '../../shared/transfer/home.ts';
import type { RunProof } from '../../shared/transfer/pull.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';
import { jsonBody } from './json-body.ts';

const report = z.strictObject({
  runId: z.string(),
  runName: z.string(),
  proof: z.strictObject({ seq: z.int(), hash: z.string() }),
  accepted: z.array(
    z.strictObject({
      path: z.string(),
      sha256: z.string(),
      damage: z.string(),
      because: z.string(),
      atMs: z.int(),
    }),
  ),
}) satisfies z.ZodType<AcceptReport>;

/** Once more is another reason for it. */
const ACCEPTABLE: ReadonlySet<PulledState> = new Set<PulledState>(['damaged', 'accepted']);

/** An entry of kind `accept`, as it was kept. */
export function readAccept({ seq, atMs, hash, body }: EvidenceEntry): Result<KeptAccept, Problem> {
  const read = report.safeParse(jsonBody(body));
  if (read.success) return ok({ seq, atMs, hash, report: read.data });
  const said = `Evidence entry ${String(seq)} is not what Leasehold writes.`;
  return err(problem('database-corrupt', said));
}

/** A proof as it was kept, beside what of it was accepted. */
export function besideAccepted(
  evidence: Pick<EvidenceTable, 'newest'>,
  boxId: string,
  proof: RunProof,
): Result<RunProof, Problem> {
  const accepted = acceptedOf(evidence, boxId, proof.report.runId);
  return accepted.ok ? ok(withAccepted(proof, accepted.value)) : accepted;
}

/**
 * Keeps as evidence that a person takes one file as it is: it came with the bytes that it has on the box, and they are damaged. Nothing else
 * can be accepted, and nothing that is another file than the one that they have seen.
 */
export function acceptDamaged(
  evidence: Pick<EvidenceTable, 'newest' | 'append'>,
  boxId: string,
  { seq, hash, report: { runId, runName, files } }: RunProof,
  { path, sha256, because }: ToAccept,
): Result<null, Problem> {
  const file = files.find((each) => each.path === path);
  const isDamaged = file !== undefined && ACCEPTABLE.has(pulledState(file));
  if (!isDamaged || file.loaded?.kind !== 'damaged') {
    return err(notAccepted(`“${path}” did not come home damaged, as it is on the box.`));
  }
  if (file.sha256 !== sha256) return err(notAccepted(`“${path}” has other bytes by now.`));
  const before = acceptedOf(evidence, boxId, runId);
  if (!before.ok) return before;
  const atMs = Date.now();
  const accepted = [
    ...before.value.filter((each) => each.path !== path),
    { path, sha256, damage: file.loaded.because, because, atMs },
  ];
  const body: AcceptReport = { runId, runName, proof: { seq, hash }, accepted };
  const entry = evidence.append({
    ...{ atMs, kind: 'accept', boxId, about: runId },
    body: JSON.stringify(body),
  });
  return entry.ok ? ok(null) : entry;
}

function acceptedOf(
  evidence: Pick<EvidenceTable, 'newest'>,
  boxId: string,
  runId: string,
): Result<readonly AcceptedFile[], Problem> {
  const kept = evidence.newest({ kind: 'accept', boxId, about: runId });
  if (!kept.ok) return kept;
  const [entry] = kept.value.rows;
  const [unreadable] = kept.value.unreadable;
  if (entry === undefined) return unreadable === undefined ? ok([]) : err(unreadable);
  const read = readAccept(entry);
  return read.ok ? ok(read.value.report.accepted) : read;
}

const notAccepted = (because: string): Problem =>
  problem('results-not-pulled', `The file was not accepted. ${because}`);
