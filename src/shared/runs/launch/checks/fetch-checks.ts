import { plainLine } from '../../../questions/hostile-text.ts';
import type { RunPreflight } from '../run-preflight.ts';
import type { RunRequest } from '../run-request.ts';
import { commandsIn, program, shown, type Command } from '../shell-commands.ts';
import { block, listWords, MAX_SHOWN_CHARS, pass, unknown, warn, type Judged } from './judged.ts';

/** What begins anew after a cut, and the form that goes on. `goesOn`: options with which it already does. */
interface Fetcher {
  readonly is: RegExp;
  readonly goesOn: RegExp;
  /** Null: nothing of it goes on. */
  readonly better: string | null;
}

const CURL_GOES_ON = /\s(?:-[a-zA-Z]*C(?![a-zA-Z])|--continue-at\b)/;
/** A server that is asked for what follows a whole file answers with an error (HTTP 416). */
const CURL_FAILS = /\s(?:-[a-zA-Z]*f|--fail\b|--fail-with-body\b)/;
/** What goes on with the next file, and begins again the one that was cut off. */
const BY_FILES = /^(?:(?:hf|huggingface-cli)\s+download|aws\s(?:.*\s)?s3\s+sync)\b/;

/** `is`: at the beginning of a command, as `program` leaves it. */
const FETCHERS: readonly Fetcher[] = [
  {
    is: /^wget(?=\s|$)/,
    // In one word with others, of which some have two letters (-nc is no such option: what was cut off counts as there), and none takes a value.
    goesOn: /\s(?:-(?:n[a-zA-Z]|[46bdEFhHkKLmNpqrSvVx])*c[a-zA-Z]*(?![\w-])|--continue\b)/,
    better: 'wget -c',
  },
  // Not "curl -C -", which fails once the file is whole.
  { is: /^curl(?=\s|$)/, goesOn: CURL_GOES_ON, better: 'wget -c' },
  {
    is: /^aws\s(?:.*\s)?s3\s+(?:cp|mv)\s(?=.*--recursive\b)/,
    goesOn: /(?!)/,
    better: 'aws s3 sync',
  },
  // Not "aws s3 sync", which takes folders: of one file it brings nothing, and ends well.
  { is: /^aws\s(?:.*\s)?s3\s+(?:cp|mv)\b/, goesOn: /(?!)/, better: null },
  { is: /^scp(?=\s|$)/, goesOn: /(?!)/, better: 'rsync --partial' },
  {
    is: /^rsync(?=\s|$)/,
    // -e, -f, -B, -M and -T take what follows for their value.
    goesOn: /\s(?:--partial(?:-dir)?\b|--append(?:-verify)?\b|-[AC-LN-SU-Za-dg-z]*P)/,
    better: 'rsync --partial',
  },
];

/** A download that was cut off should go on where it stopped: data is large, and lines break (GEN3). */
export function judgeFetch({ fetch = [] }: Pick<RunRequest, 'fetch'>): Judged | null {
  if (fetch.length === 0) return null;
  const anew = fetch.flatMap(({ run }) =>
    commandsIn(run).flatMap(({ said }) =>
      FETCHERS.filter(({ is, goesOn }) => is.test(program(said)) && !goesOn.test(said))
        .slice(0, 1)
        .map(({ better }) => ({ command: shown(said), better })),
    ),
  );
  const told = listWords(anew.map(({ command }) => command));
  const better = [...new Set(anew.flatMap((each) => each.better ?? []))].map((name) => `“${name}”`);
  const instead = better.length === 0 ? '' : ` Write ${listWords(better)}, which goes on.`;
  const begins = `After a cut, ${told} ${anew.length === 1 ? 'begins' : 'begin'} from the start.${instead}`;
  const whole = fetch.flatMap(({ run }) => failingOnWhole(commandsIn(run)));
  const fails = `Once its file is whole, ${listWords(whole)} fails (HTTP 416), so that a run that is resumed does not begin. Write “wget -c”, or put “[ -e <file> ] ||” in front.`;
  const warnings = [...(anew.length > 0 ? [begins] : []), ...(whole.length > 0 ? [fails] : [])];
  if (warnings.length > 0) return warn(warnings.join(' '), 'GEN3');
  const byFiles = fetch.flatMap(({ run }) =>
    commandsIn(run).flatMap(({ said }) => (BY_FILES.test(program(said)) ? [shown(said)] : [])),
  );
  return byFiles.length === 0
    ? pass('Nothing is seen that would begin a download again.', 'GEN3')
    : pass(
        `After a cut, ${listWords(byFiles)} ${byFiles.length === 1 ? 'goes' : 'go'} on with what is not there whole. A file that was cut off may begin again, and what there was of it may stay beside it.`,
        'GEN3',
      );
}

/** Where nothing in front of it asks whether the file is there. */
function failingOnWhole(commands: readonly Command[]): readonly string[] {
  return commands.flatMap(({ said }, at) => {
    const command = program(said);
    const isAsked = at > 0 && commands[at - 1]?.then === '||';
    return /^curl\s/.test(command) &&
      CURL_GOES_ON.test(command) &&
      CURL_FAILS.test(command) &&
      !isAsked
      ? [shown(said)]
      : [];
  });
}

