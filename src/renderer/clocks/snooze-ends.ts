import { tomorrowMs } from './local-moment.ts';

const HOUR_MS = 3_600_000;
const ENDS = [
  { label: '1 hour', atMs: (nowMs: number) => nowMs + HOUR_MS },
  { label: '8 hours', atMs: (nowMs: number) => nowMs + 8 * HOUR_MS },
  { label: 'Tomorrow 9:00', atMs: tomorrowMs },
] as const;

/** The ends of a snooze that people choose, as far as they come before `latestMs`. */
export function snoozeEnds(
  nowMs: number,
  latestMs: number,
): readonly { readonly label: string; readonly ms: number }[] {
  return ENDS.map(({ label, atMs }) => ({ label, ms: atMs(nowMs) })).filter(
    ({ ms }) => ms < latestMs,
  );
}
