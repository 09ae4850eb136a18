import { readMemory } from '../../patrol/memory-lines.ts';
import { readCpuCounters } from '../../probes/cpu-counters.ts';
import { parseDf } from '../../probes/df.ts';
import { readPairs } from '../../probes/word-lines.ts';
import type { Detacher } from './launch-plan.ts';
import {
  CRON_KINDS,
  KEY_ANSWERS,
  PLACE_KINDS,
  SCRIPT_LOOKS,
  type CronLook,
  type FileCount,
  type NamedLook,
  type PlaceDisk,
  type PlaceKind,
  type PythonLook,
  type Requirements,
  type Room,
  type RouteLook,
  type RunPreflight,
  type ScriptLook,
  type SecretLook,
  type TorchLook,
  type TrackerKey,
} from './run-preflight.ts';

/** More lines of one word than any box has: it has a few control groups of about ten lines. */
const MAX_LINES_OF_A_WORD = 400;
const DF_HEADER = 'Filesystem Type 1024-blocks Used Available Capacity Mounted on';

export interface AskedBesides {
  readonly named?: readonly string[];
  readonly scripts?: readonly string[];
}

/** What resources/onbox/run-preflight.sh printed behind its mark; start-up files may print around it. Null: not whole. */
export function readRunPreflight(
  stdout: string,
  mark: string,
  /** Between which moments of the clock here it was printed. */
  between: { readonly fromMs: number; readonly toMs: number },
  /** The folders that it was asked for besides, and the scripts of further cells, in their order. */
  { named = [], scripts = [] }: AskedBesides = {},
): RunPreflight | null {
  const told = linesByWord(stdout, mark);
  const last = (word: string): string | undefined => told.get(word)?.at(-1);
  const all = (word: string): readonly string[] => told.get(word) ?? [];
  const [home, detacher] = [last('home'), detacherOf(last('detacher'))];
  if (home === undefined || detacher === null || !told.has('whole')) return null;
  const cpu = all('cpu').join('\n');
  const login = all('login');
  return {
    home,
    detacher,
    hasTable: last('table') === 'yes',
    leastSkewMs: leastSkewOf(last('now'), between),
    shell: last('shell') ?? null,
    cron: cronOf(last('cron')),
    state: kindOf(last('state')),
    stateDisk: diskOf(last('state-at'), last('state-disk')),
    stateRoom: roomOf(last('state-room')),
    folder: kindOf(last('folder')),
    room: roomOf(last('room')),
    results: resultsOf(last('results')),
    resultsRoom: roomOf(last('results-room')),
    script: oneOf(last('script'), SCRIPT_LOOKS),
    cellScripts: new Map(all('cell-script').flatMap((line) => cellScriptOf(line, scripts))),
    activate: oneOf(last('activate'), ['passed', 'failed']),
    found: last('found') ?? null,
    isLate: login.includes('late') && !login.includes('told'),
    loginEnds: login.includes('asked') && !login.includes('late') && !login.includes('begun'),
    folderDisk: diskOf(last('folder-at'), last('folder-disk')),
    resultsDisk: diskOf(last('results-at'), last('results-disk')),
    copy: kindOf(last('copy')),
    copyDisk: diskOf(last('copy-at'), last('copy-disk')),
    copyRoom: roomOf(last('copy-room')),
    files: filesOf(last('files')),
    dataDisk: diskOf(last('data-at'), last('data-disk')),
    dataRoom: roomOf(last('data-room')),
    dataFiles: filesOf(last('data-files')),
    named: namedOf(all('named'), named),
    arch: last('arch') ?? null,
    cpu: readCpuCounters(cpu, readPairs(cpu)),
    memory: readMemory(all('memory').join('\n')),
    sharedBytes: roomOf(last('shared'))?.bytes ?? null,
    packages: {
      wants: last('wants') ?? null,
      locks: last('locks') ?? null,
      torchPin: last('pins') ?? null,
      requirements: requirementsOf(last('requirements')),
    },
    programs: new Map(all('program').flatMap(programOf)),
    isSet: login.includes('told') ? new Set(all('set')) : null,
    taken: new Set(all('taken').filter((uuid) => /^[\w-]{1,80}$/.test(uuid))),
    atWork: atWorkOf(all('at-work')),
    hasNetrc: last('netrc') === 'wandb',
    trackerKey: trackerKeyOf(last('key')),
    podNames: podNamesOf(all('pods')),
    secrets: new Map(all('secret').flatMap(secretOf)),
    routes: routesOf(all('route')),
    python: pythonOf(last, all('has')),
  };
}

