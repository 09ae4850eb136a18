import { alertWords, type Catalog } from '../../shared/detectors/alert-words.ts';
import { phrase, says } from '../../shared/detectors/says.ts';
import { catalogFor } from './gotchas-common.ts';
import { basename } from 'node:path';
import {
  cgroupFiles,
  guessCgroupFile,
  parseCgroup,
  type CgroupFile,
  type CgroupLimit,
  type CgroupReading,
} from '../../shared/probes/cgroup.ts';
import { parseOomKills, type OomKill } from '../../shared/probes/oom-kill.ts';
import { figure, line, type Finding } from '../../shared/detectors/finding.ts';
import { unreachable } from '../../shared/result.ts';
import type { Command, CommandInput } from './command.ts';
import { readWhole } from './text-input.ts';
import { unreadableLines } from './unreadable.ts';

/** Kernel lines about killed processes are read here as well: they tell of the same limit. */
const KERNEL_LOG = 'kernel-log';
type Kind = CgroupFile | typeof KERNEL_LOG;
const kinds: readonly Kind[] = [...cgroupFiles, KERNEL_LOG];

/** A finding of one file alone, in the shape that `detect` gives. */
type CgroupFinding = Pick<
  Finding,
  'detector' | 'title' | 'severity' | 'headline' | 'means' | 'fix' | 'clues'
>;

interface Output {
  readonly kind: Kind;
  /** How the kind was found out: it was said, or guessed from the name or the words. */
  readonly isGuessed: boolean;
  readonly rows: readonly (CgroupReading | OomKill)[];
  readonly unreadable: readonly string[];
}

export const readCgroup: Command = {
  name: 'read cgroup',
  summary: 'reads a control group file: limits, use, kills for want of memory, CPU stalls',
  operands: ['<file|->'],
  flags: {
    as: { value: 'kind', help: 'says what the file is, where its name and its words do not' },
  },
  details: [
    `Kinds: ${kinds.join(', ')}.`,
    'Exit code 1: a process was killed, the group is out of memory, a line could not be read, or nothing was found.',
  ],
  async run(input, { out, ...context }) {
    const [file = '-'] = input.operands;
    const text = await readWhole(file, context);
    if (!text.ok) return { refused: text.error };
    const output = read(input, file === '-' ? '' : basename(file), text.value);
    if ('refused' in output) return output;
    if (input.isJson)
      await out.json({ reader: 'cgroup', ...output, ...judge(output, await catalogFor(context)) });
    else await out.lines(describe(output));
    const isFine = output.unreadable.length === 0 && !output.rows.some(isFinding);
    return isFine && output.rows.length > 0 ? 0 : 1;
  },
};

function read(
  { flags }: CommandInput,
  name: string,
  text: string,
): Output | { readonly refused: string } {
  const said = flags.get('as');
  const kind = said === undefined ? guess(name, text) : kinds.find((each) => each === said);
  if (kind === undefined) return { refused: `There is no kind ${said ?? ''}.` };
  if (kind === null) {
    return { refused: 'Neither the name nor the words tell what this file is: say it with --as.' };
  }
  const { rows, unreadable } = kind === KERNEL_LOG ? parseOomKills(text) : parseCgroup(kind, text);
  return { kind, isGuessed: said === undefined, rows, unreadable };
}

function guess(name: string, text: string): Kind | null {
  const isKernelLog = /\boom-kill:|\bout of memory: Kill/i.test(text);
  return guessCgroupFile(name, isKernelLog ? '' : text) ?? (isKernelLog ? KERNEL_LOG : null);
}

function isFinding(row: CgroupReading | OomKill): boolean {
  if (!('kind' in row)) return true;
  return row.kind === 'oom' && ((row.kills ?? 0) > 0 || row.isUnderOom === true);
}

/** What a file says of kills for want of memory (facts/gotchas.yaml, U9); the other files hold limits and figures only. */
function judge(
  { kind, rows }: Output,
  catalog: Catalog,
): {
  readonly findings: readonly CgroupFinding[];
  readonly unknown: readonly { readonly detector: 'U9'; readonly because: string }[];
} {
  const killed = rows.filter(isFinding);
  if (killed.length > 0) return { findings: [finding(killed, catalog)], unknown: [] };
  const counts = rows.some((row) => 'kind' in row && row.kind === 'oom' && row.kills !== null);
  const because = rows.some((row) => 'kind' in row && row.kind === 'oom')
    ? 'this kernel does not count kills'
    : `${kind} does not tell of kills`;
  return { findings: [], unknown: counts ? [] : [{ detector: 'U9', because }] };
}

function finding(rows: readonly (CgroupReading | OomKill)[], catalog: Catalog): CgroupFinding {
  const kills = rows.reduce((sum, row) => {
    if (!('kind' in row)) return sum + 1;
    return row.kind === 'oom' ? sum + (row.kills ?? 0) : sum;
  }, 0);
  const told = {
    says:
      kills === 0
        ? says('U9', 'file-full')
        : says('U9', 'file-killed', {
            processes:
              kills === 1
                ? phrase('U9', 'one-process')
                : phrase('U9', 'some-processes', { count: kills }),
          }),
    caveat: null,
  };
  const { title, headline, means, fix } = alertWords(catalog, 'U9', told);
  return {
    detector: 'U9',
    severity: 'critical',
    ...{ title, headline, means, fix },
    clues: rows.map((row) =>
      'kind' in row ? figure('processes ended', kills, 'processes') : line(row.line),
    ),
  };
}

function describe({ kind, isGuessed, rows, unreadable }: Output): readonly string[] {
  return [
    `Read as ${kind}${isGuessed ? ' (guessed)' : ''}`,
    ...rows.map(sentence),
    ...unreadableLines(unreadable),
  ];
}

function sentence(row: CgroupReading | OomKill): string {
  if (!('kind' in row)) {
    return `Killed for want of memory (${row.scope}): ${row.processName}, pid ${row.pid}`;
  }
  switch (row.kind) {
    case 'limit':
      return `Limit: ${limitText(row.limit)}`;
    case 'use':
      return `Value: ${row.value}`;
    case 'oom':
      return `Processes killed for want of memory: ${row.kills ?? 'unknown (not counted by this kernel)'}${
        row.isUnderOom === true ? '; out of memory right now' : ''
      }`;
    case 'cpu-limit':
      return `CPUs: ${limitText(row.cpus)}`;
    case 'cpu-quota':
      return `CPU quota per period: ${limitText(row.quotaUs)}${row.quotaUs.kind === 'limited' ? ' µs' : ''}`;
    case 'cpu-stalls':
      return `Throttled in ${row.throttledPeriods ?? 'unknown'} of ${row.periods ?? 'unknown'} periods, for ${
        row.throttledUs ?? 'unknown'
      } µs`;
    case 'memory-stat':
      return `Page cache that gives way: ${row.inactiveFileBytes ?? 'unknown'} bytes`;
    default:
      return unreachable(row);
  }
}

function limitText(limit: CgroupLimit): string {
  return limit.kind === 'unlimited' ? 'none' : String(limit.value);
}
