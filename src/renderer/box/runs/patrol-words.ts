import type { PatrolPace, PatrolState } from '../../../shared/patrol/patrol-state.ts';
import { formatAge, formatDuration } from '../../ui/format.ts';

/** `Last patrol 2 min ago`; of one that brought nothing, that it failed. */
export function lastWords({ seen, failed }: PatrolState, nowMs: number): string {
  if (failed !== null) return `Patrol failed ${formatAge(nowMs - failed.atMs)}`;
  return seen === null ? 'No patrol yet' : `Last patrol ${formatAge(nowMs - seen.atMs)}`;
}

export function nextWords({ phase }: PatrolState, nowMs: number): string {
  switch (phase.kind) {
    case 'off':
      return 'none while not connected';
    case 'looking':
      return 'looking now';
    case 'waiting':
      return phase.nextAtMs <= nowMs
        ? 'next at once'
        : `next in ${formatDuration(phase.nextAtMs - nowMs)}`;
  }
}

/** Why the next one comes then. */
export const PACE_WORDS: Readonly<Record<PatrolPace, string>> = {
  usual: 'As often as your settings say.',
  wrong: 'Every 30 s, because something is wrong on this box.',
  idle: 'More seldom than your settings say, because nothing runs on this box.',
  failed: 'After a patrol that brought nothing the next ones come after growing pauses.',
};
