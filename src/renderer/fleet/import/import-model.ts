import type { Box } from '../../../shared/boxes/box.ts';
import type { ConfigListing, ListedHost } from '../../../shared/boxes/ssh-config/config-listing.ts';
import type { ConfigNote } from '../../../shared/boxes/ssh-config/config-file.ts';
import { addressWords, routeWords } from '../connection/connection-words.ts';

/** One Host entry as a row of the list. */
export interface HostRow {
  readonly host: ListedHost;
  readonly address: string;
  /** Empty: directly, which needs no word. */
  readonly route: string;
  /** `added`: a box came from this entry, or has this very address and way. `unusable`: it says why. */
  readonly state: 'new' | 'added' | 'unusable';
  /** What the search looks through. */
  readonly text: string;
}

/** What a `Host *` says stands with every host: it is shown once, and the hosts keep what is their own. */
export function splitNotes({ hosts, notes }: ConfigListing): {
  readonly hosts: readonly ListedHost[];
  readonly shared: readonly ConfigNote[];
  readonly notes: readonly ConfigNote[];
} {
  const [first, ...others] = hosts;
  if (first === undefined || others.length === 0) return { hosts, notes, shared: [] };
  const keyOf = ({ place, text }: ConfigNote): string => JSON.stringify([place, text]);
  const common = new Set(first.notes.map(keyOf));
  for (const { notes: own } of others) {
    if (common.size === 0) break;
    const here = new Set(own.map(keyOf));
    for (const key of common) if (!here.has(key)) common.delete(key);
  }
  const isShared = (note: ConfigNote): boolean => common.has(keyOf(note));
  return {
    hosts: hosts.map((host) => ({ ...host, notes: host.notes.filter((each) => !isShared(each)) })),
    notes,
    shared: first.notes.filter(isShared),
  };
}

export function toRows(hosts: readonly ListedHost[], boxes: readonly Box[]): readonly HostRow[] {
  const names = new Set(boxes.map(({ options }) => options.configHost));
  const places = new Set(boxes.map(({ address, route }) => placeKey(address, route)));
  return hosts.map((host): HostRow => {
    const { name, connection } = host;
    if (connection === null) {
      return { host, address: '', route: '', state: 'unusable', text: name.toLowerCase() };
    }
    const address = addressWords(connection.address);
    const route = connection.route.kind === 'direct' ? '' : routeWords(connection.route);
    const isAdded = names.has(name) || places.has(placeKey(connection.address, connection.route));
    const text = `${name} ${address} ${route}`.toLowerCase();
    return { host, address, route, state: isAdded ? 'added' : 'new', text };
  });
}

function placeKey(address: Box['address'], route: Box['route']): string {
  return JSON.stringify([address.host.toLowerCase(), address.port, address.user, route]);
}

/** Every word of the query somewhere in the row. */
export function selectMatching(rows: readonly HostRow[], query: string): readonly HostRow[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return rows;
  return rows.filter(({ text }) => words.every((word) => text.includes(word)));
}
