import { readFileSync, readlinkSync } from 'node:fs';

export function statOf(
  pid: number,
): { pid: number; parent: number; session: number; state: string } | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  } catch {
    return null; // it ended in this moment
  }
  const [state = '', parent, , session] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { pid, parent: Number(parent), session: Number(session), state };
}

export function isAlive(pid: number): boolean {
  const stat = statOf(pid);
  return stat !== null && stat.state !== 'Z' && stat.state !== 'X';
}

export const childrenOf = (pid: number): readonly string[] =>
  readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8')
    .split(' ')
    .filter(Boolean);

export const nameOf = (pid: number): string =>
  readFileSync(`/proc/${String(pid)}/comm`, 'utf8').trim();

export function childOf(pid: number): number {
  const [child] = childrenOf(pid);
  if (child === undefined) throw new Error(`process ${String(pid)} has no child`);
  return Number(child);
}

export function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null; // it ended in this moment
  }
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ESRCH') throw cause;
  }
}
