import { worstFirst, type BoxFindings } from '../detectors/box-findings.ts';
import type { Finding } from '../detectors/finding.ts';
import { keyOf } from './alert-book.ts';
import type { Alert } from './alert.ts';

/** A finding with what is remembered of it; null: nothing was told of that yet. */
export interface Shown {
  readonly finding: Finding;
  readonly alert: Alert | null;
}

/**
 * What is found of a box, worst first: with the figures of this moment where a check tells them, and with its beginning, and what
 * no check has looked at since Leasehold was closed, as they are remembered. `alerts`: null, where nobody has told of them yet.
 */
export function selectShown(
  report: BoxFindings | null,
  alerts: readonly Alert[] | null,
): readonly Shown[] {
  const live = new Map(report?.findings.map((finding) => [keyOf(finding), finding]));
  const shown = (alerts ?? []).map((alert): Shown => {
    const now = live.get(keyOf(alert.finding));
    live.delete(keyOf(alert.finding));
    const finding = now === undefined ? alert.finding : { ...now, sinceMs: alert.finding.sinceMs };
    return { finding, alert };
  });
  const untold = [...live.values()]
    // What cannot be seen, and has no alert any more: the person said that it is over.
    .filter(({ notSeenBecause }) => alerts === null || notSeenBecause === null)
    .map((finding): Shown => ({ finding, alert: null }));
  return [...shown, ...untold].sort((a, b) => worstFirst(a.finding, b.finding));
}

/** Put off, it is neither counted nor shown as the worst. */
export function isSnoozed({ alert }: Shown): boolean {
  return alert?.stage.kind === 'snoozed';
}

/** What asks for the person: all but what they put off. */
export function selectAwake(
  report: BoxFindings | null,
  alerts: readonly Alert[] | null,
): readonly Finding[] {
  return selectShown(report, alerts)
    .filter((shown) => !isSnoozed(shown))
    .map(({ finding }) => finding);
}
