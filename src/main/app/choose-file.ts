import { dialog, type BrowserWindow, type SaveDialogOptions } from 'electron';

/** Asks where to save; the system's own dialog also asks before it lets an existing file be replaced. Null: cancelled. */
export async function chooseFile(
  window: BrowserWindow | null,
  suggested: string,
): Promise<string | null> {
  const options: SaveDialogOptions = {
    defaultPath: suggested,
    filters: [{ name: 'CSV', extensions: ['csv'] }],
  };
  const { canceled, filePath } = await (window === null
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(window, options));
  return canceled || filePath === '' ? null : filePath;
}
