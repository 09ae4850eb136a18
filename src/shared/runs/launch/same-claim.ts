import type { FileHashes } from '../resume/judge-edited.ts';
import type { LaunchedRun } from './launched-run.ts';
import { MAX_COMMAND_CHARS, readAbout, type RunKeeps } from './run-about.ts';

/** What decides where the words of two launches are the same. */
const CELLS = 'cells/0001';
const JOB = 'job.sh';

/**
 * Whose the folder of a run is that a launch found taken: of the same request, as when it is asked again, or of another one. `untold`: a
 * launch that has only just made it, or one that was cut off, has not said yet. `about`: as that launch writes it.
 */
export function judgeClaim(
  run: Pick<
    LaunchedRun,
    'name' | 'folder' | 'command' | 'results' | 'copyTo' | 'keeps' | 'asked' | 'files'
  >,
  about: string,
): 'same' | 'other' | 'untold' {
  const own = readAbout(about);
  if (own === null || run.folder === '') return 'untold';
  const words = ['name', 'folder', 'command', 'results'] as const;
  if (words.some((word) => run[word] !== own[word])) return 'other';
  if ((run.copyTo ?? null) !== own.copyTo || !isKept(run.keeps ?? null, own.keeps)) return 'other';
  // Of one that an older Leasehold launched it is not known.
  if (run.asked !== undefined && own.asked !== null && run.asked !== own.asked) return 'other';
  // Of cells and of a long command a run folder says only how they begin.
  const isCut = Array.from(own.command).length >= MAX_COMMAND_CHARS;
  const names = isCut ? [CELLS, JOB] : [CELLS];
  return names.some((name) => differs(name, own.files, run.files ?? {})) ? 'other' : 'same';
}

const isKept = (one: RunKeeps | null, other: RunKeeps | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

function differs(name: string, own: FileHashes, found: FileHashes): boolean {
  return own[name] !== undefined && found[name] !== undefined && own[name] !== found[name];
}
