import { Damaged, NotLoadable } from './damage.ts';

/** Beyond what any file has that is looked at; each takes memory while it is read. */
const MAX_EXTENTS = 400_000;

/** The parts of a file that belong to something: within it, and none over another. */
export class Extents {
  readonly #end: number;
  readonly #parts: { readonly at: number; readonly end: number; readonly what: string }[] = [];

  #claimed = 0;

  constructor(end: number) {
    this.#end = end;
  }

  claim(at: number, bytes: number, what: string): void {
    if (at + bytes > this.#end) throw new Damaged(`${what} ends behind its end`);
    // Told at once: what lies over another may be a chunk that is unpacked a hundred thousand times.
    this.#claimed += bytes;
    if (this.#claimed > this.#end) throw new Damaged(`${what} overlaps something before it`);
    if (bytes > 0) this.#parts.push({ at, end: at + bytes, what });
    if (this.#parts.length > MAX_EXTENTS) {
      throw new NotLoadable('it has more parts than Leasehold looks at');
    }
  }

  /** @param onGap Gets what belongs to nothing, in the order of the file. */
  checkOverlaps(onGap: (at: number, end: number) => void = () => undefined): void {
    this.#parts.sort((a, b) => a.at - b.at);
    let [end, before] = [0, ''];
    for (const part of this.#parts) {
      if (part.at < end) throw new Damaged(`${part.what} overlaps ${before}`);
      if (part.at > end) onGap(end, part.at);
      [end, before] = [part.end, part.what];
    }
    if (end < this.#end) onGap(end, this.#end);
  }
}
