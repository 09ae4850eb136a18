import { randomUUID } from 'node:crypto';
import { BrowserWindow, session, type Session } from 'electron';
import type { Log } from '../log/log.ts';
import type { ReadyPage } from '../tunnels/service-opener.ts';
import { exemptFromAppNavigation } from './lock-down.ts';

/**
 * Opens a page that a rented box serves, in a window that knows nothing of Leasehold: no preload, no Node, a session of
 * its own that is forgotten with the window, no permission, and no address but the tunnel's own. The page's own CSP is
 * left as it is.
 */
export async function openServiceWindow(page: ReadyPage, log: Log): Promise<void> {
  const { origin, firstPath, title } = page;
  // Without "persist:" the partition lives in memory; with a new name each window is a stranger to every other.
  const partition = `service-${randomUUID()}`;
  lockToOrigin(session.fromPartition(partition), origin, log);
  const window = new BrowserWindow({
    width: 1240,
    height: 820,
    title,
    autoHideMenuBar: true,
    // SECURITY: docs/security.md; the tests are in e2e/service-window.spec.ts.
    webPreferences: {
      partition,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      safeDialogs: true,
      spellcheck: false,
    },
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

function lockToOrigin(own: Session, origin: string, log: Log): void {
  own.setPermissionRequestHandler((_contents, permission, answer) => {
    log.info('refused a permission to a page of a box', { permission });
    answer(false);
  });
  own.setPermissionCheckHandler(() => false);
  own.setDevicePermissionHandler(() => false);
  own.setSpellCheckerEnabled(false);
  const socketOrigin = origin.replace(/^http:/, 'ws:');
  own.webRequest.onBeforeRequest(({ url }, answer) => {
    const from = originOf(url);
    const isLocalData = url.startsWith('data:') || url.startsWith('blob:');
    answer({ cancel: from !== origin && from !== socketOrigin && !isLocalData });
  });
  own.on('will-download', (event) => event.preventDefault());
}

function originOf(url: string): string | null {
  try {
    const { protocol, host, username, password } = new URL(url);
    return username === '' && password === '' ? `${protocol}//${host}` : null;
  } catch {
    return null; // not a URL, so nobody's origin
  }
}
