import { expandTokens } from '../ssh-tokens.ts';
import { judgeCondition, type Condition } from './conditions.ts';
import { noteOf, type ConfigEntry, type ConfigNote } from './config-file.ts';
import { judgeKeyword, whyNotUsed } from './keywords.ts';
import type { Section } from './sections.ts';

/** What the config says about one host, unexpanded, as `ssh -G` prints it. Null or empty: nothing. */
export interface ResolvedHost {
  readonly hostName: string | null;
  readonly port: number | null;
  readonly user: string | null;
  readonly identityFiles: readonly string[];
  readonly certificateFiles: readonly string[];
  readonly identitiesOnly: boolean | null;
  /** `none` is kept: it also says that no later one counts. */
  readonly proxyJump: string | null;
  readonly proxyCommand: string | null;
  readonly forwardAgent: boolean | null;
  readonly serverAliveIntervalS: number | null;
  readonly knownHostsFiles: readonly string[] | null;
  readonly hostKeyAlias: string | null;
  readonly notes: readonly ConfigNote[];
}

type Values = { -readonly [K in keyof ResolvedHost]: ResolvedHost[K] };

const MAX_FILES = 20;

/** Finds the sections that can count for a host without asking the thousands that are about other ones. */
export class SectionIndex {
  readonly #sections: readonly Section[];
  readonly #byName = new Map<string, number[]>();
  readonly #others: number[] = [];

  constructor(sections: readonly Section[]) {
    this.#sections = sections;
    for (const [at, { conditions }] of sections.entries()) {
      const names = namesIn(conditions);
      if (names === null) this.#others.push(at);
      for (const name of names ?? []) {
        const known = this.#byName.get(name);
        if (known === undefined) this.#byName.set(name, [at]);
        else known.push(at);
      }
    }
  }

  candidates(host: string): readonly Section[] {
    const at = [...new Set([...(this.#byName.get(host) ?? []), ...this.#others])];
    at.sort((a, b) => a - b);
    return at.flatMap((index) => this.#sections[index] ?? []);
  }
}

/** The only names for which these conditions can hold; null: it takes more than a look. */
function namesIn(conditions: readonly Condition[]): readonly string[] | null {
  for (const condition of conditions) {
    if (condition.kind !== 'host') continue;
    const wanted = condition.patterns.filter(({ isNegated }) => !isNegated);
    const names = wanted.flatMap(({ literal }) => literal ?? []);
    if (names.length === wanted.length) return names;
  }
  return null;
}

/** Goes through the config from top to bottom; the first value of each option wins, files add up. */
export function resolveHost(index: SectionIndex, host: string, localUser: string): ResolvedHost {
  const notes: ConfigNote[] = [];
  const values: Values = {
    hostName: null,
    port: null,
    user: null,
    identityFiles: [],
    certificateFiles: [],
    identitiesOnly: null,
    proxyJump: null,
    proxyCommand: null,
    forwardAgent: null,
    serverAliveIntervalS: null,
    knownHostsFiles: null,
    hostKeyAlias: null,
    notes,
  };
  for (const { conditions, entries } of index.candidates(host)) {
    const subject = {
      originalHost: host,
      host: expandedHostName(values.hostName, host) ?? host,
      user: values.user ?? localUser,
    };
    const answers = conditions.map((condition) => judgeCondition(condition, subject));
    if (answers.includes('no')) continue;
    const unclear = conditions[answers.indexOf('not-understood')];
    if (unclear?.kind === 'match') {
      if (!notes.includes(unclear.note)) notes.push(unclear.note);
      continue;
    }
    for (const entry of entries) {
      const because = applyEntry(values, entry);
      if (because !== null) notes.push(noteOf(entry, because));
    }
  }
  return values;
}

/** `HostName %h.example`; null where nothing is said or a token has no meaning here. */
export function expandedHostName(hostName: string | null, host: string): string | null {
  if (hostName === null) return null;
  const expanded = expandTokens(hostName, { h: host });
  return expanded.ok ? expanded.value : null;
}

/** Answers why the line is not used; null: it is, or an earlier one has won, or nobody needs to know. */
function applyEntry(values: Values, entry: ConfigEntry): string | null {
  const { keyword, args, raw } = entry;
  const [first = ''] = args;
  switch (keyword) {
    case 'hostname':
      values.hostName ??= first;
      return null;
    case 'user':
      values.user ??= first;
      return null;
    case 'hostkeyalias':
      values.hostKeyAlias ??= first;
      return null;
    case 'port':
      return setFirst(values, 'port', readPort(first), 'not a port number');
    case 'identityfile':
      values.identityFiles = added(values.identityFiles, first);
      return null;
    case 'certificatefile':
      values.certificateFiles = added(values.certificateFiles, first);
      return null;
    case 'userknownhostsfile':
      values.knownHostsFiles ??= args;
      return null;
    case 'identitiesonly':
      return setFirst(values, 'identitiesOnly', readFlag(first), 'neither yes nor no');
    case 'forwardagent':
      // A path or a variable names the agent to lend, which is a yes.
      return setFirst(values, 'forwardAgent', readFlag(first) ?? true, '');
    case 'serveraliveinterval':
      return setFirst(values, 'serverAliveIntervalS', readSeconds(first), 'not a time');
    case 'proxyjump':
      if (values.proxyCommand === null) values.proxyJump ??= first;
      return null;
    case 'proxycommand':
      // The whole rest of the line, as it stands. Whichever of the two comes first excludes the other, but a
      // ProxyJump of `none` excludes no ProxyCommand (OpenSSH 9.2, seen with -G).
      if (values.proxyJump === null || /^none$/i.test(values.proxyJump))
        values.proxyCommand ??= raw;
      return null;
    default:
      return judgeKeyword(keyword) === 'told' ? whyNotUsed(keyword) : null;
  }
}

function setFirst<K extends 'port' | 'identitiesOnly' | 'forwardAgent' | 'serverAliveIntervalS'>(
  values: Values,
  name: K,
  value: Values[K],
  because: string,
): string | null {
  if (value === null) return because;
  values[name] ??= value;
  return null;
}

function added(files: readonly string[], file: string): readonly string[] {
  return files.includes(file) || files.length >= MAX_FILES ? files : [...files, file];
}

function readPort(text: string): number | null {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
}

function readFlag(text: string): boolean | null {
  if (/^(?:yes|true)$/i.test(text)) return true;
  return /^(?:no|false)$/i.test(text) ? false : null;
}

const UNIT_S: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** OpenSSH's time format: `90`, `1m30s`, in either case. */
function readSeconds(text: string): number | null {
  if (!/^(?:\d+[smhdw])*\d+[smhdw]?$/i.test(text)) return null;
  let seconds = 0;
  for (const [, count = '0', unit = 's'] of text.toLowerCase().matchAll(/(\d+)([smhdw]?)/g)) {
    seconds += Number(count) * (UNIT_S[unit === '' ? 's' : unit] ?? 1);
  }
  return Number.isSafeInteger(seconds) ? seconds : null;
}
