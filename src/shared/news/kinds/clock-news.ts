import { isoUtc } from '../../iso-time.ts';
import type { Box } from '../../boxes/box.ts';
import { alarmText } from '../../clocks/alarm-text.ts';
import type { Clock } from '../../clocks/clock.ts';
import { judgeTimeToSave, timeToSaveWords, type TimeToSave } from '../../teardown/time-to-save.ts';
import type { BoxBehind } from '../../transfer/behind.ts';
import { EVERYWHERE, type NewsKind } from '../news.ts';

/** A mark of a clock that was just reached. */
export interface ClockAlarm {
  readonly box: Box;
  readonly clock: Clock;
  /** At this mark so much time is left; 0: it is over, and what the platform does then may have happened. */
  readonly markMs: number;
}

/** The same beside what this computer is behind the box; null: that is not known. */
export interface ToldClock extends ClockAlarm {
  readonly behind: BoxBehind | null;
}

/** At or below this a phone should ring and not only show. */
const URGENT_MS = 3_600_000;

/** Also to a person who looks at the window: it may show another box. */
export const clockNews: NewsKind<ToldClock> = {
  kind: 'clock',
  picture: 'hourglass_flowing_sand',
  to: EVERYWHERE,
  isKept: true,
  words: (told, atMs) => {
    const { box, clock, markMs } = told;
    const text = alarmText(box.name, clock, atMs);
    const toSave = timeToSave(told, atMs);
    const isShort = toSave.kind === 'too-little';
    return {
      title: text.title,
      body: `${text.body} ${timeToSaveWords(toSave)}`.trimEnd(),
      box,
      severity: markMs <= URGENT_MS || isShort ? 'critical' : 'warn',
      // To where the results come home; what is not known is found out there, too.
      shows: { kind: toSave.kind === 'nothing' ? 'show-box' : 'show-pull', boxId: box.id },
      about: `${box.id} ${clock.id}`,
      quietAt: 'nowhere',
      facts: {
        clock: clock.id,
        leftMs: markMs,
        endsAt: clock.due.kind === 'at' ? isoUtc(clock.due.atMs) : null,
        needMs: 'needMs' in toSave ? Math.round(toSave.needMs) : null,
      },
    };
  },
};

/** Of what takes results along, while there is time at all. */
function timeToSave({ clock: { danger, due }, behind }: ToldClock, atMs: number): TimeToSave {
  const leftMs = due.kind === 'at' ? due.atMs - atMs : 0;
  return leftMs <= 0 || danger === 'money' ? { kind: 'nothing' } : judgeTimeToSave(behind, leftMs);
}
