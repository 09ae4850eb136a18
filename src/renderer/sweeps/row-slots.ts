import { OVERSCAN } from '../ui/row-window.ts';

/** A row, and which element of the page shows it. */
export interface SlottedRow {
  readonly at: number;
  readonly slot: number;
}

interface SlotView {
  /** The first row that is there. */
  readonly first: number;
  readonly count: number;
  /** How many elements there are. */
  readonly slots: number;
  /** The row that has the focus, which stays in the page wherever the view is: the focus would go with its element. */
  readonly focused: number | null;
}

/** As many rows of one height as can be in view at a time, with those beyond the edges. */
export const slotsFor = (viewPx: number, rowPx: number): number =>
  Math.floor(viewPx / rowPx) + 2 + 2 * OVERSCAN;

/**
 * A row that comes into view takes the element of one that goes: writing a text is cheaper than making elements. They are told in the
 * order of the elements, which so keep their places in the page: an element that is moved is styled and laid out like a new one.
 */
export function slotRows({ first, count, slots, focused }: SlotView): readonly SlottedRow[] {
  const end = Math.min(count, first + slots);
  const away = focused !== null && (focused < first || focused >= end) ? focused : null;
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, i): SlottedRow => {
    const at = first + i;
    const slot = at % slots;
    // One further element, for the row whose own is kept by the focused one.
    return { at, slot: away !== null && slot === away % slots ? slots : slot };
  });
  if (away !== null) rows.push({ at: away, slot: away % slots });
  return rows.sort((one, other) => one.slot - other.slot);
}
