export const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** About one per pixel column of a chart; more would cost and not be seen. */
export const MAX_POINTS = 300;

/** The time that all charts share. */
export interface TimeAxis {
  readonly fromMs: number;
  readonly toMs: number;
}

/** How often a chart is worth drawing anew: when its lines have moved by about a pixel. */
export function redrawEveryMs(spanMs: number): number {
  return spanMs / MAX_POINTS;
}

export interface TimeTick {
  readonly atMs: number;
  readonly label: string;
}

/** Up to an hour that ends now is told as how long ago; anything else by the clock of this machine. */
export function timeTicks(axis: TimeAxis, isLive: boolean): readonly TimeTick[] {
  const spanMs = axis.toMs - axis.fromMs;
  return isLive && spanMs <= HOUR_MS ? ticksAgo(axis) : ticksByClock(axis);
}

/** One tick a minute up to five; longer axes have fewer, shorter ones have one each 20 s. */
function ticksAgo({ fromMs, toMs }: TimeAxis): readonly TimeTick[] {
  const spanMs = toMs - fromMs;
  const minutes = Math.round(spanMs / MINUTE_MS);
  const parts = minutes <= 1 ? 3 : minutes <= 5 ? minutes : minutes > 15 ? 4 : minutes / 5;
  const [divisor, unit] = spanMs > MINUTE_MS ? [MINUTE_MS, 'min'] : [1000, 's'];
  return Array.from({ length: Math.round(parts) + 1 }, (_, i) => {
    const atMs = fromMs + (spanMs * i) / Math.round(parts);
    const ago = Math.round((toMs - atMs) / divisor);
    return { atMs, label: ago === 0 ? 'now' : i === 0 ? `−${ago} ${unit}` : `−${ago}` };
  });
}

const CLOCK_STEPS_MS = [
  1000,
  2000,
  5000,
  10_000,
  15_000,
  30_000,
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 5, 7, 14].map((days) => days * DAY_MS),
];
const MAX_CLOCK_TICKS = 5;

function ticksByClock({ fromMs, toMs }: TimeAxis): readonly TimeTick[] {
  const spanMs = toMs - fromMs;
  const stepMs =
    CLOCK_STEPS_MS.find((each) => spanMs / each <= MAX_CLOCK_TICKS) ?? CLOCK_STEPS_MS.at(-1) ?? 1;
  // Round by the clock on the wall: midnight, not midnight in Greenwich.
  const zoneMs = new Date(fromMs).getTimezoneOffset() * MINUTE_MS;
  const firstMs = Math.ceil((fromMs - zoneMs) / stepMs) * stepMs + zoneMs;
  const ticks: TimeTick[] = [];
  for (let atMs = firstMs; atMs <= toMs; atMs += stepMs) {
    ticks.push({ atMs, label: clockLabel(atMs, stepMs) });
  }
  return ticks;
}

function clockLabel(atMs: number, stepMs: number): string {
  const at = new Date(atMs);
  const isMidnight = at.getHours() === 0 && at.getMinutes() === 0 && at.getSeconds() === 0;
  if (stepMs >= DAY_MS || (isMidnight && stepMs >= HOUR_MS)) {
    return at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  }
  const isShort = stepMs >= MINUTE_MS;
  return at.toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    ...(!isShort && { second: '2-digit' }),
  });
}

const USUAL_STEP_MS = 1000;

/** The median of the last distances, because a single hiccup says nothing about the cadence. */
export function usualStepMs(atMs: ArrayLike<number>): number {
  const steps: number[] = [];
  for (let i = Math.max(1, atMs.length - 15); i < atMs.length; i += 1) {
    steps.push((atMs[i] ?? 0) - (atMs[i - 1] ?? 0));
  }
  return steps.sort((a, b) => a - b)[steps.length >> 1] ?? USUAL_STEP_MS;
}
