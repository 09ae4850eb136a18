import type { SetFound } from '../verify/sets.ts';
import { isSameFile, type FileVersion } from './file-version.ts';
import type { PulledFile, PullReport } from './pull.ts';

/** What a pull has found of a file, in the one sense in which it counts anywhere. */
export type PulledState =
  /** All of its bytes are here, and hashed on both sides to the same. */
  | 'home'
  /** So they are, and cannot be loaded: here as there. */
  | 'damaged'
  /** They are damaged, and a person takes this very file so. */
  | 'accepted'
  /** Its beginning is home: it was growing. */
  | 'begun'
  /** A person left it on the box. */
  | 'left'
  /** A round of a continuous pull did not ask for it. */
  | 'waits'
  /** It was asked for, and is not proven to be here. */
  | 'short';

export function pulledState({
  mark,
  sha256,
  left,
  waits,
  isGrowing,
  loaded,
  accepted,
}: Pick<
  PulledFile,
  'mark' | 'sha256' | 'left' | 'waits' | 'isGrowing' | 'loaded' | 'accepted'
>): PulledState {
  if (left !== undefined) return 'left';
  if (mark !== 'equal' || sha256 === null) return waits === undefined ? 'short' : 'waits';
  if (isGrowing === true) return 'begun';
  if (loaded?.kind !== 'damaged') return 'home';
  return accepted === undefined ? 'damaged' : 'accepted';
}

/** Whether all of its bytes are here: what is damaged on the box too gets no better by coming once more. */
export const isHere = (state: PulledState): boolean =>
  state === 'home' || state === 'damaged' || state === 'accepted';

/** How a file that a box has now stands to what was pulled of it. */
export type HomeState =
  | PulledState
  /** No pull has ever told of it. */
  | 'unknown'
  /** It is another version. */
  | 'changed'
  /** It is home as far as its size and its time tell, which an older Leasehold kept alone: another version may look the same. */
  | 'unstamped';

/**
 * The one answer to whether a file of a box is home. Only `home` is a yes, and what is deleted or destroyed rests on it: `file` is as the box lists
 * it now, and what a stamp cannot tell has to be hashed besides (`ResultList.tellsWrites`), as has the copy (`HomeCheck`).
 */
export function homeState(file: FileVersion, pulled: PulledFile | undefined): HomeState {
  if (pulled === undefined) return 'unknown';
  const state = pulledState(pulled);
  if (state === 'waits') return state;
  // What has grown since is as much begun as before.
  if (state === 'begun' && file.bytes >= pulled.bytes) return state;
  if (!isSameFile(file, pulled)) return 'changed';
  return state === 'home' && pulled.stamp === undefined ? 'unstamped' : state;
}

/** Of what several files make up: proven not to be whole, or not proven to be. */
export const brokenSets = ({ sets = [] }: Pick<PullReport, 'sets'>): readonly SetFound[] =>
  sets.filter(isNotWhole);

/** Files in the folder of a set that a person has accepted although they are damaged: that makes no set whole. */
export function acceptedBeside(
  { path }: Pick<SetFound, 'path'>,
  files: PullReport['files'],
): readonly string[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return files.flatMap((file) =>
    file.accepted !== undefined && file.path.startsWith(folder) ? [file.path] : [],
  );
}

export const isNotWhole = ({ state }: SetFound): boolean =>
  state === 'damaged' || state === 'unknown';
