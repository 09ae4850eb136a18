import type { ResultFile } from '../runs/launch/launched-run.ts';
import { brokenSets, homeState } from '../transfer/home.ts';
import type { PulledFile } from '../transfer/pull.ts';
import type { SetFound } from '../verify/sets.ts';
import type { BoxFile } from './box-file.ts';
import { isWithin } from './box-path.ts';

/** A folder in which a run of Leasehold keeps something, by its whole path with no link on the way. */
export interface RunRoot {
  readonly runId: string;
  readonly runName: string;
  readonly path: string;
  /** On the way to it as the run has written it, each by its whole path with no link before it. */
  readonly links: readonly string[];
  readonly holds: 'run' | 'results';
  readonly isOver: boolean;
  /** What was proven when its results were last brought home; null: they never were. */
  readonly proven: ProvenResults | null;
}

export interface ProvenResults {
  /** The entry of the evidence that has it. */
  readonly evidence: number;
  /** On this computer. */
  readonly to: string;
  readonly files: readonly PulledFile[];
  /** As the box lists them now. */
  readonly listed: readonly ResultFile[];
  readonly sets: readonly SetFound[];
  /** False: the disk of the box need not tell each writing, so that each file has to be hashed there once more. */
  readonly tellsWrites: boolean;
}

/** A file that goes, and the copy here for which it may. */
export interface DoomedResult {
  readonly to: string;
  readonly file: PulledFile;
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
    const because = isMet(chosen, root) ? whyNotRoot(chosen, doomed, root) : null;
    if (because !== null) return because;
  }
  return null;
}

/** Something of a root would go, or all of it, or what leads there. */
export const isMet = (chosen: readonly string[], root: Pick<RunRoot, 'path' | 'links'>): boolean =>
  chosen.some((path) => isWithin(path, root.path) || isWithin(root.path, path)) ||
  takesLink(chosen, root);

const takesLink = (chosen: readonly string[], { links }: Pick<RunRoot, 'links'>): boolean =>
  links.some((link) => chosen.some((path) => isWithin(link, path)));

function whyNotRoot(
  chosen: readonly string[],
  doomed: readonly DoomedFile[],
  root: RunRoot,
): string | null {
  const { runName, path: rootPath, holds, isOver, proven } = root;
  const run = `the run “${runName}”`;
  // Without it nobody would find them, and they could be deleted like anything else.
  if (takesLink(chosen, root)) return `A link on the way to what ${run} has left would go.`;
  if (holds === 'run') return `Here ${run} keeps its log and how it ended.`;
  if (!isOver) return `Here are results of ${run}, which is not over.`;
  if (proven === null) return `Here are results of ${run}, which were never brought home.`;
  const known = new Map(proven.files.map((file) => [file.path, file]));
  const listed = new Map(proven.listed.map((file) => [file.path, file]));
  const broken = new Map(brokenSets(proven).map((set) => [set.path, set.says]));
  for (const { path, file } of doomed) {
    if (!isWithin(path, rootPath) || file.kind === 'folder') continue;
    const inner = path.slice(rootPath.length + 1);
    const notWhole = broken.get(inner);
    const because =
      whyNotProven(known.get(inner), listed.get(inner), file) ??
      (notWhole === undefined ? null : `what it holds together is not whole: ${notWhole}`);
    if (because !== null) return `“${inner}” is a result of ${run}, and ${because}.`;
  }
  return null;
}

/** A clause; null: the very file that was hashed on both sides lies there, and its copy was whole. */
function whyNotProven(
  pulled: PulledFile | undefined,
  listed: ResultFile | undefined,
  { kind, sizeBytes }: DoomedFile['file'],
): string | null {
  const isListed = kind === 'file' && listed?.bytes === sizeBytes;
  const state = isListed ? homeState(listed, pulled) : 'changed';
  switch (state) {
    case 'home':
    case 'accepted':
      return null;
    case 'damaged': {
      const said = pulled?.loaded?.kind === 'damaged' ? `: ${pulled.loaded.because}` : '';
      return `it is damaged, here as there${said}. Accept it on the page of its run if that is all there is, or delete it in a terminal if it is worth nothing`;
    }
    case 'unstamped':
      return 'an older Leasehold proved it, which did not keep enough to tell it from its next version. Bring the results home again first';
    default:
      return 'it is not proven that this computer has it as it is now';
  }
}

/** Of what would go, all that is a result, with the copy that was proven. Of several folders that hold it, each. */
export function doomedResults(
  doomed: readonly DoomedFile[],
  roots: readonly RunRoot[],
): readonly DoomedResult[] {
  return roots.flatMap(({ path: rootPath, proven }) => {
    if (proven === null) return [];
    const known = new Map(proven.files.map((file) => [file.path, file]));
    return doomed.flatMap(({ path }) => {
      const file = isWithin(path, rootPath)
        ? known.get(path.slice(rootPath.length + 1))
        : undefined;
      return file === undefined ? [] : [{ to: proven.to, file }];
    });
  });
}
