import { Damaged } from '../damage.ts';
import { readBtreePage, type Cell, type Key, type Payload } from './cells.ts';
import { HEADER_BYTES } from './header.ts';
import { ROLE, type Pages } from './pages.ts';
import { readRecord, type RecordValue } from './record.ts';

/** As SQLite has it: deeper, no tree could be filled. */
const MAX_LEVELS = 20;

export interface Row {
  /** Of a table; an index has none. */
  readonly key: Key | null;
  readonly payload: Payload;
  readonly values: readonly RecordValue[] | null;
}

interface Visit {
  readonly page: number;
  /** The page that leads to it; 0: it is the root. */
  readonly by: number;
  readonly level: number;
  /** Above the first and up to the second; null: there is none. */
  readonly above: Key | null;
  readonly upTo: Key | null;
}

/**
 * A tree of a database: each page of it once, all leaves on one level, keys in order, and each row as long as it says. It yields where
 * it has read a page, so that who leads it can do something else meanwhile.
 *
 * @param onRow Gets each row of a table; an index has rows too, which are told as well.
 */
export function* walkBtree(
  pages: Pages,
  root: number,
  of: string,
  onRow: (row: Row) => void,
): Generator<void, void> {
  const waiting: Visit[] = [{ page: root, by: 0, level: 0, above: null, upTo: null }];
  let leafLevel: number | null = null;
  let isTable: boolean | null = null;
  for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
    const { page, by, level } = visit;
    pages.claim(page, of, { role: by === 0 ? ROLE.root : ROLE.inner, by });
    const headerAt = page === 1 ? HEADER_BYTES : 0;
    const read = readBtreePage(pages.read(page), headerAt, of);
    yield;
    isTable ??= read.isTable;
    if (read.isLeaf) leafLevel ??= level;
    if (read.isTable !== isTable || level > MAX_LEVELS || (read.isLeaf && level !== leafLevel)) {
      throw new Damaged(`${of} is no tree`);
    }
    const keys = keysOf(read.cells, visit, of);
    for (const [no, { child, key, payload }] of read.cells.entries()) {
      if (payload !== null) {
        yield* walkRest(pages, payload, page, of);
        onRow({ key, payload, values: readRecord(payload, of) });
      }
      if (child === null) continue;
      const [above, upTo] = [no === 0 ? visit.above : keys[no - 1], keys[no]];
      waiting.push({
        page: child,
        by: page,
        level: level + 1,
        above: above ?? null,
        upTo: upTo ?? null,
      });
    }
    if (read.last !== null) {
      const above = keys.at(-1) ?? visit.above;
      waiting.push({ page: read.last, by: page, level: level + 1, above, upTo: visit.upTo });
    }
  }
}

/** Of a table, in their order. */
function keysOf(cells: readonly Cell[], { above, upTo }: Visit, of: string): readonly Key[] {
  const keys: Key[] = [];
  let before = above;
  for (const { key } of cells) {
    if (key === null) continue;
    if ((before !== null && key <= before) || (upTo !== null && key > upTo)) {
      throw new Damaged(`${of} has rows that are not in their order`);
    }
    keys.push(key);
    before = key;
  }
  return keys;
}

/** What of a row did not have room in its page, one page after the other. */
function* walkRest(
  pages: Pages,
  payload: Payload,
  from: number,
  of: string,
): Generator<void, void> {
  let left = payload.bytes - payload.local.length;
  let [page, by] = [payload.restAt, from];
  for (; left > 0; left -= pages.database.usableBytes - 4) {
    pages.claim(page, of, { role: by === from ? ROLE.rest : ROLE.moreRest, by });
    by = page;
    page = pages.read(page, 4).readUInt32BE(0);
    yield;
  }
  if (page !== 0) throw new Damaged(`${of} has a row that goes on behind its end`);
}
