import { randomUUID } from 'node:crypto';
import { BrowserWindow, session } from 'electron';
import type { Log } from '../log/log.ts';
import type { ReadyPage } from '../tunnels/service-opener.ts';
import { exemptFromAppNavigation } from './lock-down.ts';
import { lockDownSession } from './lock-session.ts';
import { PAGE_PREFERENCES } from './page-preferences.ts';
import { boundsOf, originOf } from './service-bounds.ts';

/**
 * Opens a page that a rented box serves, in a window that knows nothing of Leasehold: no preload, no Node, a session of
 * its own that is forgotten with the window, no permission, and no address but the tunnel's own. The page's own CSP is
 * left as it is.
 */
export async function openServiceWindow(page: ReadyPage, log: Log): Promise<void> {
  const { origin, firstPath, title } = page;
  // Without "persist:" the partition lives in memory; with a new name each window is a stranger to every other.
  const partition = `service-${randomUUID()}`;
  await lockDownSession(session.fromPartition(partition), boundsOf(origin), log);
  const window = new BrowserWindow({
    width: 1240,
    height: 820,
    title,
    autoHideMenuBar: true,
    webPreferences: { ...PAGE_PREFERENCES, partition },
  });
  window.removeMenu();
  // The box's page must not dress up as something else: the title stays ours.
  window.on('page-title-updated', (event) => event.preventDefault());
  const { webContents } = window;
  exemptFromAppNavigation(webContents, (url) => originOf(url) === origin);
  await window.loadURL(origin + firstPath).catch((cause: unknown) => {
    // Chromium shows its own error page; the tunnel's row says why. The address may hold a token: only the error's code.
    const { code } = cause as { code?: unknown };
    log.warn('a page of a box did not load', { title, code: String(code) });
  });
}
