import { firstWord } from './job-script.ts';
import type { RunRequest } from './run-request.ts';

/** Each is a few questions to the box, which asks them side by side. */
export const MAX_NAMED = 8;
const MAX_CHARS = 1000;

/** Lists of folders that hold programs, and no data. */
const LISTS = /(?:^|_)(?:PATH|MANPATH|PYTHONPATH)$/;
/** Of an address, and of what a shell would make something else of. */
const NO_PATH = /:\/\/|[$`*?<>|;&(){}[\]\\\t\n\r\0]/;

/**
 * What a request names that may be a folder of data: words of its command and values of its environment that are paths, and where its
 * further steps fetch into. What they really are only the box knows.
 */
export function namedFolders(request: RunRequest): readonly string[] {
  const { command, env, folder, results, copy, fetch = [] } = request;
  const words = command.slice(0, 20_000).split(/\s+/).map(bare);
  // A program is no data, also where it is named by its whole path.
  const program = firstWord(command);
  const values = Object.entries(env).flatMap(([name, value]) => (LISTS.test(name) ? [] : [value]));
  const others = new Set([folder, results, copy?.to, fetch[0]?.into, program, '/', '/dev/null']);
  const found = [
    ...fetch.slice(1).map(({ into }) => into),
    ...[...words.map(afterSign), ...values].filter(isPath),
  ].map((path) => (path.length > 1 ? path.replace(/\/+$/, '') : path));
  const own = (path: string): boolean => path.length <= MAX_CHARS && !others.has(path);
  return [...new Set(found)].filter(own).slice(0, MAX_NAMED);
}

/** Without the quotes around it. */
const bare = (word: string): string => /^(["'])(.*)\1$/.exec(word)?.[2] ?? word;

/** Of `--data=/x` and `DATA=/x` what stands behind the sign. */
const afterSign = (word: string): string => bare(/^[\w.-]+=(.*)$/.exec(word)?.[1] ?? word);

const isPath = (word: string): boolean =>
  /^(?:~|\.{1,2})?\/|^[\w@%+,.-]+\//.test(word) && !NO_PATH.test(word);
