import { DEMO_PLATFORM } from '../../../shared/demo/demo-platform.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { DemoLine } from './demo-line.tsx';
import { MissingLine } from './missing-line.tsx';

/** What stands below the cards, behind one name: each part that comes later costs its own. */
export function CardsNote({ entry }: { readonly entry: BoxEntry }) {
  return entry.box.platform === DEMO_PLATFORM ? <DemoLine /> : <MissingLine entry={entry} />;
}
