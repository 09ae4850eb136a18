import type { Session } from 'electron';
import type { Log } from '../log/log.ts';
import { isAppUrl } from './app-url.ts';

/** Writing plain text to the clipboard is all that a page of ours ever asks for. */
const ALLOWED_PERMISSION = 'clipboard-sanitized-write';

/** SECURITY: no permission, no address but our own. docs/security.md maps each line to its test. */
export function lockDownSession(session: Session, log: Log): void {
  session.setPermissionRequestHandler((contents, permission, answer) => {
    const isAllowed = permission === ALLOWED_PERMISSION && isAppUrl(contents.getURL());
    if (!isAllowed) log.warn('refused a permission', { permission });
    answer(isAllowed);
  });
  session.setPermissionCheckHandler(
    (_contents, permission, origin) => permission === ALLOWED_PERMISSION && isAppUrl(origin),
  );
  session.setDevicePermissionHandler(() => false);
  session.setSpellCheckerEnabled(false); // it would fetch dictionaries

  // Whatever the page tries, not one request leaves for another scheme.
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const isOwn = isAppUrl(url) || url.startsWith('devtools:');
    if (!isOwn) log.warn('refused a request', { url: url.slice(0, 200) });
    answer({ cancel: !isOwn });
  });
  session.on('will-download', (event) => event.preventDefault());
}
