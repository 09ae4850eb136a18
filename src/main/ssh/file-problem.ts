import { problem, type Problem } from '../../shared/problem.ts';
import { plainText } from '../../shared/questions/hostile-text.ts';

const MAX_SHOWN_CHARS = 200;
const MAX_DETAIL_CHARS = 300;

// draft-ietf-secsh-filexfer-02, section 7
const END_OF_FILE = 1;
const NO_SUCH_FILE = 2;
const PERMISSION_DENIED = 3;
const UNSUPPORTED = 8;

/** What a file is called in words for people: a name may hold anything. */
const shown = (path: string): string => plainText(path, MAX_SHOWN_CHARS);

export const isEndOfFile = (cause: unknown): boolean => codeOf(cause) === END_OF_FILE;

/** The SFTP server said so, and not the library. */
export const isServersWord = (cause: unknown): boolean => typeof codeOf(cause) === 'number';

/** Why nothing can be asked about this path; null: it can. */
export function nameProblem(path: string): Problem | null {
  const because = unusable(path);
  return because === null
    ? null
    : problem('file-name-unusable', `“${shown(path)}” cannot be asked for: ${because}.`);
}

/** SECURITY: a server in C would end the name at a NUL, and what the library cannot spell would name another file. */
function unusable(path: string): string | null {
  if (path === '') return 'it is empty';
  if (path.includes('\0')) return 'there is a NUL in it';
  return hasUsableName(path) ? null : 'it is no UTF-8';
}

/** ssh2 reads and writes names as UTF-8 and puts a U+FFFD for each byte that is none: what it stood for is lost. */
export function hasUsableName(name: string): boolean {
  return !/\uFFFD|[\uD800-\uDFFF]/u.test(name);
}

export function exists(path: string): Problem {
  return problem('file-exists', `“${shown(path)}” is there already.`);
}

/** What the SFTP server said about a path. Version 3 has one word, "Failure", for a full disk, a quota, a name in use and more. */
export function fileProblem(cause: Error, path: string): Problem {
  const detail = { detail: plainText(cause.message, MAX_DETAIL_CHARS) };
  switch (codeOf(cause)) {
    case NO_SUCH_FILE:
      return problem('no-such-file', `“${shown(path)}” is not on the box.`, detail);
    case PERMISSION_DENIED:
      return problem('file-denied', `The box does not allow this for “${shown(path)}”.`, detail);
    case UNSUPPORTED:
      return problem('file-failed', 'The box’s SFTP server does not know how to do this.', detail);
    default:
      return problem('file-failed', `The box could not do this for “${shown(path)}”.`, detail);
  }
}

function codeOf(cause: unknown): unknown {
  return (cause as { code?: unknown } | null | undefined)?.code;
}
