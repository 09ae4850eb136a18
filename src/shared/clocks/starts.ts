import type { TimerStart } from '../profiles/profile.ts';
import type { ClockEntries } from './clock.ts';

/** When a timer began, as a person said it. */
export interface GivenStart {
  readonly atMs: number;
  /** Null: it is not known when they said so. */
  readonly saidAtMs: number | null;
}

/**
 * When a timer began, by what a person said and what was measured; null: neither is known. What they say about an event that was
 * measured before corrects it: they know of what Leasehold did not see. What is measured after they spoke is another event, of
 * which they said nothing.
 */
export function latestStart(told: GivenStart | null, measuredMs: number | null): number | null {
  if (told === null || measuredMs === null) return told?.atMs ?? measuredMs;
  const { atMs, saidAtMs } = told;
  const isOvertaken = measuredMs > Math.max(atMs, saidAtMs ?? atMs);
  return isOvertaken ? measuredMs : atMs;
}

/** When each start was said: of one that stands as it stood, when it was; of any other, now. */
export function stampStarts(
  before: ClockEntries,
  wanted: ClockEntries,
  nowMs: number,
): ClockEntries {
  const stamps: Partial<Record<TimerStart, number>> = {};
  for (const start of startsIn(wanted)) {
    const [old, said] = [before.starts[start], before.startsSaidAtMs[start]];
    const isSame = wanted.starts[start] === old && wanted.startsSaidAtMs[start] !== undefined;
    stamps[start] = isSame ? (said ?? nowMs) : nowMs;
  }
  return { ...wanted, startsSaidAtMs: stamps };
}

/** What an earlier version kept without saying when: not later than it was kept. */
export function stampKept(entries: ClockEntries, keptAtMs: number): ClockEntries {
  const stamps = startsIn(entries).map(
    (start) => [start, entries.startsSaidAtMs[start] ?? keptAtMs] as const,
  );
  return { ...entries, startsSaidAtMs: Object.fromEntries(stamps) };
}

function startsIn({ starts }: ClockEntries): readonly TimerStart[] {
  return Object.keys(starts) as TimerStart[];
}
