import { LISTED_FILE } from '../runs/launch/read-run-results.ts';

/**
 * A file in a manifest, as text of one character a byte: its path, a NUL, "<hash> <kind> <bytes> <written> <changed> <number>", a NUL. No path
 * has a NUL in it, so that records sort as their paths do, byte by byte, and two manifests are walked side by side.
 */
export type ManifestRecord = string;

/** In a hash's place: nobody has read it. */
export const NOT_HASHED = '-';
/** The same: the box could not. */
export const NOT_READ = '?';

export interface RecordParts {
  readonly path: string;
  readonly sha256: string;
  /** Whatever says that it is the same version of the same file: kind, size and stamp. */
  readonly version: string;
}

/** Of what resources/onbox/run-results.sh printed of a file. Null: nothing that it prints. */
export function recordOfListed(listed: string): ManifestRecord | null {
  const [, kind, bytes, writtenS, changedS, no, path] = LISTED_FILE.exec(listed) ?? [];
  if (path === undefined) return null;
  const version = [kind, bytes, writtenS, changedS, no].join(' ');
  return recordOf({ path, sha256: NOT_HASHED, version });
}

export const recordOf = ({ path, sha256, version }: RecordParts): ManifestRecord =>
  `${path}\0${sha256} ${version}\0`;

export function partsOf(record: ManifestRecord): RecordParts {
  const end = record.indexOf('\0');
  const space = record.indexOf(' ', end);
  return {
    path: record.slice(0, end),
    sha256: record.slice(end + 1, space),
    version: record.slice(space + 1, -1),
  };
}

export const isPlainFile = ({ version }: RecordParts): boolean => version.startsWith('f ');

export const isHashed = ({ sha256 }: RecordParts): boolean => sha256.length === 64;

export const bytesIn = ({ version }: RecordParts): number => Number(version.split(' ', 2)[1]);
