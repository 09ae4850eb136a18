import type { LoadedProfile } from '../../shared/profiles/loaded.ts';
import { formatCount } from '../ui/format.ts';

/** Where a profile comes from. */
export function originWords({ origin, changes }: LoadedProfile): string {
  switch (origin) {
    case 'shipped':
      return 'Built-in facts';
    case 'own':
      return 'Facts of your own';
    case 'overridden':
      return `Built-in facts, ${formatCount(changes.length, 'field')} of your own`;
  }
}
