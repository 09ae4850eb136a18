// Between moments and what an <input type="datetime-local"> holds: the date and time of whoever sits here.

/** "2026-03-29T03:30" */
export function toLocalInput(atMs: number): string {
  const at = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/**
 * Null: no date. A time that the change to summer time leaves out becomes the one an hour later, as JavaScript has it, so it
 * is always shown again as it was understood.
 */
export function fromLocalInput(text: string): number | null {
  const [, year, month, day, hour, minute] =
    /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const at = new Date(year, month - 1, day, hour, minute);
  return Number.isNaN(at.getTime()) ? null : at.getTime();
}

/** Tomorrow at nine, by this machine's calendar: the person will be there again. */
export function tomorrowMs(nowMs: number): number {
  const at = new Date(nowMs);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1, 9).getTime();
}
