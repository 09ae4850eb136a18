import { setImmediate } from 'node:timers/promises';

/** Shorter than a frame: what else waits in main is not held up. */
const SLICE_MS = 8;

/** For work that comes bit by bit: lets others in once main was busy with it for a slice. */
export class Slices {
  #endMs = performance.now() + SLICE_MS;

  /** Null: there is time left in this slice. */
  next(): Promise<void> | null {
    return performance.now() < this.#endMs ? null : this.#begin();
  }

  async #begin(): Promise<void> {
    await setImmediate();
    this.#endMs = performance.now() + SLICE_MS;
  }
}

/**
 * Does this with each, and lets others in between. For short questions to the disk: asked one by one through fs/promises, ten thousands
 * of them cost main five times as much of its own time.
 */
export async function inSlices<T>(
  items: Iterable<T>,
  work: (item: T) => void | Promise<void>,
): Promise<void> {
  const slices = new Slices();
  for (const item of items) {
    const more = work(item);
    if (more !== undefined) await more;
    const others = slices.next();
    if (others !== null) await others;
  }
}
