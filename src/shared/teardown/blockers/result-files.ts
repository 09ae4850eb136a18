import { homeState, pulledState, type HomeState } from '../../transfer/home.ts';
import type { PulledFile } from '../../transfer/pull.ts';
import type { Steps } from '../../steps.ts';
import type { FoundOnBox, FoundResults } from '../found-on-box.ts';

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
  /** What the pull told of, and the box does not list any more, as the pull left it. */
  readonly gone: readonly JudgedFile[];
  /** Of these, what was brought home and proven: an end rests on these copies alone. */
  readonly away: readonly PulledFile[];
  readonly isThere: boolean;
}

/** Something was brought home from it, and nothing lies there now. */
export const isEmptied = ({ listed, proven }: Pick<FoundResults, 'listed' | 'proven'>): boolean =>
  listed.length === 0 && proven !== null && proven.files.length > 0;

/** How each file that the box has stands to what was pulled of it, which all else here asks. */
export function* judgeFilesInSteps({
  results: found,
  absent,
}: Pick<FoundOnBox, 'results' | 'absent'>): Steps<readonly JudgedResults[]> {
  const judged: JudgedResults[] = [];
  for (const results of found) {
    const known = new Map((results.proven?.files ?? []).map((file) => [file.path, file]));
    const files: JudgedFile[] = [];
    for (const file of results.listed) {
      const pulled = known.get(file.path);
      files.push({ file, pulled, state: homeState(file, pulled) });
      if (files.length % IN_STEP === 0) yield;
    }
    judged.push({ ...results, files, ...goneOf(results), isThere: true });
  }
  for (const { missed: _missed, ...results } of absent) {
    const none = { ...results, listed: [], others: [] };
    if (!isEmptied(none)) continue;
    judged.push({ ...none, files: [], ...goneOf(none), isThere: false });
  }
  return judged;
}

function goneOf({
  listed,
  proven,
}: Pick<FoundResults, 'listed' | 'proven'>): Pick<JudgedResults, 'gone' | 'away'> {
  const there = new Set(listed.map(({ path }) => path));
  const gone = (proven?.files ?? []).filter(({ path }) => !there.has(path));
  return {
    gone: gone.map((pulled) => ({ file: pulled, pulled, state: pulledState(pulled) })),
    away: gone.filter(isProvenCopy),
  };
}

/** Whatever the box has of it now. */
export function isProvenCopy(pulled: PulledFile): boolean {
  const state = pulledState(pulled);
  return state === 'home' || state === 'accepted';
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

/** Of all that the box still has and that is home, and of what it had and has no more. */
export const copiesOf = (
  judged: readonly Pick<JudgedResults, 'proven' | 'files' | 'away'>[],
): readonly RestingCopy[] =>
  judged.flatMap(({ proven, files, away }) => {
    if (proven === null) return [];
    const home = files.filter(isProvenHere).flatMap(({ pulled }) => pulled ?? []);
    return [...home, ...away].flatMap(({ path, bytes, sha256 }) =>
      sha256 === null ? [] : [{ to: proven.to, file: { path, bytes, sha256 } }],
    );
  });

export const bytesOf = (files: readonly { readonly bytes: number }[]): number =>
  files.reduce((all, { bytes }) => all + bytes, 0);

const versionOf = ({ path, bytes, modifiedAtMs, stamp }: FoundResults['listed'][number]) => [
  path,
  bytes,
  stamp ?? modifiedAtMs,
];
