import type { ToAccept } from '../../shared/evidence/accepted.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { RunProof } from '../../shared/transfer/pull.ts';
import { acceptDamaged, besideAccepted } from '../evidence/accept-damaged.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';
import { doInTurns } from '../streams/in-turns.ts';
import { readProofInSteps } from './read-proof.ts';

/** What was proven of a run's results when they were last brought home, beside what of it was accepted; null: they never were. */
export async function proofOfRun(
  evidence: Pick<EvidenceTable, 'newest'>,
  boxId: string,
  runId: string,
): Promise<Result<RunProof | null, Problem>> {
  const kept = evidence.newest({ kind: 'pull', boxId, about: runId });
  if (!kept.ok) return kept;
  const [entry] = kept.value.rows;
  const [unreadable] = kept.value.unreadable;
  if (entry === undefined) return unreadable === undefined ? ok(null) : err(unreadable);
  const proof = await doInTurns(readProofInSteps(entry));
  return proof.ok ? besideAccepted(evidence, boxId, proof.value) : proof;
}

/** Takes one file of it as it is, damaged here as on the box, and keeps that as evidence. */
export async function acceptOfRun(
  evidence: Pick<EvidenceTable, 'newest' | 'append'>,
  boxId: string,
  runId: string,
  file: ToAccept,
): Promise<Result<RunProof, Problem>> {
  const proof = await proofOfRun(evidence, boxId, runId);
  if (!proof.ok) return proof;
  if (proof.value === null) {
    return err(
      problem('results-not-pulled', 'The results of this run have not been brought home.'),
    );
  }
  const kept = acceptDamaged(evidence, boxId, proof.value, file);
  return kept.ok ? besideAccepted(evidence, boxId, proof.value) : kept;
}
