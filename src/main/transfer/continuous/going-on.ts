import { passingCheckpoint } from '../../../shared/transfer/continuous/round-rule.ts';
import { sumOf } from '../../../shared/transfer/left-files.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { PullFile } from '../../../shared/transfer/pull.ts';
import type { EntriesTable } from '../../storage/entries-table.ts';
import type { EvidenceTable } from '../../storage/evidence-table.ts';
import type { KnownCopy } from '../next-version.ts';
import type { KeptPull } from '../plan-pull.ts';
import { BroughtFiles } from './brought-files.ts';

interface Known {
  readonly evidence: Pick<EvidenceTable, 'pullsOf'>;
  readonly entries: Pick<EntriesTable, 'read' | 'write'>;
  readonly onProblem: (found: Problem) => void;
}

/**
 * A person's pull into a folder in which earlier ones have left beginnings, as rounds that were switched off do of a log that grew: it would find
 * these in its way for ever. What is only added to goes on there, and loses nothing; the hash of the whole proves it.
 */
export async function goingOn(
  boxId: string,
  kept: KeptPull,
  { evidence, entries, onProblem }: Known,
): Promise<KeptPull> {
  const { from, to, files } = kept.shown;
  // Most folders have none, and the evidence is not read for them.
  if (!files.some(mayGoOn)) return kept;
  const of = { boxId, runId: kept.run.id, from, to };
  const brought = await BroughtFiles.read(evidence, entries, of, onProblem);
  const begun = new Map<string, KnownCopy>();
  const shown = files.map((file) => {
    const copy = mayGoOn(file) ? brought.copiesOf(file.path).at(-1) : undefined;
    if (copy === undefined || copy.bytes >= file.bytes) return file;
    begun.set(file.path, copy);
    return { ...file, here: 'part' as const, missingBytes: file.bytes - copy.bytes };
  });
  if (begun.size === 0) return kept;
  const wanted = sumOf(shown.filter(({ refused }) => refused === null));
  return { ...kept, shown: { ...kept.shown, files: shown, ...wanted }, begun };
}

const mayGoOn = ({ path, keep, here, refused }: PullFile): boolean =>
  refused === null && here === 'in-the-way' && passingCheckpoint(path, keep) === null;
