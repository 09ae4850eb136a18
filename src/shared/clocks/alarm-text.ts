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
  const { due, event, consequence, trigger, loses, known } = clock;
  const atMs = due.kind === 'at' ? due.atMs : nowMs;
  const about = due.kind === 'at' && due.isEstimate ? 'about ' : '';
  const isOver = atMs <= nowMs;
  const left = `in ${about}${formatCountdown(atMs - nowMs)}`;
  // What is a sentence, as a deadline of the person's own may be, reads wrong with a time behind it.
  const isSentence = event === consequence;
  const title = isSentence
    ? `${boxName}: ${isOver ? 'time over' : left}: ${event}`
    : `${boxName}: ${event}${isOver ? ', time over' : ` ${left}`}`;
  const lost = loses.length === 0 ? '' : ` At risk: ${loses.map(({ name }) => name).join(', ')}.`;
  const old =
    known.kind === 'platform' && known.freshness.kind !== 'fresh'
      ? ` Last checked ${known.verified ?? 'never'}: look it up.`
      : '';
  const when = `${isOver ? 'since' : 'at'} ${about}${formatWhen(atMs, timeZone)}`;
  return { title, body: `${trigger}: ${consequence}, ${when}.${lost}${old}` };
}

/** For the tray's menu, in one line that changes seldom: "train-a: Rental ends: about Sun 29 Mar 2026, 03:30 GMT+2". */
export function clockLine(boxName: string, clock: Clock, nowMs: number): string {
  const { due, event } = clock;
  const deleted = deletedWords(clock);
  if (due.kind !== 'at') return `${boxName}: ${event}${deleted}`;
  const about = due.isEstimate ? 'about ' : '';
  const over = due.atMs <= nowMs ? ', time over since' : ':';
  return `${boxName}: ${event}${over} ${about}${formatWhen(due.atMs)}${deleted}`;
}

/** Where data goes, a name is not enough: what goes with it stands in every line. */
function deletedWords({ danger, event, consequence, loses }: Clock): string {
  if (danger !== 'data') return '';
  const lost = loses.map(({ name }) => name).join(', ');
  return `${event === consequence ? '' : `: ${consequence}`}${lost === '' ? '' : `; at risk: ${lost}`}`;
}
