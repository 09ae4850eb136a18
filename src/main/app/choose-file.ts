import {
  dialog,
  type BrowserWindow,
  type OpenDialogOptions,
  type SaveDialogOptions,
} from 'electron';

export type SavedKind = 'csv' | 'json' | 'md' | 'pdf' | 'png' | 'yaml';

const FILTERS: Readonly<
  Record<SavedKind, { readonly name: string; readonly extensions: string[] }>
> = {
  csv: { name: 'CSV', extensions: ['csv'] },
  json: { name: 'JSON', extensions: ['json'] },
  md: { name: 'Markdown', extensions: ['md'] },
  pdf: { name: 'PDF', extensions: ['pdf'] },
  png: { name: 'Picture', extensions: ['png'] },
  yaml: { name: 'YAML', extensions: ['yaml', 'yml'] },
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

/** Asks for a folder; null: cancelled. */
export function chooseFolder(window: BrowserWindow | null): Promise<string | null> {
  return chosen(window, { properties: ['openDirectory'] });
}

/** Asks which files to send, however many; null: cancelled. */
export async function chooseFiles(window: BrowserWindow | null): Promise<readonly string[] | null> {
  const options: OpenDialogOptions = { properties: ['openFile', 'multiSelections'] };
  const { canceled, filePaths } = await (window === null
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(window, options));
  return canceled || filePaths.length === 0 ? null : filePaths;
}

/** Asks which file to read; null: cancelled. */
export function chooseOpen(window: BrowserWindow | null): Promise<string | null> {
  return chosen(window, { properties: ['openFile'], filters: [FILTERS.yaml] });
}

/** Asks which program to run; null: cancelled. */
export function chooseProgram(window: BrowserWindow | null): Promise<string | null> {
  return chosen(window, { properties: ['openFile', 'showHiddenFiles', 'noResolveAliases'] });
}

async function chosen(
  window: BrowserWindow | null,
  options: OpenDialogOptions,
): Promise<string | null> {
  const { canceled, filePaths } = await (window === null
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(window, options));
  return canceled ? null : (filePaths[0] ?? null);
}
