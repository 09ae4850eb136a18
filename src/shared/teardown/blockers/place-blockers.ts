import type { FoundOnBox, FoundOutside, OthersData, OutsideFile } from '../found-on-box.ts';
import type { Steps } from '../../steps.ts';
import {
  SENT,
  trackerLogAt,
  trackerLogsAmong,
  type NamedTrackerLog,
} from '../../verify/tracker-logs.ts';
import { countOf, MOST_SHOWN, type Raised } from './raised.ts';
import { bytesOf, eachInSteps, type Hashing } from './result-files.ts';

type Found = Pick<FoundOnBox, 'results' | 'outside' | 'machine'>;

/** Leasehold proves what runs have left, and looks elsewhere for what is large or looks like curves: a person alone knows whether that is all. */
export function elsewhere({ results, outside, machine }: Found, sha256: Hashing): Raised {
  const folders = results.map(({ path }) => path).sort();
  const looked = [...outside.looked].sort();
  const unread = outside.unread === null ? '' : ` Not all of it could be read: ${outside.unread}`;
  return {
    ...{ id: 'elsewhere', kind: 'elsewhere', stage: 'inventory', entry: null },
    says: `${
      folders.length === 0
        ? 'No run that Leasehold launched here left results, and it has not looked at all other files.'
        : 'Leasehold has not looked at all files outside the results of its runs.'
    } It looks only for large files and for curves, and only in ${countOf(looked.length, 'folder')}.${unread}`,
    shows: [...folders, ...looked.map((path) => `looked through: ${path}`)].slice(0, MOST_SHOWN),
    loss: sha256(JSON.stringify([folders, looked, outside.unread, machine])),
  };
}

/** Where it is not known which storage they lie on, every verb may take them along; where it is, `tierBlockers` tells of them. */
export function strayFiles(
  { outside, profile }: Pick<FoundOnBox, 'outside' | 'profile'>,
  sha256: Hashing,
): readonly Raised[] {
  const files = profile === null ? outside.files : outside.files.filter(hasNoTier);
  if (files.length === 0 && !outside.isCut) return [];
  return [
    {
      ...{ id: 'tier-goes:unknown', kind: 'tier-goes', stage: 'inventory' },
      ...{ entry: hasCurves(files) ? 'U20' : null, shows: linesOf(files) },
      says: `${strayWords(files, outside)} Whether the storage under them outlives the box is not known.`,
      loss: lossOf(files, outside, sha256),
    },
  ];
}

/** On which storage of the platform they lie is not known, and so every verb may take them along. */
export function othersUnknown(
  { outside }: Pick<FoundOnBox, 'outside'>,
  sha256: Hashing,
): readonly Raised[] {
  const others = outside.others.filter(({ tier }) => tier === null);
  if (others.length === 0) return [];
  const lines = othersLines(others);
  return [
    {
      ...{ id: 'others-data:unknown', kind: 'others-data', stage: 'inventory', entry: 'LR2' },
      says: `Results of ${namesOf(others).join(', ')} lie on storage that this box has in common with others. Whether it outlives this box is not known.`,
      ...{ shows: lines.slice(0, MOST_SHOWN), loss: sha256(JSON.stringify(lines)) },
    },
  ];
}

export const namesOf = (others: readonly OthersData[]): readonly string[] =>
  [...new Set(others.map(({ boxName }) => boxName))].sort();

export const othersLines = (others: readonly OthersData[]): readonly string[] =>
  others.map(({ boxName, path }) => `${boxName}: ${path ?? 'not known'}`).sort();

const hasNoTier = ({ tier }: OutsideFile): boolean => tier === null;

/** Of what was written to so lately a tracker may still be sending the rest, also after its run has ended. */
export const STILL_SENDS_MS = 10 * 60_000;

/** Also of what comes home: the copies can be sent, and a run that is still being sent would be cut off. */
export function* trackerLogs(
  { results, outside, atMs }: Pick<FoundOnBox, 'results' | 'outside' | 'atMs'>,
  sha256: Hashing,
): Steps<readonly Raised[]> {
  const logs: NamedTrackerLog[] = [];
  for (const { path, listed } of results) {
    const sent = new Set<string>();
    yield* eachInSteps(listed, (file) => {
      if (file.path.endsWith(SENT)) sent.add(file.path);
    });
    yield* eachInSteps(listed, (file) => {
      const log = trackerLogAt(file.path, sent);
      if (log === null) return;
      const maySend = log.state === 'unknown' && atMs - file.modifiedAtMs < STILL_SENDS_MS;
      if (maySend || log.state === 'not uploaded') {
        logs.push({ ...log, path: `${path}/${log.path}` });
      }
    });
  }
  // Event files are no tracker's that sends anything: as stray files they are told of already.
  const beside = trackerLogsAmong([...outside.files.map(({ path }) => path), ...outside.sent]);
  logs.push(
    ...beside.filter(({ tracker, state }) => tracker !== 'tensorboard' && state !== 'uploaded'),
  );
  if (logs.length === 0) return [];
  return [
    {
      ...{ id: 'tracker-log', kind: 'tracker-log', stage: 'inventory', entry: 'U35' },
      says: `${countOf(logs.length, 'tracker log')} not known to be uploaded.`,
      shows: logs.slice(0, MOST_SHOWN).map((log) => `${log.path}: ${TRACKER_WORDS[log.state]}`),
      loss: sha256(JSON.stringify(logs.map(({ path, state }) => [path, state]))),
    },
  ];
}

const TRACKER_WORDS: Readonly<Record<NamedTrackerLog['state'], string>> = {
  uploaded: 'uploaded',
  'not uploaded': 'not uploaded',
  'only here': 'kept on this disk alone',
  unknown: 'nothing on the box says that all of it was uploaded',
};

export function strayWords(
  files: readonly OutsideFile[],
  { isCut }: Pick<FoundOutside, 'isCut'>,
): string {
  if (files.length === 0) return 'There are more files outside the results than one check reads.';
  return `${isCut ? 'More than ' : ''}${countOf(files.length)} outside the results, ${gigabytes(files)}.`;
}

/** What is large or looks like curves is told in as few figures as a person needs to decide. */
function gigabytes(files: readonly OutsideFile[]): string {
  const bytes = bytesOf(files);
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e5 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e3).toFixed(1)} kB`;
}

export const linesOf = (files: readonly OutsideFile[]): readonly string[] =>
  [...files]
    .sort((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_SHOWN)
    .map(({ path }) => path);

/** Of just these files, and of whether there are more: what comes later is asked about anew. */
export const lossOf = (
  files: readonly OutsideFile[],
  { isCut }: Pick<FoundOutside, 'isCut'>,
  sha256: Hashing,
): string =>
  sha256(
    JSON.stringify([
      isCut,
      files
        .map(({ path, bytes, modifiedAtMs }) => [path, bytes, modifiedAtMs])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    ]),
  );

export const hasCurves = (files: readonly OutsideFile[]): boolean =>
  trackerLogsAmong(files.map(({ path }) => path)).length > 0;
