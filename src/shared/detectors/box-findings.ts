import { shareOf, type Money } from '../money.ts';
import {
  severities,
  subjectKeyOf,
  type DetectorId,
  type Finding,
  type Found,
  type Subject,
} from './finding.ts';
import type { Standing } from './settle.ts';

/** What a rule could not judge, and why. */
export interface Blind {
  readonly detector: DetectorId;
  readonly title: string;
  readonly because: string;
  /** The cards it concerns; empty: the whole box, or `subject`. */
  readonly gpus: readonly number[];
  /** The one disk or run that it concerns. */
  readonly subject?: Subject;
}

/** What was looked at and is not so. Only this ends an alert: that nothing is told of a subject does not. */
export interface Clear {
  readonly subject: Subject;
  readonly detectors: readonly DetectorId[];
}

/** What is known about a box's health at one moment. */
export interface BoxFindings {
  readonly atMs: number;
  /** The worst first. */
  readonly findings: readonly Finding[];
  readonly unknown: readonly Blind[];
  readonly clear: readonly Clear[];
}

export const NO_FINDINGS: BoxFindings = { atMs: 0, findings: [], unknown: [], clear: [] };

/** One rule's belief about one subject, for the report. */
export interface Conclusion {
  readonly detector: { readonly id: DetectorId; readonly title: string };
  readonly subject: Subject;
  readonly standing: Standing;
}

export function reportFindings(
  atMs: number,
  conclusions: readonly Conclusion[],
  pricePerHour: Money | null,
): BoxFindings {
  const findings: Finding[] = [];
  const blind = new Map<string, Blind>();
  const clear = new Map<string, { subject: Subject; detectors: DetectorId[] }>();
  for (const { detector, subject, standing } of conclusions) {
    const { id, title } = detector;
    const told = standing.kind === 'unknown' ? standing.before : standing;
    if (told?.kind === 'found') {
      findings.push({
        ...withoutKind(told.found),
        detector: id,
        title,
        subject,
        sinceMs: told.sinceMs,
        lastSeenMs: told.lastSeenMs,
        costPerHour: costOf(told.found, pricePerHour),
        notSeenBecause: standing.kind === 'unknown' ? standing.because : null,
      });
    }
    if (standing.kind === 'unknown') addBlind(blind, detector, subject, standing.because);
    if (standing.kind === 'clear') addClear(clear, id, subject);
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
  blind: Map<string, Blind>,
  { id, title }: Conclusion['detector'],
  subject: Subject,
  because: string,
): void {
  if (subject.kind === 'mount' || subject.kind === 'run') {
    const key = `${id} ${subjectKeyOf(subject)}`;
    blind.set(key, { detector: id, title, because, gpus: [], subject });
    return;
  }
  const key = `${id} ${because}`;
  const gpus = blind.get(key)?.gpus ?? [];
  const more = subject.kind === 'gpu' ? [...gpus, subject.index] : gpus;
  blind.set(key, { detector: id, title, because, gpus: more });
}

function withoutKind({ kind: _kind, ...rest }: Found): Omit<Found, 'kind'> {
  return rest;
}

function costOf({ wastedShare }: Found, pricePerHour: Money | null): Money | null {
  if (pricePerHour === null || wastedShare === null || wastedShare <= 0) return null;
  return shareOf(pricePerHour, Math.min(1, wastedShare));
}

/** By severity; then what is seen now before what is not; then the older one. */
export function worstFirst(a: Finding, b: Finding): number {
  return (
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    Number(a.notSeenBecause !== null) - Number(b.notSeenBecause !== null) ||
    a.sinceMs - b.sinceMs
  );
}
