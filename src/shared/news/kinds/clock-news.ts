import type { Box } from '../../boxes/box.ts';
import { alarmText } from '../../clocks/alarm-text.ts';
import type { Clock } from '../../clocks/clock.ts';
import { EVERYWHERE, type NewsKind } from '../news.ts';

/** A mark of a clock that was just reached. */
export interface ClockAlarm {
  readonly box: Box;
  readonly clock: Clock;
  /** At this mark so much time is left; 0: it is over, and what the platform does then may have happened. */
  readonly markMs: number;
}

/** At or below this a phone should ring and not only show. */
const URGENT_MS = 3_600_000;

/** Also to a person who looks at the window: it may show another box. */
export const clockNews: NewsKind<ClockAlarm> = {
  kind: 'clock',
  picture: 'hourglass_flowing_sand',
  to: EVERYWHERE,
  isKept: true,
  words: ({ box, clock, markMs }, atMs) => ({
    ...alarmText(box.name, clock, atMs),
    box,
    severity: markMs <= URGENT_MS ? 'critical' : 'warn',
    shows: { kind: 'show-box', boxId: box.id },
    about: `${box.id} ${clock.id}`,
    quietAt: 'nowhere',
    facts: {
      clock: clock.id,
      leftMs: markMs,
      endsAt: clock.due.kind === 'at' ? new Date(clock.due.atMs).toISOString() : null,
    },
  }),
};
