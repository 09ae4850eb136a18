import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import { runId } from '../../shared/runs/launch/run-request-schema.ts';
import type { SeenRun } from '../runs/seen-runs.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';
import type { TeardownRecords } from './teardown-records.ts';

export interface EverSeen {
  readonly seen: (boxId: string) => Result<readonly SeenRun[], Problem>;
  readonly evidence: Pick<EvidenceTable, 'pulledOf'>;
  readonly records: Pick<TeardownRecords, 'begunAgainAt'>;
}

/** All runs that this computer knows of on the machine that is at the address of a box now: those that it told of, and those that anything was brought home of. */
export function everSeenOn(
  boxId: string,
  { seen, evidence, records }: EverSeen,
): Result<readonly SeenRun[], Problem> {
  const told = seen(boxId);
  if (!told.ok) return told;
  const again = records.begunAgainAt(boxId);
  if (!again.ok) return again;
  const pulled = evidence.pulledOf(boxId, again.value);
  if (!pulled.ok) return pulled;
  const known = new Set(told.value.map(({ id }) => id));
  // A folder that a person has named is brought home too, and is no run.
  const others = pulled.value.filter((id) => runId.safeParse(id).success && !known.has(id));
  return ok([...told.value, ...others.map((id) => ({ id, places: [] }))]);
}
