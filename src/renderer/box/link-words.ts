import type { LinkState } from '../../shared/boxes/box.ts';
import { unreachable } from '../../shared/result.ts';
import { formatDuration, formatQuantity } from '../ui/format.ts';
import type { Tone } from '../ui/glyph.tsx';

const WORDS: Readonly<Record<LinkState['kind'], string>> = {
  idle: 'Not connected',
  connecting: 'Connecting',
  up: 'Link up',
  waiting: 'Link down',
  'host-key-unknown': 'Host key unknown',
  'host-key-changed': 'Host key changed',
  'host-key-revoked': 'Host key revoked',
  down: 'Link down',
};

/** The state alone; it changes when the state does and not with every measurement or try. */
export function linkStateWord(link: LinkState): string {
  return WORDS[link.kind];
}

/** The state with what goes with it: latency, or which try this is. */
export function linkWords(link: LinkState): string {
  const word = linkStateWord(link);
  if (link.kind === 'up' && link.latencyMs !== null) {
    return `${word} · ${formatQuantity(link.latencyMs, 'ms')}`;
  }
  if (link.kind === 'down') return `${word} · needs you`;
  const isRetrying = link.kind === 'waiting' || (link.kind === 'connecting' && link.attempt > 1);
  return isRetrying ? `${word} · try ${link.attempt}` : word;
}

/** `next in 8 s`, down to `next in 1 s`; then it is due. */
export function nextTryWords(retryAtMs: number, nowMs: number): string {
  const leftS = Math.ceil((retryAtMs - nowMs) / 1000);
  return leftS > 0 ? `next in ${formatDuration(leftS * 1000)}` : 'next now';
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