/** What downloads, by its name: other words of a line may be anything. */
const DOWNLOADERS =
  /^(?:hf|huggingface-cli|aws|s5cmd|rclone|gsutil|gcloud|azcopy|wget|curl|aria2c|rsync|scp|kaggle|git)(?=\s|$)/;
/** Whether a command begins with such a program. */
export const downloads = (command: string): boolean => DOWNLOADERS.test(program(command));
/** A line that may bring its program along or put it on the PATH, or that chooses and so may do without it. */
const BRINGS_ITS_OWN = new RegExp(
  [
    String.raw`\binstall\b|\bPATH\+?=|\b(?:module|ml|spack)\s|\b(?:conda|mamba|micromamba)\s+activate\b|\beval\b`,
    String.raw`\bcommand\s+-v\b|\bwhich\b|\|\|`,
    // Words of the shell where a command begins, also in a text that another shell is handed. Blanks of one line, as of `IS_STRICT`.
    String.raw`(?:^|[;&|\n({'"])[^\S\n]*(?:if|case|while|until|type|hash|test|\[\[?|source|\.)\s`,
  ].join('|'),
);

/** The programs that the steps download with. */
export function fetchPrograms({ fetch = [] }: Pick<RunRequest, 'fetch'>): readonly string[] {
  const found = fetch.flatMap(({ run }) =>
    commandsIn(run).flatMap(({ said }) => DOWNLOADERS.exec(program(said)) ?? []),
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

/** What a word closes that stands behind a command, and that ends as this command did. */
const CLOSES = /^(?:(?:fi|else|elif|esac)(?:\s|$)|[)}])/;
/** Blanks of one line: each line end begins anew, and blank lines would be looked over from each of them. */
const IS_STRICT = /(?:^|[;&\n'"])[^\S\n]*set\s+-[a-z]*e/;

/** Why nobody would hear of it if the command with this number failed, by what to write; null: somebody would. */
function unheard(commands: readonly Command[], at: number, isStrict: boolean): string | null {
  let last = at;
  while (commands[last]?.then === '$(' || commands[last]?.then === '`') last += 1;
  if (commands[last]?.then === '|') return 'put “set -o pipefail;” in front';
  while (/^(?:&&|\||\$\(|`)$/.test(commands[last]?.then ?? '')) last += 1;
  const then = commands[last]?.then ?? '';
  if (then === '&') return 'do not send it into the background';
  if ((then !== ';' && then !== '\n') || isStrict) return null;
  let place = last + 1;
  while (/^(?:#|$)/.test(commands[place]?.said ?? '-')) place += 1;
  const next = commands[place];
  const isCase =
    then === ';' && commands[last + 1]?.said === '' && commands[last + 1]?.then === ';';
  return next === undefined || isCase || CLOSES.test(next.said)
    ? null
    : 'write “|| exit 1” behind it';
}

/** Of several commands of a step the last one says whether it went well: without its data the run would begin all the same. */
export function judgeFetchFailures({ fetch = [] }: Pick<RunRequest, 'fetch'>): Judged | null {
  const found = fetch.flatMap(({ run }) => {
    // Whoever asks for the exit code decides by it.
    if (run.includes('$?')) return [];
    const commands = commandsIn(run);
    const has = { strict: IS_STRICT.test(run), pipefail: /\bpipefail\b/.test(run) };
    return commands.flatMap(({ said, then }, at) => {
      if (!downloads(said) || (then === '|' && has.pipefail)) return [];
      const advice =
        /^curl\s/.test(program(said)) && !CURL_FAILS.test(said)
          ? 'give curl the option “-f”, without which an error page counts as the file'
          : unheard(commands, at, has.strict);
      return advice === null ? [] : [{ said: shown(said), advice }];
    });
  });
  if (found.length === 0) return null;
  const told = listWords(found.map(({ said }) => said));
  const advice = listWords([...new Set(found.map((each) => each.advice))]);
  return warn(
    `The step goes on where ${told} ${found.length === 1 ? 'fails' : 'fail'}, and the run begins without that data: ${advice}.`,
  );
}

const NAMES_A_FILE = /^aws\s(?:.*\s)?s3\s+sync\s+["']?s3:\/\/\S*\/[^\s/"']+\.[a-z]\w{1,11}["']?\s/;

/** Downloads that end well and leave nothing in the folder of their step. */
export function judgeFetchPlaces({ fetch = [] }: Pick<RunRequest, 'fetch'>): Judged | null {
  const found = fetch.flatMap(({ into, run }) =>
    commandsIn(run).flatMap(({ said }) => {
      const command = program(said);
      if (/^(?:hf|huggingface-cli)\s+download\s/.test(command)) {
        return /\s--(?:local|cache)-dir\b/.test(command)
          ? []
          : [
              `${shown(said)} saves into the cache of Hugging Face, not into ${plainLine(into, MAX_SHOWN_CHARS / 2)}; with “--local-dir .” it does`,
            ];
      }
      return !NAMES_A_FILE.test(command)
        ? []
        : [
            `${shown(said)} fetches nothing if that is a file: “aws s3 sync” takes folders. Name its folder, with “--exclude '*' --include” and its name`,
          ];
    }),
  );
  return found.length === 0 ? null : warn(`${found.join('. ')}.`);
}
