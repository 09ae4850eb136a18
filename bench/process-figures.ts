// What running processes use, as Linux tells it under /proc.
import { readFileSync } from 'node:fs';
import type { RunningApp } from '../e2e/fixtures/app.ts';
import type { BenchRow } from './harness.ts';

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

/** What an app may grow by while it shows something of any length. */
const MAX_GROWTH_MIB = 150;

/** The processes that bear it: main, and the window. */
export async function pidsOf(app: RunningApp['app']): Promise<readonly number[]> {
  const windowPid = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
  );
  return [app.process().pid ?? 0, windowPid ?? 0];
}

/** How much each of those grew. */
export const growthRows = (growthMiB: readonly number[], when: string): readonly BenchRow[] =>
  ['main', 'window'].map((name, i) => ({
    measure: `${name} process grew by at most, ${when}`,
    value: growthMiB[i] ?? NaN,
    unit: 'MiB RSS',
    goal: `at most ${String(MAX_GROWTH_MIB)}`,
    isMet: (growthMiB[i] ?? NaN) <= MAX_GROWTH_MIB,
  }));
