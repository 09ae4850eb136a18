import { app, shell, type WebContents } from 'electron';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Log } from '../log/log.ts';
import { CRASH_URL, INDEX_URL, judgeExternalUrl, judgeOwnPortUrl, RESTART_URL } from './app-url.ts';
import { refuseUdp } from './cut-off.ts';

/** Windows that show a box's own page, and where each of them may go. */
const exempt = new WeakMap<WebContents, (url: string) => boolean>();

/** What each window has loaded. Not its address: a page writes that itself (`history.pushState`). */
const loaded = new WeakMap<WebContents, string>();

/** SECURITY: this window never holds a page of ours; it may go where `mayGo` says and nowhere else. */
export function exemptFromAppNavigation(
  contents: WebContents,
  mayGo: (url: string) => boolean,
): void {
  exempt.set(contents, mayGo);
}

/** SECURITY: applies to every page that this app will ever hold, also ones that a bug might open. */
export function lockDownContents(log: Log): void {
  app.on('web-contents-created', (_event, contents) => {
    const guard = (event: { preventDefault: () => void }, url: string): void => {
      guardNavigation(contents, event, url, log);
    };
    contents.on('will-navigate', guard);
    contents.on('will-redirect', guard);
    contents.on('did-navigate', (_navigated, url) => bringBack(contents, url, log));
    refuseUdp(contents);
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      log.warn('refused a new window', { url: url.slice(0, 200) });
      return { action: 'deny' };
    });
  });
}

function guardNavigation(
  contents: WebContents,
  event: { preventDefault: () => void },
  url: string,
  log: Log,
): void {
  const mayGo = exempt.get(contents);
  if (mayGo !== undefined) {
    if (!mayGo(url)) event.preventDefault();
    return;
  }
  const isReload = url.split('#')[0] === INDEX_URL;
  if (isReload) return;
  event.preventDefault();
  if (url === RESTART_URL && loaded.get(contents) === CRASH_URL) {
    app.relaunch();
    app.exit(0);
    return;
  }
  log.warn('refused a navigation', { url: url.slice(0, 200) });
}

/** A page that goes to `about:blank` asks nobody before it is there, and would leave a person with an empty window. */
function bringBack(contents: WebContents, url: string, log: Log): void {
  const before = loaded.get(contents);
  if (before === undefined || !url.startsWith('about:')) {
    loaded.set(contents, url);
    return;
  }
  log.warn('refused a navigation', { url: url.slice(0, 200) });
  contents.loadURL(before).catch((cause: unknown) => {
    if (!contents.isDestroyed()) log.error('a page did not come back', { cause });
  });
}

/** The only way out to the system browser. */
export async function openExternal(url: string, log: Log): Promise<Result<null, Problem>> {
  const allowed = judgeExternalUrl(url);
  if (allowed === null) {
    log.warn('refused to open an address', { url: url.slice(0, 200) });
    return err(
      problem('external-link-refused', 'Leasehold opens only its own links in the browser.'),
    );
  }
  await shell.openExternal(allowed);
  return ok(null);
}

/** A folder that main itself has chosen. */
export async function openFolder(folder: string): Promise<Result<null, Problem>> {
  const failed = await shell.openPath(folder);
  if (failed === '') return ok(null);
  return err(
    problem('folder-not-shown', `This machine did not show the folder ${folder}.`, {
      detail: failed,
    }),
  );
}

/** Our own end of a tunnel, whose port main has just looked up. */
export async function openOwnPort(url: string, log: Log): Promise<Result<null, Problem>> {
  const allowed = judgeOwnPortUrl(url);
  if (allowed === null) {
    log.warn('refused to open an address that is no tunnel of ours', { url: url.slice(0, 200) });
    return err(problem('external-link-refused', 'Leasehold opens only its own tunnels here.'));
  }
  await shell.openExternal(allowed);
  return ok(null);
}