/** Of all that it may be; a whole second of the box lies somewhere between the two moments. */
function leastSkewOf(
  said: string | undefined,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number | null {
  if (said === undefined || !/^\d{1,12}$/.test(said)) return null;
  const [least, most] = [Number(said) * 1000 - toMs, Number(said) * 1000 + 1000 - fromMs];
  return least > 0 ? least : Math.min(most, 0);
}

function requirementsOf(said = ''): Requirements | null {
  const [, all, loose, bare, read, names = ''] =
    /^(\d{1,6}) (\d{1,6}) (\d{1,6}) (all|part)((?: [A-Za-z0-9-]{1,100}){0,8})$/.exec(said) ?? [];
  if (all === undefined) return null;
  return {
    packages: Number(all),
    loose: Number(loose),
    unhashed: Number(bare),
    isWhole: read === 'all',
    named: names.split(' ').slice(1),
  };
}

function cellScriptOf(
  line: string,
  scripts: readonly string[],
): readonly (readonly [string, ScriptLook])[] {
  const [, at, said] = /^(\d{1,3}) ([a-z]{1,10})$/.exec(line) ?? [];
  const name = scripts[Number(at)];
  const look = oneOf(said, SCRIPT_LOOKS);
  return name === undefined || look === null ? [] : [[name, look]];
}

function programOf(line: string): readonly (readonly [string, boolean])[] {
  const [, name, at] = /^([\w.-]{1,40})(?: (.*))?$/.exec(line) ?? [];
  return name === undefined ? [] : [[name, (at ?? '') !== '']];
}

function cronOf(line: string | undefined): CronLook | null {
  const [word, starts] = line?.split(' ') ?? [];
  const kind = oneOf(word, CRON_KINDS);
  return kind === null ? null : { kind, startsWithBox: starts === 'enabled' };
}

type Last = (word: string) => string | undefined;

function linesByWord(stdout: string, mark: string): ReadonlyMap<string, readonly string[]> {
  const told = new Map<string, string[]>();
  for (const line of stdout.split('\n')) {
    if (!line.startsWith(`${mark} `)) continue;
    const said = line.slice(mark.length + 1, 4000).trimEnd();
    const space = said.indexOf(' ');
    const [word, rest] = space < 0 ? [said, ''] : [said.slice(0, space), said.slice(space + 1)];
    const known = told.get(word);
    if (known === undefined) told.set(word, [rest]);
    else if (known.length < MAX_LINES_OF_A_WORD) known.push(rest);
  }
  return told;
}

function oneOf<T extends string>(said: string | undefined, words: readonly T[]): T | null {
  return words.find((word) => word === said) ?? null;
}
const kindOf = (said: string | undefined): PlaceKind | null => oneOf(said, PLACE_KINDS);
const detacherOf = (said: string | undefined): Detacher | null =>
  oneOf(said, ['tmux', 'setsid', 'nohup']);

function resultsOf(said = ''): RunPreflight['results'] {
  const isThere = !said.startsWith('later-');
  const kind = kindOf(isThere ? said : said.slice('later-'.length));
  return kind === null ? null : { isThere, kind };
}

/** Bytes of a block, blocks, free for ordinary users, inodes, free inodes. */
export function roomOf(said = ''): Room | null {
  const numbers = /^\d{1,15}(?: \d{1,20}){4}$/.test(said) ? said.split(' ').map(Number) : [];
  const [block, blocks, free, inodes, freeInodes] = numbers;
  if (block === undefined || blocks === undefined || free === undefined) return null;
  if (inodes === undefined || freeInodes === undefined || blocks === 0) return null;
  return { bytes: block * blocks, freeBytes: block * free, inodes, freeInodes };
}

function diskOf(path: string | undefined, line = ''): PlaceDisk | null {
  if (path?.startsWith('/') !== true) return null;
  const [row] = parseDf(`${DF_HEADER}\n${line}`).rows;
  return { path, type: row?.type ?? null, mount: row?.mount ?? null };
}

function filesOf(said = ''): FileCount | null {
  const [, word, digits] = /^(all|more|late) (\d{1,9})$/.exec(said) ?? [];
  const kind = oneOf(word, ['all', 'more', 'late']);
  return kind === null ? null : { kind, count: Number(digits) };
}

/** Names come behind "pod"; "read" says that all were told. */
function podNamesOf(lines: readonly string[]): readonly string[] | null {
  const names = lines.flatMap((line) => (line.startsWith('pod ') ? [line.slice(4)] : []));
  return names.includes('read') ? names.filter((name) => /^[A-Z_]{1,40}$/.test(name)) : null;
}

/** "<pid> <script>"; "told" says that all were. */
function atWorkOf(lines: readonly string[]): RunPreflight['atWork'] {
  if (!lines.includes('told')) return null;
  return lines.flatMap((line) => {
    const [, pid, script] = /^(\d{1,10}) (.{1,1000})$/.exec(line) ?? [];
    return pid === undefined || script === undefined ? [] : [{ pid: Number(pid), script }];
  });
}

/** "<place in the list>-<kind|at|disk|files> …". */
function namedOf(lines: readonly string[], names: readonly string[]): readonly NamedLook[] {
  const told = new Map<string, string>();
  for (const line of lines) {
    const [, at, said = ''] = /^(\d{1,2}-(?:kind|at|disk|files)) (.*)$/.exec(line) ?? [];
    if (at !== undefined) told.set(at, said);
  }
  return names.flatMap((name, at) => {
    const of = (word: string): string | undefined => told.get(`${String(at)}-${word}`);
    const kind = kindOf(of('kind'));
    if (kind === null) return [];
    return [{ name, kind, disk: diskOf(of('at'), of('disk')), files: filesOf(of('files')) }];
  });
}

function trackerKeyOf(said = ''): TrackerKey | null {
  const [, word, host = ''] = /^([a-z]{1,20})(?: ([\w.:?[\]-]{1,200}))?$/.exec(said) ?? [];
  const kind = oneOf(word, KEY_ANSWERS);
  return kind === null ? null : { kind, host };
}

/** "<name> <what secret-file.sh says of it>". */
function secretOf(line: string): readonly (readonly [string, SecretLook])[] {
  const [, name = '', said = ''] = /^(\w{1,64}) (.{4,60})$/.exec(line) ?? [];
  const [, rights, size, owner] = /^file (\S{10,11}) (\d{1,19}) (own|foreign)$/.exec(said) ?? [];
  if (rights === undefined) {
    const state = oneOf(said, ['gone', 'other', 'hidden']);
    return state === null ? [] : [[name, state]];
  }
  if (owner !== 'own') return [[name, 'other']];
  if (size === '0') return [[name, 'empty']];
  return [[name, /^-rw-------\.?$/.test(rights) ? 'there' : 'open']];
}

/** What the exit codes of curl mean that say why there was no answer. */
const CURL_WORDS: Readonly<Record<string, string>> = {
  5: 'the name of the proxy is not known there',
  6: 'its name is not known there',
  7: 'the connection was refused',
  28: 'nothing answered within 2 s',
  35: 'no encrypted connection came about',
  52: 'the answer was empty',
  56: 'the connection broke off',
  60: 'its certificate is not trusted there',
  97: 'the proxy did not lead there',
};

/** "<number> curl <exit code> <status>", "<number> wget <exit code>" or "<number> none". */
function routesOf(lines: readonly string[]): readonly (RouteLook | null)[] {
  const routes: (RouteLook | null)[] = [];
  for (const line of lines) {
    const [, at, tool, code = '', status] =
      /^(\d{1,2}) (curl|wget|none)(?: (\d{1,3}))?(?: (\d{3}))?$/.exec(line) ?? [];
    if (at !== undefined) routes[Number(at)] = routeOf(tool ?? '', code, status);
  }
  return Array.from(routes, (route) => route ?? null);
}

function routeOf(tool: string, code: string, status = '000'): RouteLook {
  switch (tool) {
    case 'curl':
      // Any status is an answer, a refusal too.
      if (code === '0' || status !== '000') return { kind: 'answered' };
      return {
        kind: 'failed',
        because: CURL_WORDS[code] ?? `curl ended with exit code ${code}`,
      };
    case 'wget':
      if (code === '0' || code === '8') return { kind: 'answered' };
      if (code === '137') return { kind: 'failed', because: 'nothing answered within 2 s' };
      if (code === '4') return { kind: 'failed', because: 'there is no route to it' };
      return { kind: 'unknown', because: `wget ended with exit code ${code}` };
    default:
      return { kind: 'unknown', because: 'the box has neither curl nor wget' };
  }
}

function pythonOf(last: Last, has: readonly string[]): PythonLook | null {
  const version = last('python');
  if (version === undefined) return null;
  return { version, has, torch: torchOf(last), isLate: last('asked') === 'late' };
}

function torchOf(last: Last): TorchLook | null {
  const [, at] = /^at (.+)$/.exec(last('torch') ?? '') ?? [];
  if (at === undefined) return null;
  const [, version, cuda, hip] =
    /^(\S{1,100}) (\S{1,40}) (\S{1,40})$/.exec(last('build') ?? '') ?? [];
  const [, isAvailable, seen] = /^(True|False) (\d{1,4})$/.exec(last('sees') ?? '') ?? [];
  const [, own, built] = /^([\w,]{1,200}) ([\w,]{1,700})$/.exec(last('cards') ?? '') ?? [];
  return {
    at,
    driver: driverOf(last('driver')),
    build:
      version === undefined
        ? null
        : { version, cuda: cuda === 'None' ? null : (cuda ?? null), isHip: hip !== 'None' },
    sees:
      isAvailable === undefined
        ? null
        : { isAvailable: isAvailable === 'True', gpus: Number(seen) },
    cards:
      own === undefined || built === undefined
        ? null
        : { own: own.split(','), built: built.split(',') },
    broken: last('broken') ?? null,
  };
}

/** What cuInit answered, the newest CUDA as 12080 for 12.8, and how many cards it sees. */
function driverOf(said = ''): TorchLook['driver'] {
  if (said === 'none') return 'missing';
  const [, code, version, gpus] = /^(\d{1,9}) (\d{1,9}) (\d{1,4})$/.exec(said) ?? [];
  if (code === undefined) return null;
  const number = Number(version);
  const cuda =
    number >= 1000
      ? `${String(Math.floor(number / 1000))}.${String(Math.floor((number % 1000) / 10))}`
      : null;
  return { code: Number(code), cuda, gpus: Number(gpus) };
}
