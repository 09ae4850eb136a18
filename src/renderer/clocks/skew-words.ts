import type { Skew } from '../../shared/clocks/skew.ts';
import { unreachable } from '../../shared/result.ts';
import { formatDuration } from '../ui/format.ts';

/** Null: nothing to say. */
export function skewWords(skew: Skew): string | null {
  switch (skew.kind) {
    case 'unknown':
    case 'fine':
      return null;
    case 'off': {
      const way = skew.byMs > 0 ? 'ahead of' : 'behind';
      return `The box’s clock is ${formatDuration(Math.abs(skew.byMs))} ${way} this machine’s. Which of them is right is not known; times here are this machine’s.`;
    }
    case 'absurd':
      return `The box’s clock is ${formatDuration(Math.abs(skew.byMs))} off this machine’s: nothing is computed from its dates.`;
    default:
      return unreachable(skew);
  }
}
