import type { PatrolPace, PatrolState } from '../../../shared/patrol/patrol-state.ts';
import { formatAge, formatDuration } from '../../ui/format.ts';

/** `Checked 2 min ago`; of one that brought nothing, that it failed. */
export function lastWords({ seen, failed }: PatrolState, nowMs: number): string {
  if (failed !== null) return `Check failed ${formatAge(nowMs - failed.atMs)}`;
  return seen === null ? 'Not checked' : `Checked ${formatAge(nowMs - seen.atMs)}`;
}

export function nextWords({ phase }: PatrolState, nowMs: number): string {
  switch (phase.kind) {
    case 'off':
      return 'paused (not connected)';
    case 'looking':
      return 'checking…';
    case 'waiting':
      return phase.nextAtMs <= nowMs
        ? 'next now'
        : `next in ${formatDuration(phase.nextAtMs - nowMs)}`;
  }
}

/** Why the next one comes then. */
export const PACE_WORDS: Readonly<Record<PatrolPace, string>> = {
  usual: 'As often as your settings say.',
  wrong: 'Every 30 s, because something is wrong on this box.',
  idle: 'Less often than your settings say, because nothing runs on this box.',
  failed: 'After a failed check the next ones come after growing pauses.',
};
