import { isFields } from '../../yaml/path.ts';
import { isSweepId, type SweepRef } from '../sweep/sweep-roster.ts';
import { hashesText, readHashes, type FileHashes } from '../resume/judge-edited.ts';
import { MAX_NEED } from './need-rules.ts';
import { MAX_PROGRESS } from '../progress/progress-pattern.ts';
import { isRunId } from './run-id.ts';
import type { GpuNeed } from './run-needs.ts';
import type { RunRequest } from './run-request.ts';

/** What stands in a run's folder for whoever finds it there: another computer, a reinstalled app, a person. */
export interface RunAbout {
  readonly id: string;
  readonly name: string;
  /** Its first characters; the whole stands in job.sh. */
  readonly command: string;
  readonly folder: string;
  readonly results: string | null;
  /** Where these are copied to, as a whole path; null: nowhere. */
  readonly copyTo: string | null;
  /** The run whose folder holds the queue that this one goes through; null: it is no queue. */
  readonly queue: string | null;
  /** The first run of the chain that this one goes on after, no queue; null: it is that one. */
  readonly again: string | null;
  /** Of a queue, the pattern of the results folder that each of its cells has to itself; null: none has. */
  readonly cellResults: string | null;
  /** SHA-256 of what runs, as the launch that began the chain wrote it; none: an older Leasehold did. */
  readonly files: FileHashes;
  /** SHA-256 of what else its request asks for, as `askedText` has it; null: an older Leasehold launched it, or it goes on after another. */
  readonly asked: string | null;
  /** Of a queue, the GPUs that each of its cells has to itself; null: each sees all. */
  readonly gpus: GpuNeed | null;
  /** The sweep that it is part of; null: none. */
  readonly sweep: SweepRef | null;
  /** What blocked it, and a person launched over. */
  readonly overridden: readonly LaunchedOver[];
  /** The code that it ran, as it was read back from the box before it began; null: none was pushed (U42). */
  readonly code: RunCode | null;
  /** Null: the request did not say. */
  readonly keeps: RunKeeps | null;
  /** How its log tells how far it is, as its request says; none: as known trainers do. */
  readonly progress: readonly string[];
}

/** Patterns below the results folder: what a copy must bring home, what it may leave, and what is a checkpoint. */
export interface RunKeeps {
  readonly evidence: readonly string[];
  readonly scratch: readonly string[];
  readonly checkpoints: readonly string[];
}

export interface RunCode {
  /** SHA-256 of the whole tree. */
  readonly tree: string;
  readonly commit: string | null;
  readonly isDirty: boolean;
}

/** A check that blocked a launch. */
export interface LaunchedOver {
  readonly title: string;
  readonly says: string;
}

const VERSION = 1;
export const MAX_COMMAND_CHARS = 400;
/** More than there are checks that a person can launch over. */
const MAX_OVERRIDDEN = 12;
const MAX_SAID_CHARS = 200;
const MAX_HASHES_CHARS = 1000;
/** More than run-look.sh tells is cut off, and then it is no JSON any more. */
const MAX_CHARS = 16_384;

/** What not every run has. */
type AboutMore = Partial<
  Pick<
    RunAbout,
    'queue' | 'again' | 'sweep' | 'copyTo' | 'cellResults' | 'gpus' | 'files' | 'asked'
  >
>;

/** One line. Nothing of the environment is in it: that stands in job.sh alone. */
export function aboutText(
  id: string,
  request: RunRequest,
  code: RunCode | null = null,
  more: AboutMore = {},
): string {
  const { queue = null, again = null, sweep = null, gpus = null } = more;
  const { copyTo = null, cellResults = null, files = {}, asked = null } = more;
  const { name, command, folder, results, progress = [] } = request;
  const short = commandAsKept(command);
  const keeps = keepsOf(request);
  return JSON.stringify({
    ...{ version: VERSION, id, name, command: short, folder, results, code },
    ...(copyTo === null ? {} : { copyTo }),
    ...(keeps === null ? {} : { keeps }),
    ...(progress.length === 0 ? {} : { progress }),
    ...(queue === null ? {} : { queue }),
    ...(cellResults === null ? {} : { cellResults }),
    ...(Object.keys(files).length === 0 ? {} : { files: hashesText(files) }),
    ...(asked === null ? {} : { asked }),
    ...(gpus === null ? {} : { gpus }),
    ...(again === null ? {} : { again }),
    ...(sweep === null ? {} : { sweep }),
  });
}

/** What tells two requests apart beside what stands in here, in one text whatever order it was written in. */
export function askedText({ env, activate, fetch = [] }: RunRequest): string {
  const exports = [...Object.entries(env)].sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([exports, activate, fetch.map(({ into, run }) => [into, run])]);
}

function keepsOf({ evidence = [], scratch = [], checkpoints }: RunRequest): RunKeeps | null {
  const names = checkpoints?.names ?? [];
  const isSaid = evidence.length + scratch.length + names.length > 0;
  return isSaid ? { evidence, scratch, checkpoints: names } : null;
}

