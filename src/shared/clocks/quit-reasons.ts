import type { Box } from '../boxes/box.ts';
import { alarmText } from './alarm-text.ts';
import type { Clock } from './clock.ts';

interface Watched {
  /** All of the person's clocks that have a time. */
  readonly clocks: readonly { readonly box: Pick<Box, 'name'>; readonly clock: Clock }[];
  /** How much is waited for on boxes. */
  readonly waiting: number;
  /** How long before a clock runs out the person wants to be told. */
  readonly alarmMarksMs: readonly number[];
}

/** As many clocks are named; a system's dialog scrolls nowhere. */
const MAX_NAMED = 5;

/** What would be missed by who quits now, a line each; none: nothing. A clock that is further away than its first alarm calls nobody yet. */
export function quitReasons(
  { clocks, waiting, alarmMarksMs }: Watched,
  nowMs: number,
): readonly string[] {
  const firstMarkMs = Math.max(0, ...alarmMarksMs);
  const near = clocks
    .flatMap(({ box, clock }) =>
      clock.due.kind === 'at' ? [{ box, clock, leftMs: clock.due.atMs - nowMs }] : [],
    )
    .filter(({ leftMs }) => leftMs > 0 && leftMs <= firstMarkMs)
    .sort((a, b) => a.leftMs - b.leftMs);
  const reasons = near.slice(0, MAX_NAMED).map(({ box, clock }) => {
    const { title, body } = alarmText(box.name, clock, nowMs);
    return `${title}. ${body}`;
  });
  const left = near.length - MAX_NAMED;
  if (left > 0) {
    reasons.push(
      left === 1 ? 'One more clock runs out soon.' : `${String(left)} more clocks run out soon.`,
    );
  }
  if (waiting > 0) {
    reasons.push(
      waiting === 1
        ? 'One thing that you wait for has not happened.'
        : `${String(waiting)} things that you wait for have not happened.`,
    );
  }
  return reasons;
}
