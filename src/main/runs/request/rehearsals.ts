import { z } from 'zod';
import type { Problem } from '../../../shared/problem.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Rehearsal } from '../../../shared/runs/launch/known-box.ts';
import type { EntriesTable } from '../../storage/entries-table.ts';

const KEY = 'rehearsals';
/** Of the newest code: what passed long ago says nothing of today's. */
const MAX_KEPT = 100;

const rehearsals = z
  .array(z.strictObject({ tree: z.string(), command: z.string(), atMs: z.number() }))
  .readonly();

/** What has passed on this computer, the newest first. */
export function readRehearsals(
  entries: Pick<EntriesTable, 'read'>,
): Result<readonly Rehearsal[], Problem> {
  const read = entries.read('', KEY, rehearsals);
  return read.ok ? ok(read.value ?? []) : read;
}

export function keepRehearsal(
  entries: Pick<EntriesTable, 'read' | 'write'>,
  passed: Rehearsal,
): Result<null, Problem> {
  const read = readRehearsals(entries);
  if (!read.ok) return read;
  const others = read.value.filter(
    ({ tree, command }) => tree !== passed.tree || command !== passed.command,
  );
  return entries.write('', KEY, [passed, ...others].slice(0, MAX_KEPT), passed.atMs);
}
