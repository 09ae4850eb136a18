import { passingCheckpoint } from '../../../shared/transfer/continuous/round-rule.ts';
import { isHere, pulledState } from '../../../shared/transfer/home.ts';
import { sumOf } from '../../../shared/transfer/left-files.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { PullFile } from '../../../shared/transfer/pull.ts';
import type { EntriesTable } from '../../storage/entries-table.ts';
import type { EvidenceTable } from '../../storage/evidence-table.ts';
import { lookHereNow, type FoldersAsked } from '../look-here.ts';
import type { KnownCopy } from '../next-version.ts';
import type { KeptPull, PullByHand } from '../plan-pull.ts';
import { BroughtFiles } from './brought-files.ts';
import { NamingNotes, type NotesOf } from './naming-notes.ts';

interface Known {
  readonly evidence: Pick<EvidenceTable, 'pullsOf'>;
  readonly entries: Pick<EntriesTable, 'read' | 'write' | 'writeRelaxed'>;
  readonly onProblem: (found: Problem) => void;
}

/**
 * A person's pull into a folder in which earlier ones have left beginnings, as one that was stopped does of a log that grew since, or rounds that
 * were switched off: it would find these in its way for ever. What is only added to goes on there, and loses nothing; the hash of the whole proves it.
 */
export async function goingOn(boxId: string, kept: KeptPull, known: Known): Promise<KeptPull> {
  const { from, to, files } = kept.shown;
  const of = { boxId, runId: kept.run.id, from, to };
  const begun = await begunHere(files, of, known);
  const byHand = accountOf(of, begun, known);
  if (begun.size === 0) return { ...kept, byHand };
  const shown = files.map((file) => {
    const [copy] = begun.get(file.path) ?? [];
    if (copy === undefined) return file;
    return { ...file, here: 'part' as const, missingBytes: file.bytes - copy.bytes };
  });
  const wanted = sumOf(shown.filter(({ refused }) => refused === null));
  return { ...kept, shown: { ...kept.shown, files: shown, ...wanted }, byHand };
}

/** By their paths, what was brought of files that have grown since and is as long as what stands here under their names. */
async function begunHere(
  files: readonly PullFile[],
  of: NotesOf,
  { evidence, entries, onProblem }: Known,
): Promise<ReadonlyMap<string, readonly KnownCopy[]>> {
  const begun = new Map<string, readonly KnownCopy[]>();
  const open = files.filter(mayGoOn);
  // Most folders have none, and the evidence is not read for them.
  if (open.length === 0) return begun;
  const notes = notesByHand(of, { entries, onProblem });
  const brought = await BroughtFiles.read(evidence, entries, of, onProblem);
  const asked: FoldersAsked = new Map();
  for (const { path, bytes } of open) {
    const found = lookHereNow(of.to, path, asked);
    if (found.kind !== 'file' || found.stat.size >= BigInt(bytes)) continue;
    const copies = [...brought.copiesOf(path), ...notes.of(path)].filter(
      (copy) => BigInt(copy.bytes) === found.stat.size,
    );
    if (copies.length > 0) begun.set(path, copies);
  }
  return begun;
}

const mayGoOn = ({ path, keep, here, refused }: PullFile): boolean =>
  refused === null && here === 'in-the-way' && passingCheckpoint(path, keep) === null;

function accountOf(
  of: NotesOf,
  begun: ReadonlyMap<string, readonly KnownCopy[]>,
  { entries, onProblem }: Known,
): PullByHand {
  let notes: NamingNotes | null = null;
  // Not before the pull has its folder for itself: until then another one may write its own.
  const noted = (): NamingNotes => (notes ??= notesByHand(of, { entries, onProblem }));
  return {
    copiesOf: (path) => begun.get(path) ?? [],
    note: (namings) => noted().add(namings),
    proven: ({ report }) => {
      const here = report.files.flatMap((file) => {
        const { path, sha256 } = file;
        return sha256 !== null && isHere(pulledState(file)) ? [{ path, sha256 }] : [];
      });
      const dropped = noted().drop(here);
      if (!dropped.ok) onProblem(dropped.error);
    },
  };
}

/** Main waits for no disk: after a power cut, what was named and not written down is in the way, as a person's own file is. */
const notesByHand = (of: NotesOf, { entries, onProblem }: Omit<Known, 'evidence'>): NamingNotes =>
  new NamingNotes(
    { read: entries.read, write: entries.writeRelaxed },
    { ...of, isByHand: true },
    onProblem,
  );
