import { isSameProcess, processRefKey, type ProcessRef } from '../runs/process-ref.ts';
import type { Run } from '../runs/run.ts';
import type { Money } from '../money.ts';
import type { AlertWords } from './alert-words.ts';
import type { Phrase, Says } from './says.ts';
import { gpuKeyOf } from '../telemetry/gpu-facts.ts';

/** Gotchas by their id (facts/gotchas.yaml); rules of nvidia.md that have no gotcha by a word. */
export const detectorIds = [
  'U3',
  'U6',
  'U7',
  'U9',
  'U10',
  'U11',
  'U16',
  'U21',
  'U22',
  'U23',
  'U24',
  'U31',
  'U35',
  'U37',
  'U38',
  'U40',
  'U41',
  'U43',
  'GEN6',
  'GEN7',
  'AD4',
  'AD5',
  'AD8',
  'FZ3',
  'GS2',
  'MP1',
  'RP11',
  'GEN1',
  'GEN2',
  'U26',
  'U28',
  'U33',
  'U34',
  'MN1',
  'MN3',
  'MN5',
  'MN6',
  'SLURM4',
  'AD1',
  'AD2',
  'AD9',
  'PS11',
  'RP9',
  'VAST5',
  'NB3',
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
  'LAM7',
  'GS3',
  'AD6',
  'RP5',
  'driver',
  'ecc',
  'idle',
  'pcie',
  'power-cap',
  'straggler',
] as const;
export type DetectorId = (typeof detectorIds)[number];

/** From the worst on. */
export const severities = ['critical', 'warn', 'info'] as const;
export type Severity = (typeof severities)[number];

/** What a finding rests on: a number with its unit and the time it is a mean of, or a line as the box printed it. */
export type Clue =
  | {
      readonly kind: 'figure';
      readonly label: string;
      readonly value: number;
      readonly unit: string;
      /** The value is a mean over this time; null: read once. */
      readonly windowMs: number | null;
    }
  | ({
      readonly kind: 'line';
      /** Hostile: whoever shows it escapes it. */
      readonly line: string;
    } & LineSource);

/** Where a clue stands, as far as that is known. */
export interface LineSource {
  /** A path on the box, hostile, or what a log without one is called. */
  readonly file?: string;
  /** When it was written, by this machine's clock; where the lines of a file bear no time: when the file was, last. */
  readonly atMs?: number;
}

/** What a rule found; what is said of it stands in the entry of the catalog (`alert-words.ts`). */
export interface Found {
  readonly kind: 'found';
  readonly severity: Severity;
  /** Which of the entry's sentences says it. */
  readonly says: Says;
  /** The share of the box's price that buys nothing while this lasts; null: not to be put in money. */
  readonly wastedShare: number | null;
  readonly clues: readonly Clue[];
  /** What could not be looked at and might change the picture. */
  readonly caveat: Phrase | string | null;
  /** It happened between two looks: a later one that finds nothing does not take it back. */
  readonly isEvent?: true;
}

/** "Could not look" is not "all clear". */
export type Answer =
  | { readonly kind: 'clear' }
  | { readonly kind: 'unknown'; readonly because: string }
  | Found;

/** A rule's view of one moment. `between`: past the line where it leaves, not at the line where it begins. */
export type Judgement = Answer | { readonly kind: 'between' };

export const CLEAR: Judgement = { kind: 'clear' };
export const BETWEEN: Judgement = { kind: 'between' };

export function unknown(because: string): Judgement {
  return { kind: 'unknown', because };
}

/** What a rule looks at. */
export type Subject =
  | { readonly kind: 'box' }
  | { readonly kind: 'gpu'; readonly index: number; readonly uuid: string | null }
  /** Hostile. */
  | { readonly kind: 'mount'; readonly path: string }
  | ({ readonly kind: 'run' } & ProcessRef & Pick<Run, 'command'>);

/** The card itself where it is known: its index may change. A run beyond doubt, as far as the life of its machine is known. */
export function subjectKeyOf(subject: Subject): string {
  switch (subject.kind) {
    case 'box':
      return 'box';
    case 'gpu':
      return `gpu ${gpuKeyOf(subject.index, subject.uuid)}`;
    case 'mount':
      return `mount ${subject.path}`;
    case 'run':
      return `run ${processRefKey(subject)}`;
  }
}

/** As far as both are known: a card whose UUID one of them does not name is told by its place, a run by its numbers. */
export function mayBeSameSubject(a: Subject, b: Subject): boolean {
  if (a.kind === 'run' && b.kind === 'run') return isSameProcess(a, b);
  if (a.kind !== 'gpu' || b.kind !== 'gpu') return subjectKeyOf(a) === subjectKeyOf(b);
  return a.uuid !== null && b.uuid !== null ? a.uuid === b.uuid : a.index === b.index;
}

/** A rule's conclusion that has held long enough to be told. */
export interface Concluded extends Omit<Found, 'kind'> {
  readonly detector: DetectorId;
  readonly subject: Subject;
  readonly sinceMs: number;
  readonly lastSeenMs: number;
  /** Per hour; null: the box's price is not known, or no share of it is lost. */
  readonly costPerHour: Money | null;
  /** Why it cannot be seen at the moment, after it was; null: it can. */
  readonly notSeenBecause: string | null;
}

/** The same in words, which outlive the entry. */
export interface Finding extends Omit<Concluded, 'says' | 'caveat'>, AlertWords {}

export function figure(
  label: string,
  value: number,
  unit: string,
  windowMs: number | null = null,
): Clue {
  return { kind: 'figure', label, value: Math.round(value * 10) / 10, unit, windowMs };
}

export function line(text: string, source: LineSource = {}): Clue {
  return { kind: 'line', line: text, ...source };
}
