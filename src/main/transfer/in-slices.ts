import { setImmediate } from 'node:timers/promises';

/** Shorter than a frame: what else waits in main is not held up. */
const SLICE_MS = 8;

/**
 * Does this with each, and lets others in between. For short questions to the disk: asked one by one through fs/promises, ten thousands
 * of them cost main five times as much of its own time.
 */
export async function inSlices<T>(
  items: Iterable<T>,
  work: (item: T) => void | Promise<void>,
): Promise<void> {
  let endMs = performance.now() + SLICE_MS;
  for (const item of items) {
    const more = work(item);
    if (more !== undefined) await more;
    if (performance.now() < endMs) continue;
    await setImmediate();
    endMs = performance.now() + SLICE_MS;
  }
}
