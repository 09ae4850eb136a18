import { splitShellWords } from './shell-words.ts';
import { judgeHost, judgeIdentityFile, judgePort, judgeUser, parsePort } from './ssh-address.ts';
import { parseJumpHost, splitDestination, splitJumpHosts } from './ssh-destination.ts';
import { parseForward, type SshForward } from './ssh-forward.ts';

type SingleField = 'host' | 'port' | 'user';
export type SshField = SingleField | 'identityFile' | 'jumpHost';

/** A part of the command that Leasehold does not take over, and why. */
export interface UnusedPart {
  readonly text: string;
  readonly because: string;
}

export interface SshCommandProblem {
  /** `command`: the text as a whole. */
  readonly field: SshField | 'command';
  readonly message: string;
  /** What was written there; empty for the command as a whole. */
  readonly value: string;
}

/** What a pasted command says about a box. Null: it does not say. */
export interface SshCommand {
  readonly host: string | null;
  readonly port: number | null;
  readonly user: string | null;
  readonly identityFiles: readonly string[];
  readonly certificateFiles: readonly string[];
  readonly isOnlyIdentities: boolean;
  /** From here to there, as written: `user@host:port`. */
  readonly jumpHosts: readonly string[];
  readonly proxyCommand: string | null;
  readonly hostKeyAlias: string | null;
  readonly knownHostsFiles: readonly string[];
  readonly keepaliveEveryS: number | null;
  /** Ports that are to be opened here, each port once. */
  readonly forwards: readonly SshForward[];
  readonly unused: readonly UnusedPart[];
  readonly problems: readonly SshCommandProblem[];
}

/** Longer text is no ssh command, and this runs on every key stroke. */
const MAX_LENGTH = 4000;

// OpenSSH 9's own getopt string, split into flags with and without a value.
const FLAGS_WITH_VALUE = 'BbcDEeFIiJLlmOoPpQRSWw';
const FLAGS_ALONE = '46AaCfGgKkMNnqsTtVvXxYy';

const NOT_USED = 'not used';
/** SECURITY: a pasted line or an imported entry lends nothing; the person does, for one box, where the warning stands. */
export const AGENT_NOT_LENT =
  'not taken over: lend your agent under “Edit connection” if this box needs it';

const BECAUSE: Readonly<Record<string, string>> = {
  R: 'not used: add it in the box’s Tunnels tab',
  D: 'not used: add it in the box’s Tunnels tab',
  userknownhostsfile: 'not used: Leasehold always checks the host key',
  serveraliveinterval: 'not used: Leasehold always watches over the connection',
  stricthostkeychecking: 'not used: Leasehold always checks the host key',
  A: AGENT_NOT_LENT,
  forwardagent: AGENT_NOT_LENT,
};

/** Reads `ssh …` as platforms print it and people paste it. Total: it never throws and never guesses. */
export function parseSshCommand(text: string): SshCommand {
  const reading = new Reading();
  if (text.length > MAX_LENGTH) {
    reading.refuse('This is too long for an ssh command.');
    return reading.result();
  }
  const { words, rest, hasOpenQuote } = splitShellWords(withoutPrompt(text));
  if (hasOpenQuote) {
    reading.refuse('A quote in this command is not closed.');
  }
  readArguments(reading, readProgram(reading, words));
  if (rest !== '') reading.unused.push({ text: rest, because: 'not used: another command' });
  return reading.result();
}

/** The name that a box gets when the person has not given one. */
export function suggestBoxName(host: string, port: number): string {
  return port === 22 ? host : `${host}:${port}`;
}

/** Collects what the command says. As in OpenSSH, the first value of each kind wins. */
class Reading {
  readonly problems: SshCommandProblem[] = [];
  readonly unused: UnusedPart[] = [];
  readonly #forwards: SshForward[] = [];
  readonly #values: Partial<Record<SingleField, string>> = {};
  readonly #options = new Map<string, string>();
  readonly identityFiles: string[] = [];
  readonly certificateFiles: string[] = [];
  #hostName: string | null = null;
  destination: string | null = null;

