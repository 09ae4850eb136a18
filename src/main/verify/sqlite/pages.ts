import type { ByteSource } from '../byte-source.ts';
import { Damaged } from '../damage.ts';
import type { Database } from './header.ts';

/** Locks are taken here, and nothing is written. */
const LOCK_AT = 0x40000000;

/** The pages of a database, by their number from 1, each of which belongs to one thing. */
export class Pages {
  readonly database: Database;
  readonly #source: ByteSource;
  readonly #used: Uint8Array;
  #count = 0;

  constructor(source: ByteSource, database: Database) {
    this.#source = source;
    this.database = database;
    this.#used = new Uint8Array(Math.ceil((database.pages + 1) / 8));
    this.#claimMaps();
  }

  /** @param of What it belongs to, to begin a clause with. */
  claim(page: number, of: string): void {
    const [place, bit] = [page >> 3, 1 << (page & 7)];
    if (page < 1 || page > this.database.pages) {
      throw new Damaged(`${of} leads to page ${String(page)}, which is not there`);
    }
    if (page === this.#lockPage || ((this.#used[place] ?? 0) & bit) !== 0) {
      throw new Damaged(`${of} leads to page ${String(page)}, which belongs to something else`);
    }
    this.#used[place] = (this.#used[place] ?? 0) | bit;
    this.#count += 1;
  }

  read(page: number, bytes = this.database.usableBytes): Buffer {
    return Buffer.from(this.#source.read((page - 1) * this.database.pageBytes, bytes));
  }

  /** Each page belongs to something. */
  checkAll(): void {
    const unused = this.#lockPage <= this.database.pages ? 1 : 0;
    const lost = this.database.pages - unused - this.#count;
    if (lost > 0) throw new Damaged(`${String(lost)} of its pages belong to nothing`);
  }

  get #lockPage(): number {
    return LOCK_AT / this.database.pageBytes + 1;
  }

  #claimMaps(): void {
    const { pagesPerMap, pages } = this.database;
    if (pagesPerMap === 0) return;
    for (let page = 2; page <= pages; page += pagesPerMap) {
      const at = page === this.#lockPage ? page + 1 : page;
      if (at <= pages) this.claim(at, 'a map of its pages');
    }
  }
}
