import { severities, type Finding, type Severity } from '../detectors/finding.ts';
import { unreachable } from '../result.ts';
import {
  COUNTED_GAP_MS,
  MAX_SPANS,
  MAX_STEPS,
  REOPEN_WITHIN_MS,
  type Alert,
  type AlertCost,
  type AlertSpan,
  type AlertStep,
} from './alert.ts';

/** What can happen to an alert. `found`, `unknown` and `clear` are a check's answers, the others a person's, or the clock's. */
export type AlertEvent =
  | { readonly kind: 'found'; readonly finding: Finding; readonly atMs: number }
  | { readonly kind: 'unknown'; readonly because: string }
  | { readonly kind: 'clear'; readonly atMs: number }
  | { readonly kind: 'seen'; readonly atMs: number }
  | { readonly kind: 'snooze'; readonly untilMs: number; readonly atMs: number }
  /** The snooze is over, or was taken back. */
  | { readonly kind: 'wake'; readonly atMs: number }
  /** The person says that it is over. Only what no check sees at the moment can be said to be. */
  | { readonly kind: 'dismiss'; readonly atMs: number };

const NOTHING_LOST: AlertCost = { amounts: [], seenMs: 0, unpricedMs: 0 };

/** `finding` is seen now and has no alert. */
export function openAlert(id: string, finding: Finding): Alert {
  const { severity, sinceMs, lastSeenMs } = finding;
  const fromMs = Math.min(sinceMs, lastSeenMs);
  return {
    id,
    finding: { ...finding, sinceMs: fromMs },
    stage: { kind: 'open' },
    worst: severity,
    told: null,
    spans: [{ fromMs, lastSeenMs, toMs: null }],
    cost: addCost(NOTHING_LOST, finding, lastSeenMs - fromMs),
    steps: [{ kind: 'opened', atMs: fromMs, severity }],
  };
}

/** The same object where nothing changes: whoever keeps and publishes compares by it. */
export function advance(alert: Alert, event: AlertEvent): Alert {
  const { stage } = alert;
  if (event.kind === 'found') {
    return stage.kind === 'resolved'
      ? comeBack(alert, event.finding, event.atMs)
      : seeAgain(alert, event.finding, event.atMs);
  }
  if (stage.kind === 'resolved') return alert;
  switch (event.kind) {
    case 'unknown':
      return lose(alert, event.because);
    case 'clear':
      return resolve(alert, event.atMs, 'check');
    case 'dismiss':
      return alert.finding.notSeenBecause === null ? alert : resolve(alert, event.atMs, 'person');
    case 'seen': {
      if (stage.kind !== 'open') return alert;
      const told = worseOf(alert.told, alert.finding.severity);
      const next: Alert = { ...alert, stage: { kind: 'seen', atMs: event.atMs }, told };
      return note(next, { kind: 'seen', atMs: event.atMs });
    }
    case 'snooze': {
      const { atMs, untilMs } = event;
      if (untilMs <= atMs) return alert;
      return note(
        { ...alert, stage: { kind: 'snoozed', atMs, untilMs } },
        { kind: 'snoozed', atMs, untilMs },
      );
    }
    case 'wake':
      if (stage.kind !== 'snoozed') return alert;
      // Told anew, and only once it is seen: that it is still there is the news.
      return note(
        { ...alert, stage: { kind: 'open' }, told: null },
        { kind: 'woken', atMs: event.atMs },
      );
    default:
      return unreachable(event);
  }
}

export function isWorse(a: Severity, b: Severity): boolean {
  return severities.indexOf(a) < severities.indexOf(b);
}

/** Whether the person is to be told now: it is new, worse than they know, or still there after a snooze. A note is not rung. */
export function isToBeTold({ stage, finding, told }: Alert): boolean {
  if (stage.kind !== 'open' || finding.notSeenBecause !== null) return false;
  if (finding.severity === 'info') return false;
  return told === null || isWorse(finding.severity, told);
}

export function afterTelling(alert: Alert): Alert {
  return { ...alert, told: worseOf(alert.told, alert.finding.severity) };
}

/** Whether this one goes on, should it be found now, instead of a new alert. A clock that was set back may put its end ahead. */
export function mayComeBack({ stage, spans }: Alert, atMs: number): boolean {
  return (
    stage.kind === 'resolved' &&
    Math.abs(atMs - stage.atMs) <= REOPEN_WITHIN_MS &&
    spans.length < MAX_SPANS
  );
}

function seeAgain(alert: Alert, found: Finding, atMs: number): Alert {
  const before = alert.finding;
  const span = lastSpan(alert);
  const elapsedMs = found.lastSeenMs - before.lastSeenMs;
  const isWatched = before.notSeenBecause === null && elapsedMs > 0 && elapsedMs <= COUNTED_GAP_MS;
  // Where this machine's clock was set back, it began when the check says now, but never before the span in front of it.
  const fromMs = Math.max(
    Math.min(span.fromMs, found.sinceMs),
    alert.spans.at(-2)?.toMs ?? -Infinity,
  );
  const lastSeenMs = Math.max(fromMs, found.lastSeenMs);
  const next: Alert = {
    ...alert,
    finding: { ...found, subject: surer(before.subject, found.subject), sinceMs: fromMs },
    spans: [...alert.spans.slice(0, -1), { fromMs, lastSeenMs, toMs: null }],
    cost: isWatched ? addCost(alert.cost, found, elapsedMs) : alert.cost,
  };
  return heed(isAnother(before, found) ? ringAgain(next, found) : next, atMs);
}

