import type { PulledFile } from '../transfer/pull.ts';
import type { BoxFile } from './box-file.ts';
import { isWithin } from './box-path.ts';

/** A folder in which a run of Leasehold keeps something, by its whole path with no link on the way. */
export interface RunRoot {
  readonly runName: string;
  readonly path: string;
  readonly holds: 'run' | 'results';
  readonly isOver: boolean;
  /** What was proven when its results were last brought home; null: they never were. */
  readonly proven: readonly PulledFile[] | null;
}

export interface DoomedFile {
  readonly path: string;
  readonly file: Pick<BoxFile, 'kind' | 'sizeBytes' | 'modifiedAtMs'>;
}

/**
 * Why these must not be deleted; null: nothing of a run is lost with them that is not here, proven, as it lies there now. `doomed`
 * begins with what was chosen and has all that is in it.
 */
export function whyNotDelete(
  chosen: readonly string[],
  doomed: readonly DoomedFile[],
  roots: readonly RunRoot[],
): string | null {
  for (const root of roots) {
    const isMet = chosen.some((path) => isWithin(path, root.path) || isWithin(root.path, path));
    const because = isMet ? whyNotRoot(doomed, root) : null;
    if (because !== null) return because;
  }
  return null;
}

function whyNotRoot(doomed: readonly DoomedFile[], root: RunRoot): string | null {
  const { runName, path: rootPath, holds, isOver, proven } = root;
  const run = `the run “${runName}”`;
  if (holds === 'run') return `Here ${run} keeps its log and how it ended.`;
  if (!isOver) return `Here are results of ${run}, which is not over.`;
  if (proven === null) return `Here are results of ${run}, which were never brought home.`;
  const known = new Map(proven.map((file) => [file.path, file]));
  for (const { path, file } of doomed) {
    if (!isWithin(path, rootPath) || file.kind === 'folder') continue;
    const inner = path.slice(rootPath.length + 1);
    const pulled = known.get(inner);
    if (pulled === undefined || !isProven(pulled, file)) {
      return `“${inner}” is a result of ${run}, and it is not proven that this computer has it as it is now.`;
    }
  }
  return null;
}

/** The very file that was hashed on both sides, as far as the box tells: SFTP counts whole seconds. */
function isProven(
  pulled: PulledFile,
  { kind, sizeBytes, modifiedAtMs }: DoomedFile['file'],
): boolean {
  if (kind !== 'file' || sizeBytes === null || modifiedAtMs === null) return false;
  const isSame =
    pulled.bytes === sizeBytes &&
    Math.floor(pulled.modifiedAtMs / 1000) === Math.floor(modifiedAtMs / 1000);
  return isSame && pulled.mark === 'equal' && pulled.sha256 !== null;
}
