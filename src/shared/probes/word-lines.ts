import { filledLines } from './probe-output.ts';

/** Lines of "word rest", as the on-box scripts print them. A word may come several times. */
export type Pairs = ReadonlyMap<string, readonly string[]>;

export function readPairs(text: string): Pairs {
  const pairs = new Map<string, string[]>();
  for (const line of filledLines(text)) {
    const [, word, rest] = /^([a-z_-]+) (.*)$/.exec(line) ?? [];
    if (word === undefined || rest === undefined || rest.trim() === '') continue;
    const known = pairs.get(word);
    if (known === undefined) pairs.set(word, [rest.trim()]);
    else known.push(rest.trim());
  }
  return pairs;
}

export function whole(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

export function readBootId(pairs: Pairs): string | null {
  const bootId = pairs.get('boot_id')?.[0] ?? '';
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(bootId) ? bootId : null;
}

/** `/proc/uptime`: its first number. */
export function readUptimeS(pairs: Pairs): number | null {
  const uptime = pairs.get('uptime')?.[0]?.split(' ')[0] ?? '';
  return /^\d{1,12}(?:\.\d{1,4})?$/.test(uptime) ? Number(uptime) : null;
}

/** `getconf CLK_TCK` says 100 on every Linux that people meet. */
const USUAL_TICKS = 100;

/** Clock ticks per second, the unit of start times. */
export function readTicks(pairs: Pairs): number {
  return Number(pairs.get('tick')?.[0]) || USUAL_TICKS;
}

/** How long a process has run; null where one of its clocks is not told. */
export function ageOf(
  startTicks: number | null,
  uptimeS: number | null,
  ticks: number,
): number | null {
  if (startTicks === null || uptimeS === null) return null;
  return Math.max(0, Math.round(uptimeS - startTicks / ticks));
}
