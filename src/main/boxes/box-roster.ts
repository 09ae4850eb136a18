import { isArchived } from '../../shared/boxes/archived.ts';
import type { Box } from '../../shared/boxes/box.ts';
import { noSuchBox } from '../../shared/boxes/no-such-box.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import {
  fleetStream,
  untouchedEntry,
  type FleetDelta,
  type FleetEntry,
  type FleetState,
} from '../../shared/streams/fleet-stream.ts';
import type { Link } from '../ssh/link.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';

/** What somebody who works for boxes hears of them. */
export interface RosterFollower {
  /** A box is in the list: one that has just come, or that was there when the following began. */
  readonly added?: (entry: FleetEntry) => void;
  readonly changed?: (entry: FleetEntry, before: FleetEntry) => void;
  /** It was forgotten, and not only let go of because Leasehold quits. */
  readonly removed?: (boxId: string) => void;
}

/** For who only needs to reach boxes that others look after. */
export type Connections = Pick<BoxRoster, 'connectionOf'>;

interface Listed {
  entry: FleetEntry;
  link: Link | null;
}

/**
 * The boxes in the list, how each stands right now, and the way to each. Whoever works for boxes knows them from here; the
 * fleet writes in it, and `FiguresWatch` how busy each box is. It is there before the fleet, so that a window need not wait for
 * SSH to be loaded.
 */
export class BoxRoster {
  readonly #topic: Topic<FleetState, FleetDelta>;
  readonly #listed = new Map<string, Listed>();
  readonly #followers = new Set<RosterFollower>();

  /** `stored`: shown to a window until the fleet lists them itself. */
  constructor(hub: StreamHub, stored: readonly Box[] = []) {
    this.#topic = hub.addTopic('fleet', '', {
      kind: fleetStream,
      initial: { entries: stored.map(untouchedEntry) },
    });
  }

  get entries(): readonly FleetEntry[] {
    return [...this.#listed.values()].map(({ entry }) => entry);
  }

  /** Those that are not in the archive. */
  get living(): readonly FleetEntry[] {
    return this.entries.filter(({ box }) => !isArchived(box));
  }

  entryOf(boxId: string): FleetEntry | null {
    return this.#listed.get(boxId)?.entry ?? null;
  }

  boxOf(boxId: string): Box | null {
    return this.entryOf(boxId)?.box ?? null;
  }

  linkOf(boxId: string): Link | null {
    return this.#listed.get(boxId)?.link ?? null;
  }

  /** The box's connection while its link is up. */
  connectionOf(boxId: string): SshConnection | null {
    return this.linkOf(boxId)?.connection ?? null;
  }

  connect(boxId: string): Result<null, Problem> {
    const link = this.linkOf(boxId);
    if (link === null) return noSuchBox();
    link.connect();
    return ok(null);
  }

  disconnect(boxId: string): Result<null, Problem> {
    const link = this.linkOf(boxId);
    if (link === null) return noSuchBox();
    link.disconnect();
    return ok(null);
  }

  /** Hears of every box from now on; returns how to stop. */
  follow(follower: RosterFollower): () => void {
    this.#followers.add(follower);
    for (const { entry } of [...this.#listed.values()]) follower.added?.(entry);
    return () => this.#followers.delete(follower);
  }

  /** A box comes into the list, or what is known of it is another altogether. */
  put(entry: FleetEntry): void {
    const { id } = entry.box;
    const listed = this.#listed.get(id);
    if (listed !== undefined) {
      this.#become(listed, entry, { kind: 'put', entry });
      return;
    }
    this.#listed.set(id, { entry, link: null });
    this.#topic.publish({ kind: 'put', entry });
    for (const { added } of this.#followers) added?.(entry);
  }

  /** From now on the box is reached over this link; null: by nobody. */
  attach(boxId: string, link: Link | null): void {
    const listed = this.#listed.get(boxId);
    if (listed !== undefined) listed.link = link;
  }

  /** Of a box that was removed meanwhile a change says nothing any more. */
  change(boxId: string, part: Partial<Omit<FleetEntry, 'box'>>): void {
    const listed = this.#listed.get(boxId);
    if (listed === undefined) return;
    this.#become(listed, { ...listed.entry, ...part }, { kind: 'change', boxId, part });
  }

  remove(boxId: string): void {
    if (!this.#listed.delete(boxId)) return;
    this.#topic.publish({ kind: 'remove', boxId });
    for (const { removed } of this.#followers) removed?.(boxId);
  }

  #become(listed: Listed, entry: FleetEntry, delta: FleetDelta): void {
    const before = listed.entry;
    listed.entry = entry;
    this.#topic.publish(delta);
    for (const { changed } of this.#followers) changed?.(entry, before);
  }
}
