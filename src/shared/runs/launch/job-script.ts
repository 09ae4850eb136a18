import { plainLine } from '../../questions/hostile-text.ts';
import { usualSecretPath } from '../../secrets/sent-secret.ts';
import { shellWord } from '../../shell-word.ts';
import type { FetchStep, RunRequest } from './run-request.ts';
import { threadLines } from './thread-caps.ts';

/** What the script begins with beside the request. */
export interface JobSetup {
  /** Of the profile of the platform, line by line. */
  readonly lines: readonly string[];
  readonly of: string;
}

/**
 * The very script that the box runs. No `set -e`: it ends as the command does. A person may run it by hand, which does the same
 * without a keeper.
 */
export function jobScript(
  request: RunRequest,
  setup: JobSetup | null = null,
  threads: number | null = null,
): string {
  const { name, command, folder, activate, env, fetch = [], smoke, secrets = [] } = request;
  return [
    `# ${plainLine(name, 80)}`,
    '# Written by Leasehold, and run once by a login shell. What the run prints is in the file "log" beside this.',
    // By the shell alone, whose PATH may be anything by now, and over "set -C".
    `[ ! -s "\${0%/*}/unread" ] || printf '' >|"\${0%/*}/unread"`,
    '',
    '# Asked to end, this waits for the command that runs right now, and goes on with no other.',
    "trap 'exit 143' TERM",
    '# Python prints each line at once, and not in blocks (U43).',
    'export PYTHONUNBUFFERED=1',
    ...(setup === null
      ? []
      : [`# From the profile of ${plainLine(setup.of, 80)}.`, ...setup.lines]),
    ...exportsOf(env),
    ...secrets.flatMap(secretLines),
    `cd -- ${boxWord(folder)} || exit 1`,
    ...(activate === null ? [] : [`${activate} || exit 1`]),
    ...(threads === null ? [] : threadLines(threads)),
    ...(fetch.length === 0 ? [] : NOTE_FETCH),
    ...fetch.flatMap(fetchLines),
    ...(smoke === undefined ? [] : smokeLines(smoke)),
    '',
    command,
    '',
  ].join('\n');
}

/** The value stands in the file alone: neither here, nor in what a process list shows (U34). */
function secretLines(name: string): readonly string[] {
  const file = boxWord(usualSecretPath(name));
  return [
    `${name}=$(cat -- ${file}) && [ -n "$${name}" ] || { printf '%s\\n' 'The secret ${name} is not on the box.'; exit 1; }`,
    `export ${name}`,
  ];
}

/** By the files that are open there: what another session writes and closes in between shows nowhere. */
const OTHERS_WRITE = [
  '',
  '# Whether a program of another session has a file open for writing in this folder.',
  'session_of() { sed "s/.*) //" "/proc/$1/stat" 2>/dev/null | cut -d " " -f 4; }',
  'others_write() {',
  '  own=$(session_of "$$")',
  "  for other in $(ls -l /proc/[0-9]*/fd 2>/dev/null | into=$(pwd -P)/ awk '",
  '    /^\\/proc\\// { split($0, part, "/"); pid = part[3]; next }',
  '    /^l.w/ && (at = index($0, " -> ")) && index(substr($0, at + 4), ENVIRON["into"]) == 1 { print pid }',
  "  '); do",
  '    case $(session_of "$other") in "$own" | "") ;; *) return 0 ;; esac',
  '  done',
  '  return 1',
  '}',
  '',
  '# Whether another user may have one open there unseen: only root sees those of others, and in a container not even root may.',
  'others_unseen() {',
  '  me=$(id -u)',
  '  set -- $(ls -ldn .)',
  '  case $1 in',
  '    ????????w* | *+) ;;',
  // A group that is called as its user has nobody else in it.
  '    ?????w*) [ "$3 $4 $(id -gn)" != "$me $(id -g) $(id -un)" ] || return 1 ;;',
  '    *) [ "$3" != "$me" ] || return 1 ;;',
  '  esac',
  '  [ "$me" != 0 ] || LC_ALL=C ls /proc/[0-9]*/fd 2>&1 >/dev/null | grep -q "Permission denied"',
  '}',
];

/**
 * By the clock of the disk that it goes to, whose files are compared with it: a file that is made there, under a name of this run alone, and moved.
 * It waits until that clock has gone on, and where it cannot note anything, what was fetched is listed among the results. It never fails.
 */
