import { app, shell, type WebContents } from 'electron';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Log } from '../log/log.ts';
import { INDEX_URL, isAppUrl, judgeExternalUrl, judgeOwnPortUrl, RESTART_URL } from './app-url.ts';

/** Windows that show a box's own page, and where each of them may go. */
const exempt = new WeakMap<WebContents, (url: string) => boolean>();

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
  if (url === RESTART_URL && isAppUrl(contents.getURL())) {
    app.relaunch();
    app.exit(0);
    return;
  }
  log.warn('refused a navigation', { url: url.slice(0, 200) });
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
