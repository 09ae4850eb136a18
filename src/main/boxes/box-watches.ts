import { isSameWay } from '../../shared/boxes/same-way.ts';
import type { FleetDelta, FleetEntry } from '../../shared/streams/fleet-stream.ts';
import type { StreamHub } from '../streams/stream-hub.ts';

/** What looks at one box, again and again. */
export interface BoxWatch {
  /** The box is reached another way: whatever is remembered was seen on another machine. */
  moved(): void;
  /** Resolves when nothing is under way. `isForgotten`: the box is not in the list any more, and nothing of it stays. */
  close(how: { readonly isForgotten: boolean }): Promise<void>;
}

export interface BoxWatchesOptions<W> {
  readonly hub: StreamHub;
  readonly open: (boxId: string) => W;
  readonly linkIs: (watch: W, isUp: boolean) => void;
}

interface Watched<W> {
  entry: FleetEntry;
  readonly watch: W;
}

/** A watch for each box in the list, which comes and goes with it and hears of its link. */
export class BoxWatches<W extends BoxWatch> {
  readonly #options: BoxWatchesOptions<W>;
  readonly #boxes = new Map<string, Watched<W>>();
  readonly #closing = new Set<Promise<void>>();
  readonly #stopFollowing: () => void;

  constructor(options: BoxWatchesOptions<W>) {
    this.#options = options;
    this.#stopFollowing = options.hub.follow('fleet', '', (delta) => this.#take(delta));
  }

  get all(): readonly W[] {
    return [...this.#boxes.values()].map(({ watch }) => watch);
  }

  of(boxId: string): W | undefined {
    return this.#boxes.get(boxId)?.watch;
  }

  /** As the list has it now. */
  entryOf(boxId: string): FleetEntry | undefined {
    return this.#boxes.get(boxId)?.entry;
  }

  /** Resolves when nothing is under way any more. What is remembered stays. */
  async close(): Promise<void> {
    this.#stopFollowing();
    for (const boxId of [...this.#boxes.keys()]) this.#drop(boxId, false);
    await Promise.all(this.#closing);
  }

  #take(delta: FleetDelta): void {
    if (delta.kind === 'remove') {
      this.#drop(delta.boxId, true);
      return;
    }
    if (delta.kind === 'put') {
      const { entry } = delta;
      const { box, link } = entry;
      const known = this.#boxes.get(box.id);
      if (known === undefined) {
        this.#boxes.set(box.id, { entry, watch: this.#options.open(box.id) });
      } else {
        if (!isSameWay(known.entry.box, box)) known.watch.moved();
        known.entry = entry;
      }
      this.#linkIs(box.id, link.kind === 'up');
      return;
    }
    const changed = this.#boxes.get(delta.boxId);
    if (changed !== undefined) changed.entry = { ...changed.entry, ...delta.part };
    if (delta.part.link !== undefined) this.#linkIs(delta.boxId, delta.part.link.kind === 'up');
  }

  #linkIs(boxId: string, isUp: boolean): void {
    const watch = this.of(boxId);
    if (watch !== undefined) this.#options.linkIs(watch, isUp);
  }

  #drop(boxId: string, isForgotten: boolean): void {
    const watch = this.of(boxId);
    if (watch === undefined) return;
    this.#boxes.delete(boxId);
    const closing = watch.close({ isForgotten }).finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
