import { dialog, type BrowserWindow, type SaveDialogOptions } from 'electron';

export type SavedKind = 'csv' | 'png';

const FILTERS: Readonly<
  Record<SavedKind, { readonly name: string; readonly extensions: string[] }>
> = {
  csv: { name: 'CSV', extensions: ['csv'] },
  png: { name: 'Picture', extensions: ['png'] },
};

/** Asks where to save; the system's own dialog also asks before it lets an existing file be replaced. Null: cancelled. */
export async function chooseFile(
  window: BrowserWindow | null,
  suggested: string,
  kind: SavedKind,
): Promise<string | null> {
  const options: SaveDialogOptions = {
    defaultPath: suggested,
    filters: [FILTERS[kind]],
  };
  const { canceled, filePath } = await (window === null
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(window, options));
  return canceled || filePath === '' ? null : filePath;
}
