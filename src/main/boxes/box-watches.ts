import { isSameWay } from '../../shared/boxes/same-way.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import type { BoxRoster } from './box-roster.ts';

/** What looks at one box, again and again. */
export interface BoxWatch {
  /** The box is reached another way: whatever is remembered was seen on another machine. */
  moved(): void;
  /** Resolves when nothing is under way. `isForgotten`: the box is not in the list any more, and nothing of it stays. */
  close(how: { readonly isForgotten: boolean }): Promise<void>;
}

export interface BoxWatchesOptions<W> {
  readonly roster: BoxRoster;
  readonly open: (boxId: string) => W;
  readonly linkIs: (watch: W, isUp: boolean) => void;
}

/** A watch for each box in the list, which comes and goes with it and hears of its link. */
export class BoxWatches<W extends BoxWatch> {
  readonly #options: BoxWatchesOptions<W>;
  readonly #watches = new Map<string, W>();
  readonly #closing = new Set<Promise<void>>();
  readonly #stopFollowing: () => void;

  constructor(options: BoxWatchesOptions<W>) {
    this.#options = options;
    this.#stopFollowing = options.roster.follow({
      added: (entry) => {
        this.#watches.set(entry.box.id, options.open(entry.box.id));
        this.#linkIs(entry);
      },
      changed: (entry, before) => {
        if (!isSameWay(before.box, entry.box)) this.of(entry.box.id)?.moved();
        if (entry.box !== before.box || entry.link !== before.link) this.#linkIs(entry);
      },
      removed: (boxId) => this.#drop(boxId, true),
    });
  }

  get all(): readonly W[] {
    return [...this.#watches.values()];
  }

  of(boxId: string): W | undefined {
    return this.#watches.get(boxId);
  }

  /** Resolves when nothing is under way any more. What is remembered stays. */
  async close(): Promise<void> {
    this.#stopFollowing();
    for (const boxId of [...this.#watches.keys()]) this.#drop(boxId, false);
    await Promise.all(this.#closing);
  }

  #linkIs({ box, link }: FleetEntry): void {
    const watch = this.of(box.id);
    if (watch !== undefined) this.#options.linkIs(watch, link.kind === 'up');
  }

  #drop(boxId: string, isForgotten: boolean): void {
    const watch = this.of(boxId);
    if (watch === undefined) return;
    this.#watches.delete(boxId);
    const closing = watch.close({ isForgotten }).finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
