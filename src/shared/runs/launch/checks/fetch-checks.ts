import { plainLine } from '../../../questions/hostile-text.ts';
import type { RunPreflight } from '../run-preflight.ts';
import type { RunRequest } from '../run-request.ts';
import { block, listWords, MAX_SHOWN_CHARS, pass, unknown, warn, type Judged } from './judged.ts';

/** What begins anew after a cut, and the form that goes on. `goesOn`: options with which it already does. */
interface Fetcher {
  readonly is: RegExp;
  readonly goesOn: RegExp;
  readonly better: string;
}

/** `is`: at the beginning of a command, as `program` leaves it. */
const FETCHERS: readonly Fetcher[] = [
  {
    is: /^wget(?=\s|$)/,
    // In one word with others, of which some have two letters (-nc is no such option: what was cut off counts as there), and none takes a value.
    goesOn: /\s(?:-(?:n[a-zA-Z]|[46bdEFhHkKLmNpqrSvVx])*c[a-zA-Z]*(?![\w-])|--continue\b)/,
    better: 'wget -c',
  },
  { is: /^curl(?=\s|$)/, goesOn: /\s(?:-[a-zA-Z]*C\b|--continue-at\b)/, better: 'curl -C -' },
  { is: /^aws\s+s3\s+(?:cp|mv)\b/, goesOn: /(?!)/, better: 'aws s3 sync' },
  { is: /^scp(?=\s|$)/, goesOn: /(?!)/, better: 'rsync --partial' },
  {
    is: /^rsync(?=\s|$)/,
    // -e, -f, -B, -M and -T take what follows for their value.
    goesOn: /\s(?:--partial(?:-dir)?\b|--append(?:-verify)?\b|-[AC-LN-SU-Za-dg-z]*P)/,
    better: 'rsync --partial',
  },
];

/** A word, quoted or not, a redirection, or what stands between two commands. */
const WORDS = /'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]|[<>]&|&>|(&&|\|\||[;|&\n]|\$\(|`)|[^]/g;

/** The commands of a line of a shell, also those that another shell is handed as a text. */
function commandsIn(line: string): readonly string[] {
  const commands: string[] = [''];
  for (const [word, between] of line.matchAll(WORDS)) {
    if (between === undefined) commands.push(`${commands.pop() ?? ''}${word}`);
    else commands.push('');
  }
  return commands.flatMap((command) => {
    const said = command.trim();
    const [, single, double] = HANDED.exec(said) ?? [];
    const handed = single ?? double;
    return handed === undefined ? [said] : commandsIn(handed);
  });
}

/** `bash -c '…'` */
const HANDED = /^(?:\S*\/)?(?:ba|da|z)?sh\s+-[a-z]*c\s+(?:'([^']*)'|"((?:[^"\\]|\\[^])*)")/;

/** What may stand before a program. `command -v wget` asks where it is, and runs nothing. */
const BEFORE =
  /^(?:(?:[A-Za-z_]\w*=\S*|sudo|env|time|nohup|nice|exec|xargs|timeout|if|while|until|then|do|else|[!({]|-\S+|\d+\w*)\s+)*(?:[\w.~-]*\/)*/;
const program = (command: string): string => command.replace(BEFORE, '');

/** A download that was cut off should go on where it stopped: data is large, and lines break (GEN3). */
export function judgeFetch({ fetch = [] }: Pick<RunRequest, 'fetch'>): Judged | null {
  if (fetch.length === 0) return null;
  const anew = fetch.flatMap(({ run }) =>
    commandsIn(run).flatMap((command) =>
      FETCHERS.filter(({ is, goesOn }) => is.test(program(command)) && !goesOn.test(command))
        .slice(0, 1)
        .map(({ better }) => ({ command: plainLine(command, MAX_SHOWN_CHARS / 2), better })),
    ),
  );
  const [first] = anew;
  if (first === undefined)
    return pass('Nothing is seen that would begin a download again.', 'GEN3');
  const told = listWords(anew.map(({ command }) => `“${command}”`));
  const better = listWords([...new Set(anew.map((each) => `“${each.better}”`))]);
  return warn(
    `After a cut, ${told} ${anew.length === 1 ? 'begins' : 'begin'} from the start. Write ${better}, which goes on.`,
    'GEN3',
  );
}

/** What downloads, by its name: other words of a line may be anything. */
const DOWNLOADERS =
  /^(?:hf|huggingface-cli|aws|s5cmd|rclone|gsutil|gcloud|azcopy|wget|curl|aria2c|rsync|scp|kaggle|git)(?=\s|$)/;
/** A line that may bring its program along or put it on the PATH, or that chooses and so may do without it. */
const BRINGS_ITS_OWN = new RegExp(
  [
    String.raw`\binstall\b|\bPATH\+?=|\b(?:module|ml|spack)\s|\b(?:conda|mamba|micromamba)\s+activate\b|\beval\b`,
    String.raw`\bcommand\s+-v\b|\bwhich\b|\|\|`,
    // Words of the shell where a command begins, also in a text that another shell is handed.
    String.raw`(?:^|[;&|\n({'"])\s*(?:if|case|while|until|type|hash|test|\[\[?|source|\.)\s`,
  ].join('|'),
);

/** The programs that the steps download with. */
export function fetchPrograms({ fetch = [] }: Pick<RunRequest, 'fetch'>): readonly string[] {
  const found = fetch.flatMap(({ run }) =>
    commandsIn(run).flatMap((command) => DOWNLOADERS.exec(program(command)) ?? []),
  );
  return [...new Set(found)];
}

/** Without its program a step fails, and the run with it: after the plan, the push and the start. */
export function judgeFetchPrograms(
  request: Pick<RunRequest, 'fetch'>,
  { programs }: Pick<RunPreflight, 'programs'>,
): Judged | null {
  const wanted = fetchPrograms(request);
  if (wanted.length === 0) return null;
  const missing = wanted.filter((name) => programs.get(name) === false);
  const names = listWords(missing);
  if (missing.length > 0) {
    return request.fetch?.some(({ run }) => BRINGS_ITS_OWN.test(run)) === true
      ? unknown(`The box has no ${names}; whether a step brings or replaces it is not known.`)
      : block(`The box has no ${names}, which a download needs.`, null, 'that step fails.');
  }
  const untold = wanted.filter((name) => !programs.has(name));
  return untold.length > 0
    ? unknown(`Whether the box has ${listWords(untold)} is not known.`)
    : pass(`The box has ${listWords(wanted)}.`);
}
