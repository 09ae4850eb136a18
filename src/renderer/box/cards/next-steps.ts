import type { LinkState } from '../../../shared/boxes/box.ts';
import { connectRequested, patrolRequested } from '../../state/actions.ts';

interface Step {
  readonly label: string;
  readonly run: () => void;
}

/** What brings an answer that only the box has. Null: it is on its way by itself. */
export function checkStep(boxId: string, link: LinkState, hasLooked: boolean): Step | null {
  switch (link.kind) {
    case 'idle':
    case 'down':
      return { label: 'Connect to check', run: () => connectRequested(boxId) };
    case 'up':
      return hasLooked ? { label: 'Check now', run: () => patrolRequested(boxId) } : null;
    default:
      return null;
  }
}
