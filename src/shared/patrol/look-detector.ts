import type { Answer, Found, Subject } from '../detectors/finding.ts';
import type { Watched } from '../profiles/places.ts';
import { excerpt } from '../probes/probe-output.ts';
import { parseProcessRefKey, processRefKey } from '../runs/process-ref.ts';
import type { MissingRun } from './judge-vanished.ts';
import type { PatrolLook, RunInLook } from './patrol-look.ts';
import type { PatrolMemory } from './patrol-memory.ts';

/** Gotchas by their id (facts/gotchas.yaml) that a look can notice, in the order in which they are told. */
export const lookDetectorIds = [
  'GEN8',
  'GEN6',
  'U3',
  'U22',
  'U6',
  'U7',
  'AD4',
  'AD5',
  'RP11',
  'FZ3',
  'MP1',
  'U9',
  'AD8',
  'U10',
  'U35',
  'U37',
  'U43',
  'GS2',
  'U16',
  'U41',
  'GEN1',
  'GEN2',
  'U34',
  'U28',
  'U26',
  'MN1',
  'AD9',
  'PS11',
  'RP9',
  'VAST5',
  'AD6',
  'U31',
  'MN3',
  'MN6',
  'SLURM4',
  'AD1',
  'AD2',
  'NB3',
  'RP5',
  'MN5',
  'U33',
  'U40',
  'LAM7',
  'CN1',
  'NB4',
  'SLURM5',
  'VAST10',
  'RP1',
  'RP12',
  'LAM8',
  'LAM11',
  'U2',
  'PS13',
  'GS3',
] as const;
export type LookDetectorId = (typeof lookDetectorIds)[number];

/** A path may be of any length. */
const MAX_KEY_CHARS = 500;

/** What a rule looks at. */
export type LookSubject = Exclude<Subject, { readonly kind: 'gpu' }>;

/** What a rule says of one subject. */
export interface LookAnswer {
  readonly subject: LookSubject;
  readonly answer: Answer;
  /** It happened between the looks: the next one finding nothing does not take it back. */
  readonly isEvent?: true;
}

export interface LookJudgement extends LookAnswer {
  readonly detector: LookDetectorId;
  /** Of what is found: the first look that found it. */
  readonly sinceMs: number | null;
}

/** What a look cannot know by itself. */
export interface LookBeside extends Watched {
  /** Whether the cards work, where somebody reads them; null: nobody does. */
  readonly isGpuWorking: boolean | null;
}

export interface LookContext extends LookBeside {
  /** The runs of the look before that are not there now. */
  readonly missing: readonly MissingRun[];
}

/** One look, as the rules see it. */
export interface LookView extends LookContext {
  readonly look: PatrolLook;
  /** What is known of the look before; null: this is the first. */
  readonly before: PatrolMemory | null;
  /** Whether this rule had found it at the look before: then the line where it leaves counts, and not the one where it begins. */
  readonly wasFound: (subject: LookSubject) => boolean;
}

export interface LookDetector {
  readonly id: LookDetectorId;
  /** At least one answer: "nothing to look at" is one, too. */
  readonly judge: (view: LookView) => readonly LookAnswer[];
}

/** As it is kept from one look to the next. */
export function keyOfSubject(detector: LookDetectorId, subject: LookSubject): string {
  switch (subject.kind) {
    case 'box':
      return detector;
    case 'mount':
      return excerpt(`${detector} ${subject.path}`, MAX_KEY_CHARS);
    case 'run':
      return `${detector} ${processRefKey(subject)}`;
  }
}

/** The other way round; null: the key is another rule's, or was cut. */
export function subjectOfKey(detector: LookDetectorId, key: string): LookSubject | null {
  if (key === detector) return BOX;
  if (!key.startsWith(`${detector} `)) return null;
  const rest = key.slice(detector.length + 1);
  if (rest.startsWith('/') && !rest.endsWith('…')) return { kind: 'mount', path: rest };
  const process = parseProcessRefKey(rest);
  return process === null ? null : { kind: 'run', ...process, command: null };
}

/**
 * What was kept of it. The keys of an older Leasehold leave out the life of the machine, and so does one look at times: then the process
 * is the same as far as anybody knows (isSameProcess).
 */
export function recallSubject<T>(
  kept: ReadonlyMap<string, T>,
  detector: LookDetectorId,
  subject: LookSubject,
): T | undefined {
  const known = kept.get(keyOfSubject(detector, subject));
  if (known !== undefined || subject.kind !== 'run') return known;
  if (subject.bootId !== null)
    return kept.get(keyOfSubject(detector, { ...subject, bootId: null }));
  const ofAnyLife = `${keyOfSubject(detector, subject)}@`;
  for (const [key, value] of kept) if (key.startsWith(ofAnyLife)) return value;
  return undefined;
}

export const BOX: LookSubject = { kind: 'box' };

export function runSubject({ bootId, pid, startTicks, command }: RunInLook): LookSubject {
  return { kind: 'run', bootId, pid, startTicks, command };
}

export function clear(subject: LookSubject = BOX): LookAnswer {
  return { subject, answer: { kind: 'clear' } };
}

export function unknown(because: string, subject: LookSubject = BOX): LookAnswer {
  return { subject, answer: { kind: 'unknown', because } };
}

export function found(
  subject: LookSubject,
  told: Omit<Found, 'kind' | 'wastedShare' | 'caveat'> & Partial<Pick<Found, 'caveat'>>,
): LookAnswer {
  return { subject, answer: { kind: 'found', wastedShare: null, caveat: null, ...told } };
}
