import { Damaged } from '../damage.ts';
import type { Chunk } from './metadata.ts';

/** A row of levels as one number, however its runs are cut. */
class LevelSum {
  #value = -1;
  #times = 0;
  #sum = 0;

  take(value: number, times: number): void {
    if (value !== this.#value) this.#add();
    this.#times += times;
    this.#value = value;
  }

  end(): number {
    this.#add();
    return this.#sum;
  }

  #add(): void {
    if (this.#times === 0) return;
    for (const each of [this.#value, this.#times]) {
      this.#sum = Math.imul(this.#sum ^ each, 0x01000193) + (this.#sum >>> 15);
    }
    this.#times = 0;
  }
}

/** What one column within a group of rows says of the lists that its values lie in. */
export class ListLevels {
  readonly #depth: number;
  readonly #repeats = new LevelSum();
  readonly #missing = new LevelSum();

  constructor({ leaf }: Chunk) {
    this.#depth = leaf.lists.at(-1)?.depth ?? 0;
  }

  repeats(level: number, times: number): void {
    this.#repeats.take(level, times);
  }

  /** What is missing within an element says nothing of the list. */
  depth(level: number, times: number): void {
    this.#missing.take(Math.min(level, this.#depth), times);
  }

  end(): string {
    return `${String(this.#repeats.end())} ${String(this.#missing.end())}`;
  }
}

/** Columns of one list have as many elements in each row. */
export class ListLengths {
  readonly #known = new Map<string, string>();

  end({ leaf, group, of }: Chunk, levels: ListLevels): void {
    const inner = leaf.lists.at(-1);
    if (inner === undefined) return;
    const list = `${String(group)} ${inner.name}`;
    const said = levels.end();
    const known = this.#known.get(list);
    if (known !== undefined && known !== said) {
      throw new Damaged(`${of} has lists of other lengths than the columns beside it`);
    }
    this.#known.set(list, said);
  }
}
