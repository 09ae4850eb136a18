import type { Evidence } from './finding.ts';

/** One piece of evidence as plain text. A line is the box's own and hostile. */
export function evidenceText(evidence: Evidence): string {
  if (evidence.kind === 'line') {
    const { file, atMs, line } = evidence;
    const when = atMs === undefined ? null : `${new Date(atMs).toISOString().slice(0, 19)}Z`;
    const from = [file, when].filter((each) => each !== undefined && each !== null);
    return from.length === 0 ? line : `${from.join(', ')}: ${line}`;
  }
  const { label, value, unit, windowMs } = evidence;
  const mean = windowMs === null ? '' : `, mean over ${String(Math.round(windowMs / 1000))} s`;
  return `${label}: ${`${String(value)} ${unit}`.trim()}${mean}`;
}
