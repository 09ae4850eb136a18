import { plainText } from '../../questions/hostile-text.ts';
import type { Problem } from '../../problem.ts';
import type { Result } from '../../result.ts';
import { describeEndpoint } from '../../tunnels/describe-endpoint.ts';
import type { Endpoint } from '../../tunnels/tunnel.ts';
import { isNoCommands } from './no-commands.ts';
import { parseLook, type LookOutput } from './look.ts';
import { flavourReport } from './report-schema.ts';
import type { CommandWay, Fact, FlavourReport, NamedFact } from './report.ts';

/** What a box answered when it was asked. Everything in it that is text is the box's own. */
export interface FlavourAnswers {
  readonly look: Result<
    { readonly stdout: string; readonly code: number | null; readonly noise?: string },
    Problem
  >;
  readonly sftp: Result<null, Problem>;
  /** Of tunnels, in the order of asking: to a port of the box where nothing listens, and to others where that was refused. */
  readonly tunnels: readonly TunnelAnswer[];
  readonly banner: string | null;
}

export interface TunnelAnswer {
  readonly target: Endpoint;
  readonly answer: Result<null, Problem>;
}

const MAX_CLUE_CHARS = 400;

/** Pure: the same answers give the same report. `gateway`: the entry about a host that is known to open terminals alone; null: it is not known for that. */
export function judgeFlavour(
  { look, sftp, tunnels, banner }: FlavourAnswers,
  gateway: string | null,
  atMs: number,
): FlavourReport {
  const seen = look.ok && look.value.code === 0 ? parseLook(look.value.stdout) : null;
  const commandWay = look.ok ? 'run' : judgeCommandWay(look.error, gateway);
  const whyNot = look.ok ? 'the answer could not be read' : look.error.message;
  return flavourReport.parse({
    atMs,
    gateway,
    commandWay,
    commands: judgeCommands(look, commandWay),
    forcedCommand: judgeForced(seen, whyNot),
    loginShell: judgeLoginShell(seen, whyNot),
    bash: judgeBash(seen, whyNot),
    tools: judgeTools(seen, whyNot),
    noise: look.ok ? judgeNoise(look.value.noise) : unknown(whyNot),
    sftp: judgeSftp(sftp),
    isSftpBroken: !sftp.ok && sftp.error.code === 'sftp-garbled',
    tunnels: judgeTunnels(tunnels),
    areTunnelsLimited: tunnels.some(isAllowed) && tunnels.some(isForbidden),
    banner:
      banner === null
        ? no('It showed none at login.')
        : yes(quote(banner, 'It showed one without any letters.')),
    terminals: unknown('None was opened since. Open one to know.'),
  });
}

