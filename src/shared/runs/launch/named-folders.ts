import type { Steps } from '../../steps.ts';
import { firstWord } from './job-script.ts';
import type { RunRequest } from './run-request.ts';

/** Each is a few questions to the box, which asks them side by side. */
export const MAX_NAMED = 8;
const MAX_CHARS = 1000;

/** Lists of folders that hold programs, and no data. */
const LISTS = /(?:^|_)(?:PATH|MANPATH|PYTHONPATH)$/;
/** Of an address, and of what a shell would make something else of. */
const NO_PATH = /:\/\/|[$`*?<>|;&(){}[\]\\\t\n\r\0]/;

/** Ten thousand cells are some steps. */
const COMMANDS_A_STEP = 200;

/**
 * What a request names that may be a folder of data: words of its commands and values of its environment that are paths, and where its
 * further steps fetch into. Of many cells what most of them name comes first. What it really is only the box knows.
 */
export function* namedFolders(
  { env, folder, results, copy, fetch = [] }: RunRequest,
  commands: readonly string[],
): Steps<readonly string[]> {
  const others = new Set([folder, results, copy?.to, fetch[0]?.into, '/', '/dev/null']);
  const named = new Map<string, number>();
  const count = (path: string, times: number): void => {
    if (path.length > MAX_CHARS || others.has(path)) return;
    named.set(path, (named.get(path) ?? 0) + times);
  };
  for (const { into } of fetch.slice(1)) count(tidy(into), Infinity);
  for (const [at, command] of commands.entries()) {
    // A program is no data, also where it is named by its whole path.
    const program = firstWord(command);
    const words = command.slice(0, 20_000).split(/\s+/).map(bare).map(afterSign).filter(isPath);
    for (const path of new Set(words.map(tidy))) if (path !== program) count(path, 1);
    if (at % COMMANDS_A_STEP === COMMANDS_A_STEP - 1) yield undefined;
  }
  for (const [name, value] of Object.entries(env)) {
    if (!LISTS.test(name) && isPath(value)) count(tidy(value), commands.length);
  }
  const most = [...named].sort(([, one], [, other]) => (one === other ? 0 : other - one));
  return most.slice(0, MAX_NAMED).map(([path]) => path);
}

const tidy = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') : path);

/** Without the quotes around it. */
const bare = (word: string): string => /^(["'])(.*)\1$/.exec(word)?.[2] ?? word;

/** Of `--data=/x` and `DATA=/x` what stands behind the sign. */
const afterSign = (word: string): string => bare(/^[\w.-]+=(.*)$/.exec(word)?.[1] ?? word);

const isPath = (word: string): boolean =>
  /^(?:~|\.{1,2})?\/|^[\w@%+,.-]+\//.test(word) && !NO_PATH.test(word);
