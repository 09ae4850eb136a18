import type { Artefact, PatrolLook, RunInLook } from '../patrol-look.ts';

/** Ages are rounded, and a file's time is that of its file system. */
const CLOCK_SLACK_S = 5;

/**
 * The newest of this kind in the folder of a run, of those that were written since it began: what is older was brought there, as
 * pretrained weights are, or is another run's. Where nobody knows when it began, any. `seenAtMs`: when its age was told.
 */
export function newestOf(
  kind: Artefact['kind'],
  { folder, ageS }: RunInLook,
  { artefacts, machine, atMs }: PatrolLook,
  seenAtMs = atMs,
): Artefact | null {
  if (folder === null) return null;
  const below = `${folder.replace(/\/$/, '')}/`;
  const beganAtS =
    ageS === null ? -Infinity : (seenAtMs + (machine.clockOffsetMs ?? 0)) / 1000 - ageS;
  const newest = artefacts.find(
    (each) =>
      each.kind === kind &&
      each.path.startsWith(below) &&
      each.modifiedAtS >= beganAtS - CLOCK_SLACK_S,
  );
  return newest ?? null;
}
