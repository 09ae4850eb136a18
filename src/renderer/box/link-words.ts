import type { LinkState } from '../../shared/boxes/box.ts';
import { isSignInFailed } from '../../shared/boxes/sign-in-failed.ts';
import { unreachable } from '../../shared/result.ts';
import { formatDuration, formatQuantity } from '../ui/format.ts';
import type { Tone } from '../ui/glyph.tsx';

const WORDS: Readonly<Record<LinkState['kind'], string>> = {
  idle: 'Not connected',
  connecting: 'Connecting',
  up: 'Connected',
  waiting: 'Reconnecting',
  'host-key-unknown': 'Host key unknown',
  'host-key-changed': 'Host key changed',
  'host-key-revoked': 'Host key revoked',
  down: 'Disconnected',
};

/** The state alone; it changes when the state does and not with every measurement or try. */
export function linkStateWord(link: LinkState): string {
  if (link.kind === 'down' && isSignInFailed(link.problem)) return 'Sign-in failed';
  return WORDS[link.kind];
}

/** The state with what goes with it: latency, or which try this is. */
export function linkWords(link: LinkState): string {
  const word = linkStateWord(link);
  if (link.kind === 'up' && link.latencyMs !== null) {
    return `${word} · ${formatQuantity(link.latencyMs, 'ms')}`;
  }
  if (link.kind === 'down') return isSignInFailed(link.problem) ? word : `${word} · action needed`;
  const isRetrying = link.kind === 'waiting' || (link.kind === 'connecting' && link.attempt > 1);
  return isRetrying ? `${word} (attempt ${link.attempt})` : word;
}

/** What follows "reconnecting": `in 8 s (attempt 3)`, down to `in 1 s`; then it is due. */
export function nextTryWords(
  { attempt, retryAtMs }: { readonly attempt: number; readonly retryAtMs: number },
  nowMs: number,
): string {
  const leftS = Math.ceil((retryAtMs - nowMs) / 1000);
  const when = leftS > 0 ? `in ${formatDuration(leftS * 1000)}` : 'now';
  return `${when} (attempt ${String(attempt)})`;
}

export function linkTone(link: LinkState): Tone {
  switch (link.kind) {
    case 'idle':
      return 'off';
    case 'connecting':
      return 'wait';
    case 'up':
      return 'ok';
    case 'waiting':
    case 'host-key-unknown':
      return 'warn';
    case 'host-key-changed':
    case 'host-key-revoked':
    case 'down':
      return 'danger';
    default:
      return unreachable(link);
  }
}
