import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * When a process began, as text that differs for the next process with the same number; null when there is none. Linux says
 * it in clock ticks since boot, other systems as a date.
 */
export async function readStartTime(pid: number): Promise<string | null> {
  if (process.platform === 'linux') return (await readStat(pid))?.startTime ?? null;
  return run('ps', ['-o', 'lstart=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim() || null,
    () => null,
  );
}

export type Liveness = 'running' | 'stopped' | 'gone';

/** A zombie counts as gone: nobody may be left to reap a process that was started over SSH. */
export async function readLiveness(pid: number): Promise<Liveness> {
  if (process.platform === 'linux') {
    const state = (await readStat(pid))?.state;
    if (state === undefined || state === 'Z' || state === 'X') return 'gone';
    return state === 'T' ? 'stopped' : 'running';
  }
  try {
    process.kill(pid, 0);
    return 'running';
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM' ? 'running' : 'gone';
  }
}

/** `/proc/<pid>/stat`: the command in parentheses may hold blanks and parentheses itself, so count from its end. */
async function readStat(pid: number): Promise<{ state: string; startTime: string } | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, startTime] = [fields[0], fields[19]];
  return state === undefined || startTime === undefined ? null : { state, startTime };
}

/** Processes that have this file open, where there is no /proc to look into. lsof fails when there are none. */
export async function listHolders(path: string): Promise<number[]> {
  return run('lsof', ['-t', '--', path]).then(
    ({ stdout }) => stdout.split('\n').filter(Boolean).map(Number),
    () => [],
  );
}
