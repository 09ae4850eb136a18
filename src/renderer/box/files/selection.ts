import type { SortedFile } from '../../../shared/files/sort-files.ts';

/** Which rows of a folder are chosen, by their id. */
export interface Selection {
  /** Where the keys are. */
  readonly active: number | null;
  /** Where a range began. */
  readonly anchor: number | null;
  readonly ids: ReadonlySet<number>;
}

export const NOTHING_CHOSEN: Selection = { active: null, anchor: null, ids: new Set() };

export const chooseOne = (id: number): Selection => ({
  active: id,
  anchor: id,
  ids: new Set([id]),
});

export function toggle({ ids }: Selection, id: number): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { active: id, anchor: id, ids: next };
}

/** Goes to a row and leaves what is chosen as it is. */
export const goTo = ({ ids }: Selection, id: number): Selection => ({
  active: id,
  anchor: id,
  ids,
});

/** From where the range began to this row, in the order that is shown. */
export function extendTo(
  rows: readonly SortedFile[],
  { anchor }: Selection,
  id: number,
): Selection {
  const from = rows.findIndex((row) => row.id === anchor);
  const to = rows.findIndex((row) => row.id === id);
  if (from === -1 || to === -1) return chooseOne(id);
  const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { active: id, anchor, ids: new Set(range.map((row) => row.id)) };
}

export function chooseAll(rows: readonly SortedFile[], { active, anchor }: Selection): Selection {
  return { active, anchor, ids: new Set(rows.map(({ id }) => id)) };
}

/** Where a key leads from the row `at` (-1: none); null: it leads nowhere. */
export function targetOf(key: string, at: number, count: number, page: number): number | null {
  if (count === 0) return null;
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, last);
    case 'ArrowUp':
      return Math.max(at - 1, 0);
    case 'PageDown':
      return Math.min(Math.max(at, 0) + page, last);
    case 'PageUp':
      return Math.max(at - page, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

/** Of which no more is asked than its name. */
export type NamedRow = { readonly file: Pick<SortedFile['file'], 'name'> };

/** The next row whose name begins so. What grows stays on its row while that fits; one letter goes on to the next. */
export function rowByName(rows: readonly NamedRow[], at: number, typed: string): number | null {
  const wanted = typed.toLowerCase();
  const first = wanted.length > 1 ? Math.max(at, 0) : at + 1;
  for (let step = 0; step < rows.length; step += 1) {
    const place = (first + step) % rows.length;
    if (rows[place]?.file.name.toLowerCase().startsWith(wanted) === true) return place;
  }
  return null;
}
