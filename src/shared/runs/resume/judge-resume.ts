import { plainLine } from '../../questions/hostile-text.ts';
import type { Checkpoint } from '../checkpoints/checkpoints.ts';
import { agoWords, pass, unknown, warn, type Judged } from '../launch/checks/judged.ts';
import type { PreflightCheck } from '../launch/launch-plan.ts';

/** What the results folder holds, or what was written where the run works since it began. Null: it was not listed. */
export interface SavedBefore {
  /** Null: none was found there. */
  readonly newest: Pick<Checkpoint, 'path' | 'writtenAtMs'> | null;
  readonly atMs: number;
  /** False: the run names no results folder, so that it may save where nobody has looked. */
  readonly isNamed: boolean;
}

/** Options and words by which trainers are told to go on from what they saved. */
const RESUMES =
  /--?(?:auto[-_])?resume(?![a-z])[\w-]*|--?continue(?:[-_][\w-]+)?(?![\w-])|\bresume_from_checkpoint\b|--?(?:ckpt|checkpoint)[-_]path\b|--?load[-_](?:checkpoint|ckpt)\b|--?init_from=resume\b|\bresume=(?:[Tt]rue|1)\b/;
const MAX_SHOWN_CHARS = 200;

/** The option of the job by which it goes on from what it has saved; null: none that is known. */
export function resumesBy(job: string): string | null {
  for (const line of job.split('\n')) {
    if (line.trimStart().startsWith('#')) continue;
    const [found] = RESUMES.exec(line) ?? [];
    if (found !== undefined) return found;
  }
  return null;
}

/** From where the identical command will go on. `launchedAtMs`: when the run before it began; null: not known. */
export function judgeResume(
  saved: SavedBefore | null,
  job: string,
  launchedAtMs: number | null,
): PreflightCheck {
  return {
    id: 'resume-from',
    title: 'Goes on from',
    ...judged(saved, resumesBy(job), launchedAtMs),
  };
}

function judged(saved: SavedBefore | null, by: string | null, launchedAtMs: number | null): Judged {
  const option = by === null ? null : `“${plainLine(by, MAX_SHOWN_CHARS)}”`;
  const fate =
    option === null
      ? 'The command names no option that resumes: it may begin at its first step.'
      : `The command has ${option}: whether it finds what to go on from, its log will tell.`;
  if (saved === null) {
    return unknown(`Its results were not listed, so its checkpoints are not known. ${fate}`);
  }
  const { newest, atMs, isNamed } = saved;
  if (newest === null && !isNamed) {
    return unknown(
      `It names no results folder, and nothing like a checkpoint was written where it works since it began, so what it has saved is not known. ${fate}`,
    );
  }
  if (newest === null) {
    return pass('Its results folder holds no checkpoint: it begins at its first step.');
  }
  const isOlder = launchedAtMs !== null && newest.writtenAtMs < launchedAtMs;
  const what = `The newest checkpoint is ${plainLine(newest.path, MAX_SHOWN_CHARS)}, saved ${agoWords(newest.writtenAtMs, atMs)}${isOlder ? ', before the run that was cut off began' : ''}.`;
  return option === null
    ? warn(
        `${what} The command names no option that resumes: unless it looks for its checkpoint by itself, it begins at its first step and may write over what is there.`,
      )
    : pass(`${what} The command has ${option}, so it should go on from there; its log will tell.`);
}
