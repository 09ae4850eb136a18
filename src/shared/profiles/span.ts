const UNITS_MS = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** "15 d" → milliseconds. A day is 24 hours here: platforms count time, not calendar days. */
export function parseSpan(text: string): number | null {
  const [, count, unit] = /^(\d{1,6}) (s|min|h|d)$/.exec(text) ?? [];
  if (count === undefined || unit === undefined) return null;
  return Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
}