/**
 * The same kind of thing has happened once more since it was told. A look that could not be kept is compared with the same one
 * again, and tells of the same: its words are those.
 */
function isAnother(before: Finding, found: Finding): boolean {
  if (before.isEvent !== true || found.isEvent !== true) return false;
  return found.lastSeenMs > before.lastSeenMs && wordsOf(found) !== wordsOf(before);
}

function wordsOf({ clues }: Finding): string {
  return clues.flatMap((each) => (each.kind === 'line' ? [each.line] : [])).join('\n');
}

/** Also where it was put off: the person put off what had happened then. */
function ringAgain(alert: Alert, { severity, lastSeenMs }: Finding): Alert {
  const open: Alert = { ...alert, stage: { kind: 'open' }, told: null };
  return note(open, { kind: 'back', atMs: lastSeenMs, severity });
}

function comeBack(alert: Alert, found: Finding, atMs: number): Alert {
  if (alert.stage.kind !== 'resolved') return alert;
  const { snoozedUntilMs } = alert.stage;
  // Its first sign may lie before the end that was told last: a span begins where the one before it ends, or later.
  const fromMs = Math.max(
    Math.min(found.sinceMs, found.lastSeenMs),
    lastSpan(alert).toMs ?? -Infinity,
  );
  const lastSeenMs = Math.max(fromMs, found.lastSeenMs);
  const isAnew = isAnother(alert.finding, found);
  const isSnoozed = snoozedUntilMs !== null && snoozedUntilMs > atMs && !isAnew;
  const next: Alert = {
    ...alert,
    finding: { ...found, subject: surer(alert.finding.subject, found.subject), sinceMs: fromMs },
    stage: isSnoozed ? { kind: 'snoozed', atMs, untilMs: snoozedUntilMs } : { kind: 'open' },
    told: isAnew ? null : alert.told,
    spans: [...alert.spans, { fromMs, lastSeenMs, toMs: null }],
    cost: addCost(alert.cost, found, lastSeenMs - fromMs),
  };
  return heed(note(next, { kind: 'back', atMs: fromMs, severity: found.severity }), atMs);
}

/** What has got worse than it ever was is not what the person has seen, nor what they put off. */
function heed(alert: Alert, atMs: number): Alert {
  const { severity } = alert.finding;
  if (!isWorse(severity, alert.worst)) return alert;
  return note(
    { ...alert, worst: severity, stage: { kind: 'open' } },
    { kind: 'worse', atMs, severity },
  );
}

function lose(alert: Alert, because: string): Alert {
  if (alert.finding.notSeenBecause === because) return alert;
  return { ...alert, finding: { ...alert.finding, notSeenBecause: because } };
}

function resolve(alert: Alert, atMs: number, by: 'check' | 'person'): Alert {
  const span = lastSpan(alert);
  // A clock that was set back must not make a span end before it began.
  const toMs = Math.max(atMs, span.fromMs, span.lastSeenMs);
  const snoozedUntilMs = alert.stage.kind === 'snoozed' ? alert.stage.untilMs : null;
  return note(
    {
      ...alert,
      finding: { ...alert.finding, notSeenBecause: null },
      stage: { kind: 'resolved', atMs: toMs, by, snoozedUntilMs },
      spans: [...alert.spans.slice(0, -1), { ...span, toMs }],
    },
    { kind: 'resolved', atMs: toMs, by },
  );
}

function lastSpan({ id, spans }: Alert): AlertSpan {
  const span = spans.at(-1);
  if (span === undefined) throw new Error(`alert ${id} has no span`);
  return span;
}

/** A card's UUID is learnt after its first reading, and not told by every look; nor is the life of the machine. */
function surer(before: Finding['subject'], now: Finding['subject']): Finding['subject'] {
  if (before.kind === 'gpu' && now.kind === 'gpu') return { ...now, uuid: now.uuid ?? before.uuid };
  if (before.kind === 'run' && now.kind === 'run') {
    return { ...now, bootId: now.bootId ?? before.bootId };
  }
  return now;
}

function worseOf(a: Severity | null, b: Severity): Severity {
  return a === null || isWorse(b, a) ? b : a;
}

function addCost(cost: AlertCost, { costPerHour, wastedShare }: Finding, ms: number): AlertCost {
  const counted = Math.min(Math.max(ms, 0), COUNTED_GAP_MS);
  const seenMs = cost.seenMs + counted;
  if (costPerHour === null) {
    const isLost = wastedShare !== null && wastedShare > 0;
    return { ...cost, seenMs, unpricedMs: cost.unpricedMs + (isLost ? counted : 0) };
  }
  const { currency } = costPerHour;
  const lost = Math.round((costPerHour.micros * counted) / 3_600_000);
  const before = cost.amounts.find((each) => each.currency === currency)?.micros ?? 0;
  const others = cost.amounts.filter((each) => each.currency !== currency);
  return { ...cost, seenMs, amounts: [...others, { micros: before + lost, currency }] };
}

function note(alert: Alert, step: AlertStep): Alert {
  const steps = [...alert.steps, step];
  if (steps.length <= MAX_STEPS) return { ...alert, steps };
  const oldest = steps.findIndex(
    ({ kind }) => kind === 'seen' || kind === 'snoozed' || kind === 'woken',
  );
  return { ...alert, steps: steps.filter((_step, place) => place !== oldest) };
}