/** The same with what the person launches over, which is known only when they do. */
export function aboutOver(about: string, blocks: readonly LaunchedOver[]): string {
  if (blocks.length === 0) return about;
  const overridden = blocks
    .slice(0, MAX_OVERRIDDEN)
    .map(({ title, says }) => ({ title, says: cut(says, MAX_SAID_CHARS) }));
  return JSON.stringify({ ...(JSON.parse(about) as object), overridden });
}

/** Of a long command a run folder, and so whatever is read of it, has only the beginning. */
export const commandAsKept = (command: string): string => cut(command, MAX_COMMAND_CHARS);

const cut = (text: string, max: number): string => Array.from(text).slice(0, max).join('');

/** Null: not what a launch writes. */
export function readAbout(text: string): RunAbout | null {
  let told: unknown;
  try {
    told = JSON.parse(text.slice(0, MAX_CHARS));
  } catch {
    return null;
  }
  if (typeof told !== 'object' || told === null || Array.isArray(told)) return null;
  const {
    version,
    id,
    name,
    command,
    folder,
    results,
    overridden,
    code,
    keeps,
    progress,
    gpus,
    queue = null,
    again = null,
    copyTo = null,
    cellResults = null,
    files,
    asked,
    sweep,
  } = told as Record<string, unknown>;
  if (version !== VERSION || typeof id !== 'string' || typeof name !== 'string') return null;
  if (typeof command !== 'string' || typeof folder !== 'string') return null;
  if (typeof results !== 'string' && results !== null) return null;
  if (typeof copyTo !== 'string' && copyTo !== null) return null;
  if (queue !== null && (typeof queue !== 'string' || !isRunId(queue))) return null;
  if (again !== null && (typeof again !== 'string' || !isRunId(again))) return null;
  return {
    id,
    name,
    command,
    folder,
    results,
    copyTo,
    queue,
    again,
    gpus: queue === null ? null : readGpus(gpus),
    cellResults: typeof cellResults === 'string' ? cellResults : null,
    files: typeof files === 'string' ? readHashes(files.slice(0, MAX_HASHES_CHARS)) : {},
    asked: typeof asked === 'string' && /^[0-9a-f]{64}$/.test(asked) ? asked : null,
    sweep: readSweep(sweep),
    overridden: overriddenOf(overridden),
    code: readCode(code),
    keeps: readKeeps(keeps),
    progress: textsOf(progress, MAX_PROGRESS.patterns, MAX_PROGRESS.chars),
  };
}

function readSweep(told: unknown): SweepRef | null {
  if (!isFields(told)) return null;
  const { id, digest } = told;
  if (typeof id !== 'string' || !isSweepId(id)) return null;
  return typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest) ? { id, digest } : null;
}

/** Null also for what is none: a run that an older Leasehold launched has none. */
function readCode(told: unknown): RunCode | null {
  if (!isFields(told)) return null;
  const { tree, commit, isDirty } = told;
  if (typeof tree !== 'string' || !/^[0-9a-f]{64}$/.test(tree)) return null;
  const isCommit = typeof commit === 'string' && /^[0-9a-f]{40,64}$/.test(commit);
  return { tree, commit: isCommit ? commit : null, isDirty: isDirty === true };
}

function readKeeps(told: unknown): RunKeeps | null {
  if (!isFields(told)) return null;
  const texts = (list: unknown) => textsOf(list, MAX_NEED.listed, MAX_NEED.patternChars);
  return {
    evidence: texts(told['evidence']),
    scratch: texts(told['scratch']),
    checkpoints: texts(told['checkpoints']),
  };
}

function readGpus(told: unknown): GpuNeed | null {
  if (!isFields(told)) return null;
  const whole = (value: unknown, most: number): number | null =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most
      ? value
      : null;
  const names = textsOf(told['names'], MAX_NEED.listed, MAX_NEED.patternChars);
  const { gib } = told;
  const [count, cells] = [whole(told['count'], MAX_NEED.gpus), whole(told['cells'], MAX_NEED.gpus)];
  if (count === null) return null;
  return {
    count,
    ...(names.length === 0 ? {} : { names }),
    ...(typeof gib === 'number' && gib > 0 && gib <= MAX_NEED.gib ? { gib } : {}),
    ...(cells === null ? {} : { cells }),
  };
}

function textsOf(told: unknown, most: number, chars: number): readonly string[] {
  if (!Array.isArray(told)) return [];
  return told
    .slice(0, most)
    .filter((each: unknown): each is string => typeof each === 'string' && each.length <= chars);
}

/** Runs of an earlier version have none. */
function overriddenOf(told: unknown): readonly LaunchedOver[] {
  if (!Array.isArray(told)) return [];
  return told.slice(0, MAX_OVERRIDDEN).flatMap((each: unknown): LaunchedOver | readonly never[] => {
    if (typeof each !== 'object' || each === null) return [];
    const { title, says } = each as Record<string, unknown>;
    return typeof title === 'string' && typeof says === 'string' ? { title, says } : [];
  });
}
