import type { TmuxSession } from '../../../shared/terminal/terminal.ts';
import { selectTabs, useTerminals } from './terminals-store.ts';

/** `work`, or the first `work-2`, `work-3` … that no session has and no tab is about to make. */
export function suggestSessionName(boxId: string, sessions: readonly TmuxSession[]): string {
  const making = selectTabs(boxId)(useTerminals.getState()).map((tab) => tab.making);
  const taken = new Set([...sessions.map(({ name }) => name), ...making]);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'work' : `work-${number}`;
    if (!taken.has(name)) return name;
  }
}
