// The marks at which a clock rings, as a person writes them: "24 h, 6 h, 1 h, 15 min".

const UNITS = [
  { word: 'd', ms: 86_400_000 },
  { word: 'h', ms: 3_600_000 },
  { word: 'min', ms: 60_000 },
] as const;

/** Shorter than the clocks are looked at would not ring in time; longer is a calendar's work. */
export const MARK_MS = { min: 60_000, max: 30 * 86_400_000 } as const;
export const MAX_MARKS = 10;

/** A sentence: why they are none. No marks at all are allowed. */
export function parseMarks(text: string): readonly number[] | string {
  const words = text
    .split(/[,;]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const marks: number[] = [];
  for (const word of words) {
    const markMs = parseMark(word);
    if (markMs === null) return `“${word}” is no time: write it as 24 h, 15 min or 2 d.`;
    if (markMs < MARK_MS.min) return `“${word}” is too short: at least 1 min.`;
    if (markMs > MARK_MS.max) return `“${word}” is too long: at most 30 d.`;
    marks.push(markMs);
  }
  const sorted = [...new Set(marks)].sort((a, b) => b - a);
  return sorted.length > MAX_MARKS ? `At most ${MAX_MARKS} of them.` : sorted;
}

/** In the largest unit in which it is whole: "90 min", "2 d". */
export function writeMarks(marksMs: readonly number[]): string {
  return marksMs.map(writeMark).join(', ');
}

export function writeMark(markMs: number): string {
  const unit = UNITS.find(({ ms }) => markMs % ms === 0 && (ms < 86_400_000 || markMs >= 2 * ms));
  return unit === undefined ? `${markMs / 60_000} min` : `${markMs / unit.ms} ${unit.word}`;
}

function parseMark(word: string): number | null {
  const [, count, unit] = /^(\d{1,6}(?:\.\d{1,3})?)\s*(d|h|min|m)$/i.exec(word) ?? [];
  const short = unit?.toLowerCase() === 'm' ? 'min' : unit?.toLowerCase();
  const found = UNITS.find(({ word: each }) => each === short);
  return found === undefined ? null : Math.round(Number(count) * found.ms);
}
