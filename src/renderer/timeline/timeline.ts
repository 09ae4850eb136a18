import type { Clock } from '../../shared/clocks/clock.ts';
import { isInSums } from '../../shared/demo/demo-platform.ts';
import { nearestClock, unknownClocks } from '../../shared/clocks/select-clocks.ts';
import { TIMELINE_MS } from '../../shared/clocks/when.ts';
import type { BoxMeter } from '../../shared/meter/box-meter.ts';
import { addMoney, estimateFor, type Estimate } from '../../shared/meter/estimate.ts';
import type { Money } from '../../shared/money.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import type { BoxClocks, ByBox } from '../../shared/streams/meter-stream.ts';

/** What comes next needs a decision now: it has half of the width, and the days behind it the rest. */
const NEAR_MS = 86_400_000;
/** Where the first day ends. */
export const NEAR_SHARE = 0.5;

// What comes to every box in the next days if nobody does anything. Pure: time and everything known are arguments.

export interface TimelineInput {
  readonly entries: readonly FleetEntry[];
  readonly clocks: ByBox<BoxClocks>['boxes'];
  readonly meters: ByBox<BoxMeter>['boxes'];
  readonly nowMs: number;
}

/** A clock with a time that has come or comes within the days shown. */
export interface TimelineMark {
  readonly clock: Clock;
  readonly atMs: number;
  /** Where it stands between now and the last day, from 0 to 1. What is over stands at 0. */
  readonly share: number;
}

export interface TimelineRow {
  readonly entry: FleetEntry;
  /** The earliest first. */
  readonly marks: readonly TimelineMark[];
  /** What runs without a time in these days; null: nothing does. */
  readonly other: Clock | null;
  /** What may come unseen: this is to be told or measured first. */
  readonly mayRun: readonly Clock[];
  /** Until the first end of its data or its run, or the last of the days; null: nobody knows what is billed. */
  readonly cost: Estimate | null;
  readonly costUntilMs: number;
}

export function timelineRows({
  entries,
  clocks,
  meters,
  nowMs,
}: TimelineInput): readonly TimelineRow[] {
  const rows = entries.map((entry) => {
    const { id } = entry.box;
    return rowOf(entry, clocks[id]?.clocks ?? [], meters[id] ?? null, nowMs);
  });
  return rows.sort((a, b) => rank(a) - rank(b) || firstMs(a) - firstMs(b));
}

function rowOf(
  entry: FleetEntry,
  clocks: readonly Clock[],
  meter: BoxMeter | null,
  nowMs: number,
): TimelineRow {
  const lastMs = nowMs + TIMELINE_MS;
  const marks = clocks
    .flatMap((clock): TimelineMark[] => {
      if (clock.due.kind !== 'at' || clock.danger === 'none' || clock.due.atMs > lastMs) return [];
      const { atMs } = clock.due;
      return [{ clock, atMs, share: shareOf(atMs - nowMs) }];
    })
    .sort((a, b) => a.atMs - b.atMs);
  // What ends data or a run ends what is billed for it; what is over and was not seen may have ended nothing.
  const end = marks.find(({ clock, atMs }) => atMs > nowMs && clock.danger !== 'money');
  const costUntilMs = end?.atMs ?? lastMs;
  const isBilled = meter !== null && meter.phase !== null;
  return {
    entry,
    marks,
    other: marks.length > 0 ? null : nearestClock(clocks, nowMs),
    mayRun: unknownClocks(clocks),
    cost: isBilled ? estimateFor(meter.charges, costUntilMs - nowMs) : null,
    costUntilMs,
  };
}

/** A time before none, danger without a time before what nobody knows, and last what nothing happens to. */
function rank({ marks, other, mayRun }: TimelineRow): number {
  if (marks.length > 0) return 0;
  if (other !== null) return 1;
  return mayRun.length > 0 ? 2 : 3;
}

function firstMs({ marks }: TimelineRow): number {
  return marks[0]?.atMs ?? 0;
}

export interface TimelineCost {
  readonly money: readonly Money[];
  /** Boxes of which it is not, or not wholly, known. */
  readonly unknownBoxes: number;
}

export function sumCosts(rows: readonly TimelineRow[]): TimelineCost {
  const counted = rows.filter(({ entry }) => isInSums(entry.box));
  return {
    money: counted.reduce<readonly Money[]>(
      (sum, { cost }) => addMoney(sum, cost?.money ?? []),
      [],
    ),
    unknownBoxes: counted.filter(({ cost }) => cost === null || cost.isPartly).length,
  };
}

/** Where it stands on the axis, from 0 to 1; what is over stands at 0. */
function shareOf(leftMs: number): number {
  const ms = Math.max(0, leftMs);
  if (ms <= NEAR_MS) return (NEAR_SHARE * ms) / NEAR_MS;
  return NEAR_SHARE + ((1 - NEAR_SHARE) * (ms - NEAR_MS)) / (TIMELINE_MS - NEAR_MS);
}

/** The first day by its hours. */
export const TIMELINE_HOURS = [6, 12, 18, 24].map((hours) => ({
  share: shareOf(hours * 3_600_000),
  label: `${hours} h`,
}));

export interface TimelineDay {
  readonly atMs: number;
  readonly share: number;
  /** "Mon 23" */
  readonly label: string;
  readonly isWeekend: boolean;
}

/** The midnights of whoever sits here: a day on which the clocks are changed is an hour shorter or longer. */
export function timelineDays(nowMs: number): readonly TimelineDay[] {
  const now = new Date(nowMs);
  // Made anew: the zone may have changed since the window was opened.
  const dayLabel = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' });
  const days: TimelineDay[] = [];
  for (let i = 1; ; i += 1) {
    const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + i);
    const atMs = midnight.getTime();
    if (atMs >= nowMs + TIMELINE_MS) return days;
    days.push({
      atMs,
      share: shareOf(atMs - nowMs),
      label: dayLabel.format(midnight).replace(',', ''),
      isWeekend: midnight.getDay() === 0 || midnight.getDay() === 6,
    });
  }
}
