import type { LinkState } from '../../shared/boxes/box.ts';
import { unreachable } from '../../shared/result.ts';
import { formatQuantity } from '../ui/format.ts';
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
