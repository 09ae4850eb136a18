const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long something takes or took, at most two units: `8 s`, `41 min`, `4 h 50 min`, `11 d`. */
export function durationWords(ms: number): string {
  const left = Math.max(0, ms);
  if (left < MINUTE_MS) return `${String(Math.floor(left / SECOND_MS))} s`;
  if (left < HOUR_MS) return `${String(Math.floor(left / MINUTE_MS))} min`;
  if (left < DAY_MS) {
    return twoUnits(
      [Math.floor(left / HOUR_MS), 'h'],
      [Math.floor((left % HOUR_MS) / MINUTE_MS), 'min'],
    );
  }
  const days = Math.floor(left / DAY_MS);
  return twoUnits([days, 'd'], [days >= 10 ? 0 : Math.floor((left % DAY_MS) / HOUR_MS), 'h']);
}

type Part = readonly [count: number, unit: string];

function twoUnits(first: Part, second: Part): string {
  return [first, ...(second[0] === 0 ? [] : [second])].map((part) => part.join(' ')).join(' ');
}