  set(field: SingleField, value: string, as: string): void {
    if (this.#values[field] === undefined) this.#values[field] = value;
    else if (this.#values[field] !== value) {
      this.unused.push({ text: as, because: 'not used: an earlier part of the command wins' });
    }
  }

  /** For options that may stand only once. `ProxyJump` and `ProxyCommand` exclude each other: one name for both. */
  setOption(name: string, value: string, as: string): void {
    const old = this.#options.get(name);
    if (old === undefined) this.#options.set(name, value);
    else if (old !== value) {
      this.unused.push({ text: as, because: 'not used: an earlier part of the command wins' });
    }
  }

  /** `-o HostName=…` is where the connection goes; the destination was only a label for it. */
  setHostName(value: string): void {
    this.#hostName ??= value;
  }

  forward(value: string, as: string): void {
    const read = parseForward(value);
    if (!read.ok) this.unused.push({ text: as, because: read.error });
    else if (this.#forwards.some(({ listenPort }) => listenPort === read.value.listenPort)) {
      this.unused.push({ text: as, because: 'not used: an earlier forward has this port' });
    } else this.#forwards.push(read.value);
  }

  result(): SshCommand {
    const { port, user } = this.#values;
    const [routeKind = '', routeText = ''] = splitOnce(this.#options.get('route') ?? '');
    const jumpHosts = routeKind === 'jump' ? splitJumpHosts(routeText) : [];
    const isCommand = routeKind === 'command' && !/^none$/i.test(routeText);
    const host = this.#hostName ?? this.#values.host;
    this.#judge('host', host, judgeHost);
    this.#judge('port', port, judgePort);
    this.#judge('user', user, judgeUser);
    for (const file of [...this.identityFiles, ...this.certificateFiles]) {
      this.#judge('identityFile', file, judgeKeyFile(this.certificateFiles.includes(file)));
    }
    for (const jumpHost of jumpHosts) this.#judge('jumpHost', jumpHost, judgeJumpHost);
    return {
      host: host ?? null,
      port: port === undefined ? null : parsePort(port),
      user: user ?? null,
      identityFiles: this.identityFiles,
      certificateFiles: this.certificateFiles,
      isOnlyIdentities: isYes(this.#options.get('identitiesonly')),
      jumpHosts,
      proxyCommand: isCommand ? routeText : null,
      hostKeyAlias: this.#options.get('hostkeyalias') ?? null,
      knownHostsFiles: splitShellWords(this.#options.get('userknownhostsfile') ?? '').words,
      keepaliveEveryS: parseSeconds(this.#options.get('serveraliveinterval')),
      forwards: this.#forwards,
      unused: this.unused,
      problems: this.problems,
    };
  }

  refuse(message: string): void {
    this.problems.push({ field: 'command', message, value: '' });
  }

  #judge(
    field: SshField,
    value: string | undefined,
    judge: (value: string) => string | null,
  ): void {
    const message = value === undefined ? null : judge(value);
    if (message !== null) this.problems.push({ field, message, value: value ?? '' });
  }
}

function splitOnce(text: string): readonly string[] {
  const at = text.indexOf(':');
  return at === -1 ? [] : [text.slice(0, at), text.slice(at + 1)];
}

function judgeJumpHost(text: string): string | null {
  const parsed = parseJumpHost(text);
  return parsed.ok ? null : parsed.error;
}

/** A certificate ends in `.pub` by OpenSSH's own habit; a private key never does. */
function judgeKeyFile(isCertificate: boolean): (path: string) => string | null {
  return (path) => judgeIdentityFile(isCertificate ? path.replace(/\.pub$/, '') : path);
}

function isYes(value: string | undefined): boolean {
  return /^(?:yes|true)$/i.test(value ?? '');
}

/** Null where nothing usable is said; 0 switches it off in OpenSSH, which Leasehold does not do. */
function parseSeconds(value: string | undefined): number | null {
  const seconds = /^\d{1,4}$/.test(value ?? '') ? Number(value) : 0;
  return seconds >= 1 && seconds <= 3600 ? seconds : null;
}

/** `$ ssh …`, `# ssh …` and `user@host:~$ ssh …`, as copied together with the prompt. */
function withoutPrompt(text: string): string {
  return text.trim().replace(/^(?:\S*[$%>#]\s+)(?=\S*ssh(?:\.exe)?\s)/, '');
}

/** Drops what stands before the arguments: the program's name, variables, `sshpass` with its secret. */
function readProgram(reading: Reading, words: readonly string[]): readonly string[] {
  let at = 0;
  while (/^[A-Za-z_]\w*=/.test(words[at] ?? '')) {
    reading.unused.push({ text: `${words[at]?.split('=')[0]}=…`, because: NOT_USED });
    at += 1;
  }
  const program = programName(words[at]);
  if (program === 'sshpass') {
    reading.unused.push({
      text: 'sshpass …',
      because: 'not used: no password is taken from a command',
    });
    const ssh = words.findIndex((word) => programName(word) === 'ssh');
    return ssh === -1 ? [] : words.slice(ssh + 1);
  }
  if (program === 'ssh') return words.slice(at + 1);
  if (program !== null && ['scp', 'sftp', 'rsync', 'mosh'].includes(program)) {
    reading.refuse(`Paste the ssh command; this one is for ${program}.`);
    return [];
  }
  return words.slice(at);
}

function programName(word: string | undefined): string | null {
  return /(?:^|[\\/])([a-z]+)(?:\.exe)?$/i.exec(word ?? '')?.[1]?.toLowerCase() ?? null;
}

function readArguments(reading: Reading, words: readonly string[]): void {
  let hasOptionsEnded = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!hasOptionsEnded && word === '--') {
      hasOptionsEnded = true;
    } else if (!hasOptionsEnded && word.length > 1 && word.startsWith('-')) {
      if (readFlags(reading, word, words[at + 1])) at += 1;
    } else if (reading.destination === null) {
      reading.destination = word;
      readDestination(reading, word);
    } else {
      const because = 'not used: a command to run on the box';
      reading.unused.push({ text: words.slice(at).join(' '), because });
      return;
    }
  }
}

/** One word of flags, such as `-p2222`, `-NfL` or `-tt`. True when the next word was the last flag's value. */
function readFlags(reading: Reading, word: string, next: string | undefined): boolean {
  for (let at = 1; at < word.length; at += 1) {
    const flag = word.charAt(at);
    if (FLAGS_WITH_VALUE.includes(flag)) {
      const attached = word.slice(at + 1);
      const value = attached === '' ? next : attached;
      if (value === undefined) {
        reading.refuse(`The value of -${flag} is missing.`);
      } else {
        readFlag(reading, flag, value);
      }
      return attached === '' && value !== undefined;
    }
    const because = FLAGS_ALONE.includes(flag)
      ? (BECAUSE[flag] ?? NOT_USED)
      : 'not used: not an ssh flag';
    reading.unused.push({ text: `-${flag}`, because });
  }
  return false;
}

function readFlag(reading: Reading, flag: string, value: string): void {
  const as = `-${flag} ${value}`;
  if (flag === 'p') reading.set('port', value, as);
  else if (flag === 'l') reading.set('user', value, as);
  else if (flag === 'i') reading.identityFiles.push(value);
  else if (flag === 'J') reading.setOption('route', `jump:${value}`, as);
  else if (flag === 'L') reading.forward(value, as);
  else if (flag === 'o') readOption(reading, value);
  else reading.unused.push({ text: as, because: BECAUSE[flag] ?? NOT_USED });
}

const SINGLE_OPTIONS = [
  'identitiesonly',
  'hostkeyalias',
  'userknownhostsfile',
  'serveraliveinterval',
];

/** What switches a check off or says nothing: `UserKnownHostsFile=/dev/null`, as rental pages print it. */
function isNothing(value: string): boolean {
  return /^(?:\/dev\/null|none|0|)$/i.test(value.trim());
}

/** `-o Port=22` and `-o "Port 22"`, in any case. */
function readOption(reading: Reading, option: string): void {
  const as = `-o ${option}`;
  // linear-regexp: the last part takes anything, so nothing is tried twice
  const [, name = '', value = ''] = /^\s*(\w+)\s*[=\s]\s*(.*)$/.exec(option) ?? [];
  const key = name.toLowerCase();
  if (key === 'port') reading.set('port', value, as);
  else if (key === 'user') reading.set('user', value, as);
  else if (key === 'identityfile') reading.identityFiles.push(value);
  else if (key === 'certificatefile') reading.certificateFiles.push(value);
  else if (key === 'hostname') reading.setHostName(value);
  else if (key === 'localforward') reading.forward(value.trim().replace(/\s+/, ':'), as);
  else if (key === 'proxyjump') reading.setOption('route', `jump:${value}`, as);
  else if (key === 'proxycommand') reading.setOption('route', `command:${value}`, as);
  else if (SINGLE_OPTIONS.includes(key) && !isNothing(value)) reading.setOption(key, value, as);
  else reading.unused.push({ text: as, because: BECAUSE[key] ?? NOT_USED });
}

function readDestination(reading: Reading, destination: string): void {
  const { host, port, user } = splitDestination(destination);
  if (user !== null) reading.set('user', user, destination);
  reading.set('host', host, destination);
  if (port !== null) reading.set('port', port, destination);
}