/** Words of login shells, wrappers and gateways, as they refuse a command. The first that fits decides. */
const WORDS: readonly (readonly [RegExp, CommandWay])[] = [
  [/\brestricted\b|\b(?:rbash|rssh|lshell|rksh)\b/i, 'restricted'],
  [/\baccount is (?:currently )?not available\b|\bnologin\b/i, 'closed'],
  [/\b(?:pty|tty|pseudo-?terminal|interactive (?:shell|session|terminal))\b/i, 'terminal-only'],
  [/is not recognized as/i, 'not-posix'],
  [/\bsh: (?:command )?not found|\bUnknown command:? '?sh\b/i, 'restricted'],
];

function judgeCommandWay(reason: Problem, gateway: string | null): CommandWay {
  const { code, detail = '' } = reason;
  if (!isNoCommands(reason)) return 'unknown';
  if (gateway !== null) return 'terminal-only';
  if (code === 'exec-refused') return 'refused';
  return WORDS.find(([words]) => words.test(detail))?.[1] ?? 'replaced';
}

function judgeCommands(look: FlavourAnswers['look'], way: CommandWay): Fact {
  if (look.ok) return yes('It ran one and answered.');
  const { message, detail = '' } = look.error;
  if (way === 'unknown') return unknown(message);
  return no(quote(detail, message));
}

function judgeForced(seen: LookOutput | null, whyNot: string): Fact {
  if (seen === null || seen.forced === null) return unknown(whyNot);
  return seen.forced === 'yes'
    ? yes('SSH_ORIGINAL_COMMAND is set on the box.')
    : no('SSH_ORIGINAL_COMMAND is not set on the box.');
}

function judgeLoginShell(seen: LookOutput | null, whyNot: string): NamedFact {
  if (seen === null) return unknown(whyNot);
  if (seen.shell === null) return unknown('The box does not say which it is.');
  const name = seen.shell.split('/').at(-1) ?? '';
  if (name === '' || name.length > 40) return unknown('The box does not say which it is.');
  return { answer: 'named', name, clue: `SHELL is ${seen.shell} there.` };
}

function judgeBash(seen: LookOutput | null, whyNot: string): Fact {
  if (seen === null || seen.bash === null) return unknown(whyNot);
  return seen.bash === 'yes' ? yes('bash is in PATH.') : no('No bash is in PATH.');
}

/** By the first line of `ls --help`. */
const TOOLS: readonly (readonly [RegExp, string])[] = [
  [/busybox/i, 'BusyBox'],
  [/toybox/i, 'toybox'],
  [/^Usage: .*\bls \[OPTION\]/, 'GNU'],
  [/(?:illegal|unrecognized|invalid) option/i, 'BSD'],
];

function judgeTools(seen: LookOutput | null, whyNot: string): NamedFact {
  if (seen === null) return unknown(whyNot);
  const line = plainText(seen.tools ?? '', 120);
  if (line === '') return unknown('ls --help printed nothing.');
  const name = TOOLS.find(([words]) => words.test(line))?.[1] ?? null;
  if (name === null) return unknown(`ls --help begins with a line that is not known here: ${line}`);
  return { answer: 'named', name, clue: `ls --help begins: ${line}` };
}

function judgeNoise(noise: string | undefined): Fact {
  if (noise === undefined) return no('Nothing was printed around the answer of a command.');
  return yes(quote(noise, 'Empty lines, or characters that cannot be shown.'));
}

function judgeSftp(sftp: Result<null, Problem>): Fact {
  if (sftp.ok) return yes('Its SFTP server answered.');
  const { code, message, detail = '' } = sftp.error;
  if (code === 'sftp-refused' || code === 'sftp-garbled') return no(quote(detail, message));
  return unknown(message);
}

/** Where nothing listens, "nobody answers there" says that the server did try. */
function isAllowed({ answer }: TunnelAnswer): boolean {
  return answer.ok || answer.error.code === 'target-refused';
}

function isForbidden({ answer }: TunnelAnswer): boolean {
  return !answer.ok && answer.error.code === 'forward-refused';
}

function judgeTunnels(tunnels: readonly TunnelAnswer[]): Fact {
  const allowed = tunnels.filter(isAllowed);
  const forbidden = tunnels.filter(isForbidden);
  if (allowed.length > 0) {
    const tried = `It tried to reach ${placesOf(allowed)} when asked`;
    const refused = forbidden.length === 0 ? '' : `, and refused ${placesOf(forbidden)}`;
    return yes(quote(`${tried}${refused}.`, tried));
  }
  const [first] = forbidden;
  // One port that nobody knows about may be the one that is allowed.
  if (first !== undefined && !first.answer.ok && forbidden.length === tunnels.length) {
    const { message, detail = '' } = first.answer.error;
    return no(quote(`It refused ${placesOf(forbidden)}: ${detail}`, message));
  }
  const failed = tunnels.find(({ answer }) => !answer.ok);
  return unknown(failed?.answer.ok === false ? failed.answer.error.message : 'It was not asked.');
}

function placesOf(tunnels: readonly TunnelAnswer[]): string {
  return tunnels.map(({ target }) => describeEndpoint(target)).join(', ');
}

/** A stranger's text, bounded, and in words of ours where it shows nothing. */
function quote(text: string, otherwise: string): string {
  const plain = plainText(text, MAX_CLUE_CHARS);
  return plain === '' ? otherwise : plain;
}

function yes(clue: string): { readonly answer: 'yes'; readonly clue: string } {
  return { answer: 'yes', clue };
}

function no(clue: string): { readonly answer: 'no'; readonly clue: string } {
  return { answer: 'no', clue };
}

function unknown(because: string): { readonly answer: 'unknown'; readonly because: string } {
  return { answer: 'unknown', because };
}
