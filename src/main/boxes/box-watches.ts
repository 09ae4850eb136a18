import type { Box } from '../../shared/boxes/box.ts';
import { isSameWay } from '../../shared/boxes/same-way.ts';
import type { FleetDelta } from '../../shared/streams/fleet-stream.ts';
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
  readonly open: (box: Box) => W;
  readonly linkIs: (watch: W, isUp: boolean) => void;
}

interface Watched<W> {
  box: Box;
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

  boxOf(boxId: string): Box | undefined {
    return this.#boxes.get(boxId)?.box;
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
      const { box, link } = delta.entry;
      const known = this.#boxes.get(box.id);
      if (known === undefined) {
        this.#boxes.set(box.id, { box, watch: this.#options.open(box) });
      } else {
        if (!isSameWay(known.box, box)) known.watch.moved();
        known.box = box;
      }
      this.#linkIs(box.id, link.kind === 'up');
      return;
    }
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
