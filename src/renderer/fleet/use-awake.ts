import { useMemo } from 'react';
import { selectAwake } from '../../shared/alerts/shown.ts';
import type { BoxFindings } from '../../shared/detectors/box-findings.ts';
import type { Finding } from '../../shared/detectors/finding.ts';
import { selectAlerts, selectReport, useAlerts, useFindings } from '../state/feeds.ts';

interface Awake {
  /** Null: nothing was looked at yet. */
  readonly report: BoxFindings | null;
  /** What asks for the person, the worst first: all but what they put off. */
  readonly findings: readonly Finding[];
}

/** What is found on a box and what is remembered of it. */
export function useAwake(boxId: string): Awake {
  const report = useFindings(selectReport(boxId));
  const alerts = useAlerts(selectAlerts(boxId));
  return useMemo(() => ({ report, findings: selectAwake(report, alerts) }), [report, alerts]);
}
