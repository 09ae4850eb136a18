import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { prepareFolder } from '../storage/folder.ts';

/**
 * Where Chromium keeps its own files, the single-instance lock among them. It does not start without such a folder, so
 * where ours may not be written it gets one that ends with the app: the window opens, and can say what is wrong.
 */
export function chromiumFolder(dataFolder: string): string {
  const folder = join(dataFolder, 'session');
  if (prepareFolder(folder, 'The window has no folder of its own') === null) return folder;
  const temporary = mkdtempSync(join(tmpdir(), 'leasehold-session-'));
  app.on('quit', () => rmSync(temporary, { recursive: true, force: true }));
  return temporary;
}
