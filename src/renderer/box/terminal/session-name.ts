import type { TmuxSession } from '../../../shared/terminal/terminal.ts';

/** `work`, or the first free `work-2`, `work-3` … */
export function suggestSessionName(sessions: readonly TmuxSession[]): string {
  const taken = new Set(sessions.map(({ name }) => name));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'work' : `work-${number}`;
    if (!taken.has(name)) return name;
  }
}
