import type { FleetState } from '../../shared/streams/fleet-stream.ts';
import { useFleet } from '../state/feeds.ts';
import type { Feed } from '../state/stream-client.ts';
import { useView } from '../state/view.ts';
import { linkStateWord } from '../box/link-words.ts';
import { selectEntries } from '../state/feeds.ts';
import { resolvePage } from './resolve-page.ts';

/**
 * Tells screen readers when the link of the box that is shown changes its state. Only of that box, and never samples:
 * a hundred boxes that reconnect would talk without end.
 */
export function Announcer() {
  const page = useView((view) => view.page);
  const words = useFleet((feed: Feed<FleetState>) => {
    const entries = selectEntries(feed);
    const shown = resolvePage(page, entries);
    if (shown.kind !== 'box') return '';
    const entry = entries.find(({ box }) => box.id === shown.boxId);
    return entry === undefined ? '' : `${entry.box.name}: ${linkStateWord(entry.link)}`;
  });
  return (
    <div className="sr-only" role="status" aria-live="polite">
      {words}
    </div>
  );
}
