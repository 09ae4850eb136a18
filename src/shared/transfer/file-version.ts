import type { ResultFile } from '../runs/launch/launched-run.ts';

/** What tells one version of a file on a box from another. */
export type FileVersion = Pick<ResultFile, 'bytes' | 'modifiedAtMs' | 'stamp'>;

/** Pulls that kept no stamp kept seconds, and when those were was worked out from the box's clock at each look. */
const SAME_TIME_MS = 3000;

export const versionOf = ({ bytes, modifiedAtMs, stamp }: FileVersion): FileVersion => ({
  ...{ bytes, modifiedAtMs, ...(stamp !== undefined && { stamp }) },
});

/** Whether a file of a list is the one that a pull, or an earlier list, has looked at. */
export function isSameFile(file: FileVersion, known: FileVersion): boolean {
  if (file.bytes !== known.bytes) return false;
  if (known.stamp !== undefined) return file.stamp === known.stamp;
  return Math.abs(file.modifiedAtMs - known.modifiedAtMs) < SAME_TIME_MS;
}
