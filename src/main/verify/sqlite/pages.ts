import type { ByteSource } from '../byte-source.ts';
import { Damaged } from '../damage.ts';
import type { Database } from './header.ts';

/** Locks are taken here, and nothing is written. */
const LOCK_AT = 0x40000000;

/** What a page is to the one that leads to it, as the maps of a database have it. */
export const ROLE = { root: 1, free: 2, rest: 3, moreRest: 4, inner: 5 } as const;

export interface Owner {
  readonly role: (typeof ROLE)[keyof typeof ROLE];
  /** The page that leads to it; 0: none does. */
  readonly by: number;
}

const ENTRY_BYTES = 5;

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

  /**
   * @param of What it belongs to, to begin a clause with.
   * @param owner Null: it is of no map.
   */
  claim(page: number, of: string, owner: Owner | null): void {
    const [place, bit] = [page >> 3, 1 << (page & 7)];
    if (page < 1 || page > this.database.pages) {
      throw new Damaged(`${of} leads to page ${String(page)}, which is not there`);
    }
    if (page === this.#lockPage || ((this.#used[place] ?? 0) & bit) !== 0) {
      throw new Damaged(`${of} leads to page ${String(page)}, which belongs to something else`);
    }
    this.#used[place] = (this.#used[place] ?? 0) | bit;
    this.#count += 1;
    if (owner !== null && page > 1 && this.database.pagesPerMap > 0) this.#checkMap(page, owner);
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
      const at = this.#mapAt(page);
      if (at <= pages) this.claim(at, 'a map of its pages', null);
    }
  }

  /** Where a map lies whose turn it is at a page. */
  #mapAt(page: number): number {
    return page === this.#lockPage ? page + 1 : page;
  }

  #checkMap(page: number, { role, by }: Owner): void {
    const { pagesPerMap, pageBytes } = this.database;
    const map = this.#mapAt(2 + Math.floor((page - 2) / pagesPerMap) * pagesPerMap);
    const at = (map - 1) * pageBytes + ENTRY_BYTES * (page - map - 1);
    const entry = Buffer.from(this.#source.read(at, ENTRY_BYTES));
    if (entry[0] !== role || entry.readUInt32BE(1) !== by) {
      throw new Damaged(`a map of its pages says something else of page ${String(page)}`);
    }
  }
}
