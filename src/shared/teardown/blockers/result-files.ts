import { homeState, type HomeState } from '../../transfer/home.ts';
import type { PulledFile } from '../../transfer/pull.ts';
import type { Steps } from '../../steps.ts';
import type { FoundResults } from '../found-on-box.ts';

/** As many files as take a few milliseconds. */
const IN_STEP = 500;

export type Hashing = (text: string) => string;

export interface JudgedFile {
  readonly file: FoundResults['listed'][number];
  readonly pulled: PulledFile | undefined;
  readonly state: HomeState;
}

export interface JudgedResults extends FoundResults {
  readonly files: readonly JudgedFile[];
}

/** How each file that the box has stands to what was pulled of it, which all else here asks. */
export function* judgeFilesInSteps(
  found: readonly FoundResults[],
): Steps<readonly JudgedResults[]> {
  const judged: JudgedResults[] = [];
  for (const results of found) {
    const known = new Map((results.proven?.files ?? []).map((file) => [file.path, file]));
    const files: JudgedFile[] = [];
    for (const file of results.listed) {
      const pulled = known.get(file.path);
      files.push({ file, pulled, state: homeState(file, pulled) });
      if (files.length % IN_STEP === 0) yield;
    }
    judged.push({ ...results, files });
  }
  return judged;
}

/** Does something with each of what may be very many. */
export function* eachInSteps<T>(rows: readonly T[], act: (row: T) => void): Steps<void> {
  for (let at = 0; at < rows.length; at += IN_STEP) {
    rows.slice(at, at + IN_STEP).forEach(act);
    yield;
  }
}

/** Of rows that may be very many: the hash of the hashes of their parts. */
export function* digestInSteps(rows: readonly unknown[], sha256: Hashing): Steps<string> {
  const parts: string[] = [];
  for (let at = 0; at < rows.length; at += IN_STEP) {
    parts.push(sha256(JSON.stringify(rows.slice(at, at + IN_STEP))));
    yield;
  }
  return sha256(parts.join());
}

export const digestOfFiles = (files: FoundResults['listed'], sha256: Hashing): Steps<string> =>
  digestInSteps(files.map(versionOf), sha256);

export const isProvenHere = ({ state }: JudgedFile): boolean =>
  state === 'home' || state === 'accepted';

/** A copy on this computer on which an end of the box would rest. */
export interface RestingCopy {
  readonly to: string;
  readonly file: Pick<PulledFile, 'path' | 'bytes'> & { readonly sha256: string };
}

/** Of all that the box still has and that is home. */
export const copiesOf = (judged: readonly JudgedResults[]): readonly RestingCopy[] =>
  judged.flatMap(({ proven, files }) => {
    if (proven === null) return [];
    return files.filter(isProvenHere).flatMap(({ pulled }) => {
      if (pulled === undefined || pulled.sha256 === null) return [];
      const { path, bytes, sha256 } = pulled;
      return [{ to: proven.to, file: { path, bytes, sha256 } }];
    });
  });

export const bytesOf = (files: readonly { readonly bytes: number }[]): number =>
  files.reduce((all, { bytes }) => all + bytes, 0);

const versionOf = ({ path, bytes, modifiedAtMs, stamp }: FoundResults['listed'][number]) => [
  path,
  bytes,
  stamp ?? modifiedAtMs,
];