const NOTE_FETCH = [
  ...OTHERS_WRITE,
  '',
  '# Notes in the run folder when a download began and ended: what came there in between is data, and no result.',
  'note_fetch() {',
  '  case $0 in /*/job.sh) ;; *) return 0 ;; esac',
  '  (',
  '    run=${0%/*}',
  '    note=.leasehold-fetch-${run##*/}',
  '    cd -- "$1" || exit',
  '    if others_write; then',
  "      printf '%s\\n' 'Another program writes into this folder, so what is downloaded is listed with what the run leaves.'",
  '      exit 0',
  '    fi',
  '    if others_unseen; then',
  "      printf '%s\\n' 'Other users may write into this folder unseen, so what is downloaded is listed with what the run leaves.'",
  '      exit 0',
  '    fi',
  '    pwd -P >"$note" && mv -f "$note" "$run/$2" || {',
  '      rm -f "$note" "$run/$2"',
  '      exit 1',
  '    }',
  '    sleep 0.05 2>/dev/null || sleep 1',
  "  ) || printf '%s\\n' 'This download could not be noted.' || :",
  '}',
];

/**
 * The folder is made in the same step, so that nothing is ever fetched beside it (U13). Nothing stands behind the parentheses, since
 * a step's own `set -e` would count for nothing in front of "||".
 */
function fetchLines({ into, run }: FetchStep, at: number): readonly string[] {
  const place = boxWord(into);
  const number = String(at + 1);
  return [
    '',
    `printf '%s\\n' ${quoted(`Fetching into ${plainLine(into, 200)}`)}`,
    `mkdir -p -- ${place} && note_fetch ${place} fetching-${number} && (`,
    `cd -- ${place} || exit 1`,
    run,
    ')',
    `code=$?; [ "$code" -eq 0 ] || { printf '%s\\n' "This step failed (exit code $code), so the run does not begin."; exit "$code"; }`,
    `note_fetch ${place} fetched-${number}`,
    `[ -n "$(ls -A -- ${place} | head -n 1)" ] || printf '%s\\n' 'Nothing lies there after this step.'`,
  ];
}

function smokeLines(smoke: string): readonly string[] {
  return [
    '',
    "printf '%s\\n' 'Smoke command'",
    '{',
    smoke,
    "} || { code=$?; printf '%s\\n' 'The smoke command failed, so the run does not begin.'; exit \"$code\"; }",
  ];
}

/** What sets the environment of a run, line by line. */
export function exportsOf(env: RunRequest['env']): readonly string[] {
  return Object.entries(env).map(([variable, value]) => `export ${variable}=${quoted(value)}`);
}

/** A path of the request for the shell of the box: "~" is its home folder. */
export function boxWord(path: string): string {
  if (path === '~') return '"$HOME"';
  return path.startsWith('~/') ? `"$HOME"/${quoted(path.slice(2))}` : quoted(path);
}

/** shellWord leaves a "~" in front bare, which the box would read as somebody's home folder. */
function quoted(word: string): string {
  return word.startsWith('~') || word === ''
    ? `'${word.replaceAll("'", String.raw`'\''`)}'`
    : shellWord(word);
}

/** Words that the shell itself reads: what follows them is no program. */
const OF_THE_SHELL =
  /^(?:if|for|while|until|case|select|function|time|then|do|else|elif|in|!|\{|\[\[|coproc)$/;

/** The program that a command begins with; null: that cannot be told without running it. */
export function firstWord(command: string): string | null {
  for (const line of command.split('\n', 50)) {
    const words = line.trim().split(/[ \t]+/, 20);
    if (words[0] === '' || words[0]?.startsWith('#') === true) continue;
    // A value that is one plain word, so that the next word is the program.
    const word = words.find((each) => !/^[A-Za-z_]\w*=[\w@%+=:,./-]*$/.test(each));
    const bare = word?.replace(/[;&|].*$/, '') ?? '';
    return /^[\w@%+:,./-]+$/.test(bare) && !OF_THE_SHELL.test(bare) ? bare : null;
  }
  return null;
}

/** The shell script that a command begins with, whose line ends matter (U26). */
export function scriptOf(command: string): string | null {
  const words = command.trim().split(/\s+/, 3);
  const [word = '', next = ''] = words;
  const path = /^(?:(?:\/usr)?\/bin\/)?(?:ba|z|da)?sh$|^source$|^\.$/.test(word) ? next : word;
  return /^[\w@%+=:,./~-]+\.(?:sh|bash)$/.test(path) ? path : null;
}
