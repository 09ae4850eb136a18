import type { FleetEntry } from '../streams/fleet-stream.ts';
import type { LinkState } from './box.ts';
import { countStandings } from './standing.ts';

/** One line about the whole fleet, for the tray. */
export function describeFleet(entries: readonly FleetEntry[], nowMs: number): string {
  if (entries.length === 0) return 'Leasehold: no boxes';
  return `Leasehold: ${countStandings(entries, nowMs)}`;
}

/** What deserves a native notification when a link changes: only what stops until the person acts. */
export function selectLinkNotification(
  name: string,
  before: LinkState,
  after: LinkState,
): { readonly title: string; readonly body: string } | null {
  if (before.kind === after.kind) return null;
  switch (after.kind) {
    case 'host-key-changed':
      return {
        title: `${name}: the host key changed`,
        body: 'Leasehold does not connect until you have looked at it.',
      };
    case 'host-key-revoked':
      return {
        title: `${name}: the host key is revoked`,
        body: 'Your known_hosts revokes the key it shows. Leasehold does not connect.',
      };
    case 'down':
      return { title: `${name}: ${after.problem.message}`, body: after.problem.nextStep };
    case 'waiting':
      return before.kind === 'up'
        ? { title: `${name}: ${after.problem.message}`, body: after.problem.nextStep }
        : null;
    case 'idle':
    case 'connecting':
    case 'up':
    case 'host-key-unknown': // only ever follows the person's own click
      return null;
  }
}
