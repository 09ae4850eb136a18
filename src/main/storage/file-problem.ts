import { problem, type Problem, type ProblemCode } from '../../shared/problem.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const WORDS: Readonly<Record<string, string>> = {
  ENOLINK: 'it is a link to a disk that is away',
  ENAMETOOLONG: 'its name is too long for the disk',
};
const READ_ONLY = new Set(['EACCES', 'EPERM', 'EROFS']);

export interface FileTask {
  /** What did not happen, as a clause: "Your settings were not saved". */
  readonly failed: string;
  readonly file: string;
  /** The code for everything that is neither a full disk nor missing permission. */
  readonly otherwise: ProblemCode;
}

/** The one translation of this machine's file errors. Anything without an errno is a bug and goes on as an exception. */
export function fileProblem(cause: unknown, { failed, file, otherwise }: FileTask): Problem {
  const errno = errnoOf(cause);
  if (errno === null) throw cause;
  const [code, because] = FULL.has(errno)
    ? (['disk-full', 'the disk is full'] as const)
    : READ_ONLY.has(errno)
      ? (['folder-read-only', 'writing is not permitted'] as const)
      : ([otherwise, WORDS[errno] ?? `this machine answered ${errno}`] as const);
  return problem(code, `${failed}, because ${because} (${file}).`, { detail: `${errno}: ${file}` });
}

/** ENOENT and the like; null for what did not come from the operating system. */
export function errnoOf(cause: unknown): string | null {
  if (!(cause instanceof Error) || !('code' in cause) || !('syscall' in cause)) return null;
  return typeof cause.code === 'string' ? cause.code : null;
}
