import { medianOf } from '../../median.ts';
import type { ResultFile } from '../launch/launched-run.ts';
import { ignoredBy } from '../../transfer/ignore-rules.ts';
import { checkpointOf, hasWeights, heldIn, type Held } from './checkpoint-name.ts';

/** A state of the training that a run wrote: one file, or a folder of them. */
export interface Checkpoint extends Held {
  /** From the results folder on; a folder ends in `/`. Hostile. */
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
  /** When its oldest file was written last; together with the next: at least how long the save took. */
  readonly firstAtMs: number;
  readonly writtenAtMs: number;
}

/** The newest first. `names`: what the request of the run calls its checkpoints, beside what is known of trainers. */
export function selectCheckpoints(
  files: readonly ResultFile[],
  names: readonly string[] = [],
): readonly Checkpoint[] {
  const parts = new Map<string, ResultFile[]>();
  const isNamed = ignoredBy(names);
  const named = new Set<string>();
  for (const file of files) {
    const own = isNamed(file.path) ? namedCheckpointOf(file.path, isNamed) : null;
    const path = own ?? checkpointOf(file.path);
    if (path === null) continue;
    if (own !== null) named.add(path);
    const known = parts.get(path);
    if (known === undefined) parts.set(path, [file]);
    else known.push(file);
  }
  return [...parts]
    .filter(([path, of]) => named.has(path) || of.some((file) => hasWeights(file.path)))
    .map(([path, of]) => gather(path, of))
    .sort((a, b) => b.writtenAtMs - a.writtenAtMs || orderOf(b) - orderOf(a));
}

/**
 * Of a folder that is named, all of it is one checkpoint, unless it holds numbered ones: then it is where they lie. Else it is what
 * trainers make one of, or the file alone.
 */
function namedCheckpointOf(path: string, isNamed: ReturnType<typeof ignoredBy>): string {
  const known = checkpointOf(path);
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    if (!isNamed(path.slice(0, slash), true)) continue;
    const folder = path.slice(0, slash + 1);
    return known !== null && known.length > folder.length && isNumbered(heldIn(known))
      ? known
      : folder;
  }
  return known ?? path;
}

function gather(path: string, of: readonly ResultFile[]): Checkpoint {
  const times = of.map(({ modifiedAtMs }) => modifiedAtMs);
  return {
    path,
    ...heldIn(path),
    files: of.length,
    bytes: of.reduce((sum, { bytes }) => sum + bytes, 0),
    firstAtMs: times.reduce((a, b) => Math.min(a, b)),
    writtenAtMs: times.reduce((a, b) => Math.max(a, b)),
  };
}

/** What is known of how a run saves. */
export interface Saving {
  /** The usual time between two; null: fewer than three tell a number. */
  readonly everyMs: number | null;
  /** How many gaps that is the median of. */
  readonly gaps: number;
  /** The usual time that a step takes, saves and all; null: the names tell no steps. */
  readonly stepMs: number | null;
  /** The usual time from the first to the last file of one; null: one file alone does not tell. */
  readonly saveMs: number | null;
}

const LEAST_TO_COMPARE = 3;

/** Of those numbered ones that lie in one folder with the newest: others may be another run's. */
export function judgeSaving(checkpoints: readonly Checkpoint[]): Saving {
  const numbered = checkpoints.filter((each) => isNumbered(each));
  const home = numbered[0] === undefined ? '' : folderOf(numbered[0]);
  const own = numbered.filter((each) => folderOf(each) === home);
  const pairs = own.slice(1).flatMap((before, at) => {
    const after = own[at];
    const ms = after === undefined ? 0 : after.writtenAtMs - before.writtenAtMs;
    // Files of one second were copied or unpacked, not written one after the other.
    return after === undefined || ms <= 0 ? [] : [{ before, after, ms }];
  });
  const isEnough = pairs.length >= LEAST_TO_COMPARE - 1;
  const paces = pairs.flatMap(({ before, after, ms }) => {
    const steps = (after.step ?? NaN) - (before.step ?? NaN);
    return steps > 0 ? [ms / steps] : [];
  });
  const spans = own
    .filter(({ files }) => files > 1)
    .map(({ firstAtMs, writtenAtMs }) => writtenAtMs - firstAtMs);
  const saveMs = medianOf(spans);
  return {
    everyMs: isEnough ? medianOf(pairs.map(({ ms }) => ms)) : null,
    gaps: pairs.length,
    stepMs: isEnough ? medianOf(paces) : null,
    // The box tells times in whole seconds.
    saveMs: saveMs === 0 ? null : saveMs,
  };
}

/** Of a run that saved so regularly, this much is late. */
const LATE_FACTOR = 3;

/** How long a run that lives has saved nothing; null: it is not late, or nobody can tell. */
export function judgeLateness(
  newest: Checkpoint | undefined,
  { everyMs }: Saving,
  run: { readonly launchedAtMs: number | null; readonly atMs: number },
): number | null {
  if (newest === undefined || everyMs === null || run.launchedAtMs === null) return null;
  // What it found in the folder when it began is not its own.
  const forMs = run.atMs - Math.max(newest.writtenAtMs, run.launchedAtMs);
  return forMs > LATE_FACTOR * everyMs ? forMs : null;
}

const isNumbered = ({ step, epoch, count }: Held): boolean =>
  step !== null || epoch !== null || count !== null;

const orderOf = ({ step, epoch, count }: Checkpoint): number => step ?? epoch ?? count ?? -1;

function folderOf({ path }: Checkpoint): string {
  return path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
}
