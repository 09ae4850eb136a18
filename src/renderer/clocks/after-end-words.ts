import type { LinkState } from '../../shared/boxes/box.ts';
import { unreachable } from '../../shared/result.ts';

/** What a clock that has run out means, by what the box says now. Only the platform knows for sure. */
export function afterEndWords(link: LinkState): string {
  switch (link.kind) {
    case 'up':
      return 'The box still answers: it has not happened yet, or the time is not right.';
    case 'host-key-changed':
    case 'host-key-revoked':
      return 'Another key answers at its address: it may have happened, and this may be another machine.';
    case 'waiting':
    case 'down':
      return 'The box does not answer: it may have happened while nobody looked. The platform’s page knows.';
    case 'idle':
    case 'connecting':
    case 'host-key-unknown':
      return 'The box is not connected: whether it has happened is not known. The platform’s page knows.';
    default:
      return unreachable(link);
  }
}
