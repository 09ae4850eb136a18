// What running processes use, as Linux tells it under /proc.
import { readFileSync } from 'node:fs';

const RSS_EVERY_MS = 200;
const TICKS_PER_S = 100; // sysconf(_SC_CLK_TCK), the same on every Linux

function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) / 1024;
}

/** What a process has used of the processor so far, with all its threads. */
export function processorSeconds(pid: number): number {
  return secondsIn(`/proc/${String(pid)}/stat`);
}

/** What of that its first thread has used: a process's own code, without the engine's helpers. */
export function firstThreadSeconds(pid: number): number {
  return secondsIn(`/proc/${String(pid)}/task/${String(pid)}/stat`);
}

function secondsIn(file: string): number {
  const stat = readFileSync(file, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
}

/** Watches processes while `act` runs; answers how much each grew at most. */
export async function watchGrowth<T>(
  pids: readonly number[],
  act: () => Promise<T>,
): Promise<{ result: T; growthMiB: readonly number[] }> {
  const before = pids.map(residentMiB);
  const most = [...before];
  const timer = setInterval(() => {
    pids.forEach((pid, i) => (most[i] = Math.max(most[i] ?? 0, residentMiB(pid))));
  }, RSS_EVERY_MS);
  try {
    const result = await act();
    return { result, growthMiB: most.map((value, i) => value - (before[i] ?? 0)) };
  } finally {
    clearInterval(timer);
  }
}
