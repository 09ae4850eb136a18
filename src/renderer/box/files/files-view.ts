import { create } from 'zustand';
import type { FileColumn, FileOrder } from '../../../shared/files/sort-files.ts';

interface FilesView {
  /** Null: the folder in which a log-in begins. */
  readonly folder: string | null;
  /** The entry that is to be marked once the folder is there: where a person came from. */
  readonly marked: string | null;
  readonly order: FileOrder;
  /** What is searched for in it; null: it is shown itself. */
  readonly wanted: string | null;
  /** Those whose name begins with a dot. */
  readonly showsHidden: boolean;
  /** The tree of folders beside the list; null: where there is room. */
  readonly showsTree: boolean | null;
}

const NOTHING: FilesView = {
  folder: null,
  marked: null,
  wanted: null,
  order: { column: 'name', isDescending: false },
  showsHidden: false,
  showsTree: null,
};

/** Where a person is in the files of each box, until Leasehold quits. */
export const useFilesView = create<Readonly<Record<string, FilesView>>>(() => ({}));

export const selectFilesView =
  (boxId: string) =>
  (state: Readonly<Record<string, FilesView>>): FilesView =>
    state[boxId] ?? NOTHING;

function change(boxId: string, part: Partial<FilesView>): void {
  useFilesView.setState((all) => ({ [boxId]: { ...selectFilesView(boxId)(all), ...part } }));
}

export const folderChosen = (
  boxId: string,
  folder: string | null,
  marked: string | null = null,
): void => change(boxId, { folder, marked, wanted: null });

export const searchChosen = (boxId: string, wanted: string | null): void =>
  change(boxId, { wanted });

export const hiddenShown = (boxId: string, showsHidden: boolean): void =>
  change(boxId, { showsHidden });

export const treeShown = (boxId: string, showsTree: boolean): void => change(boxId, { showsTree });

export function columnPressed(boxId: string, column: FileColumn): void {
  const { order } = selectFilesView(boxId)(useFilesView.getState());
  const isDescending = order.column === column && !order.isDescending;
  change(boxId, { order: { column, isDescending } });
}
