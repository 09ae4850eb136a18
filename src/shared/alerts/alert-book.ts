import type { Blind, BoxFindings } from '../detectors/box-findings.ts';
import {
  mayBeSameSubject,
  subjectKeyOf,
  type DetectorId,
  type Finding,
  type Subject,
} from '../detectors/finding.ts';
import { advance, isWorse, mayComeBack, openAlert } from './advance.ts';
import type { Alert } from './alert.ts';

/** The alerts of one box: what is not over, and what is over for so short a time that it may come back. */
export interface AlertBook {
  readonly open: readonly Alert[];
  readonly resolved: readonly Alert[];
}

export const EMPTY_BOOK: AlertBook = { open: [], resolved: [] };

/** Where a report says nothing at all of what an alert is about. */
const NO_ANSWER = 'it has not been checked since';
/** Of what happened between two looks: no later one can see it, and none takes it back. */
const HAPPENED = 'it happened between two checks, and no later one can see it';

/**
 * Follows what the checks say of a box, from whichever source: found opens an alert or goes on with it, a clear answer
 * resolves it, and everything else, silence too, leaves it open and says why it is not seen.
 */
export function takeReport(book: AlertBook, report: BoxFindings, newId: () => string): AlertBook {
  const taken = new Map<string, Alert>();
  const { atMs } = report;
  for (const finding of nearestFirst(report.findings, book.open)) {
    const known = findFor(book.open, finding, taken);
    if (finding.notSeenBecause !== null) {
      const because = finding.notSeenBecause;
      if (known !== null) taken.set(known.id, advance(known, { kind: 'unknown', because }));
      continue;
    }
    // What happened stays told until the person knows of it; that a figure is near its line as well is not worse.
    if (
      known?.finding.isEvent === true &&
      finding.isEvent !== true &&
      !isWorse(finding.severity, known.finding.severity)
    ) {
      taken.set(known.id, advance(known, { kind: 'unknown', because: HAPPENED }));
      continue;
    }
    // The same twice in one report is one.
    if ([...taken.values()].some((other) => keyOf(other.finding) === keyOf(finding))) continue;
    const before = known ?? findBack(book.resolved, finding, taken, atMs);
    const after =
      before === null
        ? openAlert(newId(), finding)
        : advance(before, { kind: 'found', finding, atMs });
    taken.set(after.id, after);
  }
  return settle(book, [
    ...book.open.map((alert) => taken.get(alert.id) ?? answer(alert, report)),
    ...newIn(book, taken),
  ]);
}

/** What happens to alerts that are not over. */
export function changeAlerts(book: AlertBook, change: (alert: Alert) => Alert): AlertBook {
  return settle(book, book.open.map(change));
}

/** Ends the snoozes whose time has come. */
export function wakeDue(book: AlertBook, nowMs: number): AlertBook {
  return changeAlerts(book, (alert) =>
    alert.stage.kind === 'snoozed' && alert.stage.untilMs <= nowMs
      ? advance(alert, { kind: 'wake', atMs: nowMs })
      : alert,
  );
}

/** Puts those that are over now with the others that are. */
function settle(book: AlertBook, alerts: readonly Alert[]): AlertBook {
  const isSame =
    alerts.length === book.open.length && alerts.every((alert, i) => alert === book.open[i]);
  if (isSame) return book;
  const back = new Set(alerts.map(({ id }) => id));
  return {
    open: alerts.filter(({ stage }) => stage.kind !== 'resolved'),
    resolved: [
      ...alerts.filter(({ stage }) => stage.kind === 'resolved'),
      ...book.resolved.filter(({ id }) => !back.has(id)),
    ],
  };
}

function newIn(book: AlertBook, taken: ReadonlyMap<string, Alert>): readonly Alert[] {
  const known = new Set(book.open.map(({ id }) => id));
  return [...taken.values()].filter(({ id }) => !known.has(id));
}

/**
 * Rules that tell each thing for itself, and of the box as a whole whether there are more: clear means that what they do not tell is
 * not so any more. An alert of an older Leasehold, which told all runs of a box as one, ends so as well.
 */
const TELL_ALL: ReadonlySet<DetectorId> = new Set(['U3']);

function answer(alert: Alert, report: BoxFindings): Alert {
  const { detector, subject, notSeenBecause, isEvent } = alert.finding;
  if (isEvent === true) return advance(alert, { kind: 'unknown', because: HAPPENED });
  const isClear = report.clear.some(
    (clear) =>
      clear.detectors.includes(detector) &&
      (isSurelySame(subject, clear.subject) ||
        (clear.subject.kind === 'box' && TELL_ALL.has(detector))),
  );
  if (isClear) return advance(alert, { kind: 'clear', atMs: report.atMs });
  const blind = report.unknown.find(
    (each) => each.detector === detector && isBlindTo(each, subject),
  );
  const because = blind?.because ?? notSeenBecause ?? NO_ANSWER;
  return advance(alert, { kind: 'unknown', because });
}

function isBlindTo({ gpus, subject }: Blind, of: Subject): boolean {
  if (subject !== undefined) return mayBeSameSubject(subject, of);
  return gpus.length === 0 || (of.kind === 'gpu' && gpus.includes(of.index));
}

/** What is about the very card of an alert comes before what is only about a card in its place. */
function nearestFirst(findings: readonly Finding[], open: readonly Alert[]): readonly Finding[] {
  const keys = new Set(open.map(({ finding }) => keyOf(finding)));
  return [
    ...findings.filter((finding) => keys.has(keyOf(finding))),
    ...findings.filter((finding) => !keys.has(keyOf(finding))),
  ];
}

function findFor(
  alerts: readonly Alert[],
  finding: Finding,
  taken: ReadonlyMap<string, Alert>,
): Alert | null {
  const free = alerts.filter(
    (alert) => alert.finding.detector === finding.detector && !taken.has(alert.id),
  );
  const exact = free.find((alert) => keyOf(alert.finding) === keyOf(finding));
  const near = free.find((alert) => mayBeSameSubject(alert.finding.subject, finding.subject));
  return exact ?? near ?? null;
}

function findBack(
  resolved: readonly Alert[],
  finding: Finding,
  taken: ReadonlyMap<string, Alert>,
  atMs: number,
): Alert | null {
  return findFor(
    resolved.filter((alert) => mayComeBack(alert, atMs)),
    finding,
    taken,
  );
}

/** One alert for each check and each thing that it looks at. */
export function keyOf({ detector, subject }: Pick<Finding, 'detector' | 'subject'>): string {
  return `${detector} ${subjectKeyOf(subject)}`;
}

/** In that place there may be another card by now: what is known of an alert's card by its UUID is cleared by its UUID. */
function isSurelySame(of: Subject, cleared: Subject): boolean {
  if (of.kind === 'gpu' && of.uuid !== null) return subjectKeyOf(of) === subjectKeyOf(cleared);
  return mayBeSameSubject(of, cleared);
}
