import { isoUtcSeconds } from '../iso-time.ts';
import type { Clue } from './finding.ts';

/** One clue as plain text. A line is the box's own and hostile. */
export function clueText(clue: Clue): string {
  if (clue.kind === 'line') {
    const { file, atMs, line } = clue;
    const when = atMs === undefined ? null : isoUtcSeconds(atMs);
    const from = [file, when].filter((each) => each !== undefined && each !== null);
    return from.length === 0 ? line : `${from.join(', ')}: ${line}`;
  }
  const { label, value, unit, windowMs } = clue;
  const mean = windowMs === null ? '' : `, mean over ${String(Math.round(windowMs / 1000))} s`;
  return `${label}: ${`${String(value)} ${unit}`.trim()}${mean}`;
}
