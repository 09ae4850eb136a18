import { partsOf, type ManifestRecord, type RecordParts } from '../../shared/manifest/record.ts';

/** Records in their order that are asked for one path after the other, in the same order. */
export class Beside {
  readonly #records: Iterator<ManifestRecord>;
  #head: RecordParts | null;

  constructor(records: Iterator<ManifestRecord>) {
    this.#records = records;
    this.#head = this.#next();
  }

  /** Null: there is none of that path. */
  at(path: string): RecordParts | null {
    while (this.#head !== null && this.#head.path < path) this.#head = this.#next();
    return this.#head?.path === path ? this.#head : null;
  }

  /** Whatever stands behind the last path that was asked for is read, too. */
  end(): void {
    while (this.#head !== null) this.#head = this.#next();
  }

  #next(): RecordParts | null {
    const next = this.#records.next();
    return next.done === true ? null : partsOf(next.value);
  }
}
