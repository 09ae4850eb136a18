import { shareOf, type Money } from '../money.ts';
import {
  severities,
  subjectKeyOf,
  type DetectorId,
  type Concluded,
  type Finding,
  type Found,
  type Subject,
} from './finding.ts';
import type { Belief } from './settle.ts';

/** What a rule could not judge, and why. */
export interface UnnamedBlind {
  readonly detector: DetectorId;
  readonly because: string;
  /** The cards it concerns; empty: the whole box, or `subject`. */
  readonly gpus: readonly number[];
  /** The one disk or run that it concerns. */
  readonly subject?: Subject;
}

export interface Blind extends UnnamedBlind {
  readonly title: string;
}

/** What was looked at and is not so. Only this ends an alert: that nothing is told of a subject does not. */
export interface Clear {
  readonly subject: Subject;
  readonly detectors: readonly DetectorId[];
}

/** What the rules believe of a box's health at one moment. */
export interface JudgedBox {
  readonly atMs: number;
  /** The worst first. */
  readonly findings: readonly Concluded[];
  readonly unknown: readonly UnnamedBlind[];
  readonly clear: readonly Clear[];
}

/** The same in words. */
export interface BoxFindings extends Omit<JudgedBox, 'findings' | 'unknown'> {
  readonly findings: readonly Finding[];
  readonly unknown: readonly Blind[];
}

export const NO_FINDINGS: JudgedBox = { atMs: 0, findings: [], unknown: [], clear: [] };

/** One rule's belief about one subject, for the report. */
export interface Conclusion {
  readonly detector: { readonly id: DetectorId };
  readonly subject: Subject;
  readonly belief: Belief;
}

export function reportFindings(
  atMs: number,
  conclusions: readonly Conclusion[],
  pricePerHour: Money | null,
): JudgedBox {
  const findings: Concluded[] = [];
  const blind = new Map<string, UnnamedBlind>();
  const clear = new Map<string, { subject: Subject; detectors: DetectorId[] }>();
  for (const { detector, subject, belief } of conclusions) {
    const { id } = detector;
    const told = belief.kind === 'unknown' ? belief.before : belief;
    if (told?.kind === 'found') {
      findings.push({
        ...withoutKind(told.found),
        detector: id,
        subject,
        sinceMs: told.sinceMs,
        lastSeenMs: told.lastSeenMs,
        costPerHour: costOf(told.found, pricePerHour),
        notSeenBecause: belief.kind === 'unknown' ? belief.because : null,
      });
    }
    if (belief.kind === 'unknown') addBlind(blind, detector, subject, belief.because);
    if (belief.kind === 'clear') addClear(clear, id, subject);
  }
  return {
    atMs,
    findings: findings.sort(worstFirst),
    unknown: [...blind.values()],
    clear: [...clear.values()],
  };
}

function addClear(
  clear: Map<string, { subject: Subject; detectors: DetectorId[] }>,
  id: DetectorId,
  subject: Subject,
): void {
  const key = subjectKeyOf(subject);
  const known = clear.get(key);
  if (known === undefined) clear.set(key, { subject, detectors: [id] });
  else known.detectors.push(id);
}

function addBlind(
  blind: Map<string, UnnamedBlind>,
  { id }: Conclusion['detector'],
  subject: Subject,
  because: string,
): void {
  if (subject.kind === 'mount' || subject.kind === 'run') {
    const key = `${id} ${subjectKeyOf(subject)}`;
    blind.set(key, { detector: id, because, gpus: [], subject });
    return;
  }
  const key = `${id} ${because}`;
  const gpus = blind.get(key)?.gpus ?? [];
  const more = subject.kind === 'gpu' ? [...gpus, subject.index] : gpus;
  blind.set(key, { detector: id, because, gpus: more });
}

function withoutKind({ kind: _kind, ...rest }: Found): Omit<Found, 'kind'> {
  return rest;
}

function costOf({ wastedShare }: Found, pricePerHour: Money | null): Money | null {
  if (pricePerHour === null || wastedShare === null || wastedShare <= 0) return null;
  return shareOf(pricePerHour, Math.min(1, wastedShare));
}

/** By severity; then what is seen now before what is not; then the older one. */
export function worstFirst(
  a: Pick<Concluded, 'severity' | 'notSeenBecause' | 'sinceMs'>,
  b: Pick<Concluded, 'severity' | 'notSeenBecause' | 'sinceMs'>,
): number {
  return (
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    Number(a.notSeenBecause !== null) - Number(b.notSeenBecause !== null) ||
    a.sinceMs - b.sinceMs
  );
}
