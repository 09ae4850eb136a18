import type { Clock } from './clock.ts';
import { formatCountdown, formatWhen } from './when.ts';

export interface AlarmText {
  readonly title: string;
  readonly body: string;
}

/** What a notification says: what happens, to what, when, and how it is known. */
export function alarmText(
  boxName: string,
  clock: Clock,
  nowMs: number,
  timeZone?: string,
): AlarmText {
  const { due, consequence, trigger, loses, known } = clock;
  const atMs = due.kind === 'at' ? due.atMs : nowMs;
  const about = due.kind === 'at' && due.isEstimate ? 'about ' : '';
  const isOver = atMs <= nowMs;
  const title = isOver
    ? `${boxName}: the time is over`
    : `${boxName}: ${about}${formatCountdown(atMs - nowMs)} left`;
  const lost = loses.length === 0 ? '' : ` At risk: ${loses.map(({ name }) => name).join(', ')}.`;
  const old =
    known.kind === 'platform' && known.freshness.kind !== 'fresh'
      ? ` Last checked ${known.verified ?? 'never'}: look it up.`
      : '';
  const when = `${isOver ? 'since' : 'at'} ${about}${formatWhen(atMs, timeZone)}`;
  return { title, body: `${trigger}: ${consequence}, ${when}.${lost}${old}` };
}

/** For the tray's menu, in one line that changes seldom: "train-a: about Sun 29 Mar 2026, 03:30 GMT+2: forced stop". */
export function clockLine(boxName: string, { due, consequence }: Clock, nowMs: number): string {
  if (due.kind !== 'at') return `${boxName}: ${consequence}`;
  const about = due.isEstimate ? 'about ' : '';
  const over = due.atMs <= nowMs ? 'time over since ' : '';
  return `${boxName}: ${over}${about}${formatWhen(due.atMs)}: ${consequence}`;
}
