import type { Evidence } from './finding.ts';

/** One piece of evidence as plain text. A line is the box's own and hostile. */
export function evidenceText(evidence: Evidence): string {
  if (evidence.kind === 'line') return evidence.line;
  const { label, value, unit, windowMs } = evidence;
  const mean = windowMs === null ? '' : `, mean over ${String(Math.round(windowMs / 1000))} s`;
  return `${label}: ${`${String(value)} ${unit}`.trim()}${mean}`;
}
