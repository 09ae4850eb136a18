import { isArchived } from '../../shared/boxes/archived.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import type { Page } from '../state/view.ts';

/**
 * What is really shown, of all boxes, those in the archive among them. Who has a single box wants to see that box and not a table with one row; and a box that has
 * left the list cannot be shown any more.
 */
export function resolvePage(
  page: Page,
  entries: readonly FleetEntry[],
): Exclude<Page, { kind: 'start' }> {
  if (page.kind === 'start') {
    const [only, second] = entries.filter(({ box }) => !isArchived(box));
    return only !== undefined && second === undefined
      ? { kind: 'box', boxId: only.box.id, tab: 'overview' }
      : { kind: 'fleet' };
  }
  if (page.kind === 'box' && !entries.some(({ box }) => box.id === page.boxId)) {
    return { kind: 'fleet' };
  }
  if (page.kind === 'costs' && !entries.some(({ box }) => box.id === page.boxId)) {
    return { kind: 'costs', boxId: null };
  }
  return page;
}
