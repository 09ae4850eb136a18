import { MAX_WALLTIMES, type Walltimes } from '../clocks/walltimes.ts';
import { readMarkedSections } from './marked-sections.ts';
import { excerpt, nonBlankLines, UnreadableLines } from './probe-output.ts';
import { readPairs, whole } from './word-lines.ts';

/** One job of the person. */
export interface SlurmJob {
  /** "4412", "4412_7", "4412+0" */
  readonly id: string;
  /** As Slurm writes it: RUNNING, PENDING, COMPLETING … */
  readonly state: string;
  /** Null: it has no limit, or it is not told. */
  readonly leftMs: number | null;
}

export type SlurmLook =
  | {
      readonly kind: 'known';
      /** The job that this very session is in; null: in none, as on a login node. */
      readonly own: string | null;
      readonly jobs: readonly SlurmJob[];
      readonly unreadable: readonly string[];
    }
  | { readonly kind: 'unknown'; readonly because: string };

/** Reads the output of resources/onbox/slurm-jobs.sh. */
export function parseSlurmJobs(stdout: string, mark: string): SlurmLook {
  const sections = readMarkedSections(stdout, mark);
  const told = sections.text('own');
  if (told === null) return unknown('the box did not answer the question');
  const pairs = readPairs(told);
  const own = jobId(pairs.get('job')?.[0]);
  const listed = sections.text('squeue');
  if (listed !== null && sections.code('squeue') === 0) return readSqueue(listed, own);
  const shown = sections.text('scontrol');
  if (shown !== null && sections.code('scontrol') === 0 && own !== null) {
    return readScontrol(shown, own);
  }
  const endsS = whole(pairs.get('ends')?.[0]);
  const nowS = whole(pairs.get('now')?.[0]);
  if (own !== null && endsS !== null && nowS !== null) {
    const leftMs = Math.max(0, endsS - nowS) * 1000;
    return { kind: 'known', own, jobs: [{ id: own, state: 'RUNNING', leftMs }], unreadable: [] };
  }
  if (!pairs.has('tool')) return unknown('this box has neither squeue nor scontrol');
  const said = nonBlankLines(listed ?? shown ?? '')[0];
  return unknown(said === undefined ? 'Slurm did not answer' : `Slurm says: ${excerpt(said)}`);
}

function readSqueue(text: string, own: string | null): SlurmLook {
  const jobs: SlurmJob[] = [];
  const unreadable = new UnreadableLines();
  for (const line of nonBlankLines(text)) {
    const [, id, state, left] =
      /^(\d{1,12}(?:[_+][\d[\],%-]{1,24})?)\|([A-Z_]+)\|(\S*)\s*$/.exec(line) ?? [];
    if (id === undefined || state === undefined || left === undefined) unreadable.add(line);
    else jobs.push({ id, state, leftMs: parseSlurmTime(left) });
  }
  return { kind: 'known', own, jobs, unreadable: unreadable.lines };
}

function readScontrol(text: string, own: string): SlurmLook {
  const field = (name: string): string | undefined =>
    new RegExp(`(?:^| )${name}=(\\S+)`, 'm').exec(text)?.[1];
  const limitMs = parseSlurmTime(field('TimeLimit') ?? '');
  const ranMs = parseSlurmTime(field('RunTime') ?? '');
  const state = field('JobState');
  if (state === undefined) return unknown('scontrol names no state of the job');
  const leftMs = limitMs === null || ranMs === null ? null : Math.max(0, limitMs - ranMs);
  return { kind: 'known', own, jobs: [{ id: own, state, leftMs }], unreadable: [] };
}

/** "3-20:07:29", "12:44:39", "35:16". UNLIMITED, INVALID, NOT_SET and what is none of these: null. */
export function parseSlurmTime(text: string): number | null {
  const [, days, hours, minutes, seconds] =
    /^(?:(\d{1,5})-)?(?:(\d{1,2}):)?(\d{1,2}):(\d{2})$/.exec(text) ?? [];
  if (minutes === undefined || seconds === undefined) return null;
  const wholeHours = Number(days ?? 0) * 24 + Number(hours ?? 0);
  return ((wholeHours * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

/**
 * When the person's jobs on the box are ended, the first ones first. In a job, squeue was asked for that one alone, which it may
 * call by another number (a task of an array). None: none runs with a limit.
 */
export function selectWalltimes(look: SlurmLook, atMs: number): Walltimes {
  const jobs = look.kind === 'unknown' ? [] : look.jobs;
  const left = new Map<string, number>();
  for (const { id, state, leftMs } of jobs) {
    if (state !== 'RUNNING' || leftMs === null) continue;
    left.set(id, Math.min(leftMs, left.get(id) ?? leftMs));
  }
  const ends = [...left]
    .map(([job, leftMs]) => ({ job, endMs: atMs + leftMs }))
    .sort((a, b) => a.endMs - b.endMs || (a.job < b.job ? -1 : 1));
  return {
    ends: ends.slice(0, MAX_WALLTIMES),
    more: Math.max(0, ends.length - MAX_WALLTIMES),
  };
}

function jobId(text: string | undefined): string | null {
  return text !== undefined && /^\d{1,12}(?:_\d{1,9})?$/.test(text) ? text : null;
}

function unknown(because: string): SlurmLook {
  return { kind: 'unknown', because };
}
