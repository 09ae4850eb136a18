import { checkpointOf, heldIn } from '../../runs/checkpoints/checkpoint-name.ts';
import type { ResultFile } from '../../runs/launch/launched-run.ts';
import { isSameFile } from '../file-version.ts';
import type { KeepKind, PullWait } from '../pull.ts';

/** What a round of a continuous pull does with a file. */
export type RoundChoice =
  /** `isGrowing`: somebody writes to it, so that only what was listed of it can be proven. */
  | { readonly kind: 'bring'; readonly isGrowing: boolean }
  /** It is here, and was proven. */
  | { readonly kind: 'have' }
  | { readonly kind: 'wait'; readonly because: PullWait };

export interface RoundLook {
  /** As they were listed last. */
  readonly files: readonly ResultFile[];
  /** As they were listed a moment before. */
  readonly before: readonly ResultFile[];
  readonly keepOf: (path: string) => KeepKind;
  readonly isHere: (file: ResultFile) => boolean;
}

/** What a run does not write again and again: of these each is evidence. */
const KEPT_NAME = /(?:^|[^a-z])(?:best|final)(?![a-z])/i;

/** Part of a checkpoint: null where it counts as evidence, or as anything else. */
export function passingCheckpoint(path: string, keep: KeepKind): string | null {
  if (keep === 'evidence' || keep === 'scratch') return null;
  const checkpoint = checkpointOf(path) ?? (keep === 'checkpoint' ? path : null);
  return checkpoint === null || KEPT_NAME.test(checkpoint) ? null : checkpoint;
}

/** Whether its bytes only mean something all together, so that what comes of it while it is written is worth nothing. */
const isWholeOnly = (path: string, keep: KeepKind): boolean =>
  keep === 'checkpoint' || checkpointOf(path) !== null;

/**
 * What a round brings, in the order of the list: everything but scratch and all checkpoints but the newest complete one. Complete is what stood
 * still between two looks, all its files.
 */
export function chooseForRound(look: RoundLook): readonly RoundChoice[] {
  const { files, before, keepOf, isHere } = look;
  const seen = new Map(before.map((file) => [file.path, file]));
  const isStill = (file: ResultFile): boolean => {
    const then = seen.get(file.path);
    return then !== undefined && isSameFile(then, file);
  };
  const newest = newestStill(look, isStill);
  return files.map((file): RoundChoice => {
    const keep = keepOf(file.path);
    if (isHere(file)) return { kind: 'have' };
    if (keep === 'scratch') return { kind: 'wait', because: 'scratch' };
    const checkpoint = passingCheckpoint(file.path, keep);
    if (checkpoint !== null && checkpoint !== newest) {
      const because = isStill(file) ? 'older-checkpoint' : 'being-written';
      return { kind: 'wait', because };
    }
    if (isStill(file)) return { kind: 'bring', isGrowing: false };
    if (isWholeOnly(file.path, keep)) return { kind: 'wait', because: 'being-written' };
    return { kind: 'bring', isGrowing: true };
  });
}

/** Null: there is none that is complete. */
function newestStill(
  { files, keepOf }: RoundLook,
  isStill: (file: ResultFile) => boolean,
): string | null {
  const found = new Map<string, { writtenAtMs: number; isStill: boolean }>();
  for (const file of files) {
    const checkpoint = passingCheckpoint(file.path, keepOf(file.path));
    if (checkpoint === null) continue;
    const known = found.get(checkpoint) ?? { writtenAtMs: 0, isStill: true };
    known.writtenAtMs = Math.max(known.writtenAtMs, file.modifiedAtMs);
    known.isStill &&= isStill(file);
    found.set(checkpoint, known);
  }
  const complete = [...found].filter(([, each]) => each.isStill);
  // The box tells seconds, in which a quick run writes several.
  complete.sort(
    ([a, of], [b, than]) => than.writtenAtMs - of.writtenAtMs || orderOf(b) - orderOf(a),
  );
  return complete[0]?.[0] ?? null;
}

function orderOf(checkpoint: string): number {
  const { step, epoch, count } = heldIn(checkpoint);
  return step ?? count ?? epoch ?? 0;
}
