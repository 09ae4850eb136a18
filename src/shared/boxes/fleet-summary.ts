import type { FleetEntry } from '../streams/fleet-stream.ts';
import type { LinkState } from './box.ts';

/** How a box stands, in the one word that rail, tray and notifications share. */
export type Standing = 'working' | 'up' | 'connecting' | 'needs-you' | 'not-connected';

export function judgeStanding({ link, telemetry, latest }: FleetEntry): Standing {
  switch (link.kind) {
    case 'idle':
      return 'not-connected';
    case 'connecting':
    case 'waiting':
      return 'connecting';
    case 'host-key-unknown':
    case 'host-key-changed':
    case 'host-key-revoked':
    case 'down':
      return 'needs-you';
    case 'up': {
      if (telemetry.kind === 'failed') return 'needs-you';
      const isBusy = latest?.readings.some(({ smPct }) => smPct !== null && smPct > 0) ?? false;
      return isBusy ? 'working' : 'up';
    }
  }
}

/** One line about the whole fleet, for the tray. */
export function describeFleet(entries: readonly FleetEntry[]): string {
  if (entries.length === 0) return 'Leasehold: no boxes';
  const counts = new Map<Standing, number>();
  for (const entry of entries) {
    const standing = judgeStanding(entry);
    counts.set(standing, (counts.get(standing) ?? 0) + 1);
  }
  const words: readonly (readonly [Standing, string])[] = [
    ['needs-you', 'need you'],
    ['working', 'working'],
    ['up', 'up without GPU work seen'],
    ['connecting', 'connecting'],
    ['not-connected', 'not connected'],
  ];
  const parts = words.flatMap(([standing, word]) => {
    const count = counts.get(standing);
    if (count === undefined) return [];
    const verb = standing === 'needs-you' && count === 1 ? 'needs you' : word;
    return [`${String(count)} ${verb}`];
  });
  return `Leasehold: ${parts.join(', ')}`;
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
