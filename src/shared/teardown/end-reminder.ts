const HOUR_MS = 3600_000;
/** From the one before, or from the yes. Each longer than the last: what is confirmed at once never rings, and what was forgotten rings while it is cheap still. */
const STEPS_MS = [HOUR_MS / 4, (3 * HOUR_MS) / 4, 3 * HOUR_MS, 8 * HOUR_MS, 12 * HOUR_MS];
const LATER_MS = 24 * HOUR_MS;

/**
 * Whether a person is to be reminded now that an end is not confirmed: five times on the first day, and once on each other. `lastAtMs` is the last
 * reminder, or the yes before there was one; it lies ahead where a clock was set right since, and waiting for it could take years.
 */
export const isReminderDue = (lastAtMs: number, times: number, nowMs: number): boolean =>
  lastAtMs > nowMs || nowMs >= nextReminderMs(lastAtMs, times);

export const nextReminderMs = (lastAtMs: number, times: number): number =>
  lastAtMs + (STEPS_MS[times] ?? LATER_MS);
