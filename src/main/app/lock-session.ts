import type { Session } from 'electron';
import type { Log } from '../log/log.ts';
import { isAppUrl } from './app-url.ts';
import { cutOff } from './cut-off.ts';

/** What pages of a session may do; what is not here, none may. */
export interface SessionBounds {
  readonly mayLoad: (url: string) => boolean;
  /** Whether a page at this address may write plain text to the clipboard: all that one of ours ever asks for. */
  readonly mayCopy: (url: string) => boolean;
  /** The one origin that they reach, as `127.0.0.1:6006`; null: none. */
  readonly reaches: string | null;
}

/** Of the window with our own page. */
export const OWN_PAGES: SessionBounds = {
  mayLoad: (url) => isAppUrl(url) || url.startsWith('devtools:'),
  mayCopy: isAppUrl,
  reaches: null,
};

const COPY = 'clipboard-sanitized-write';

/** SECURITY: no permission, no device, no address and no download but what the bounds say. Resolves when nothing gets past them. */
export function lockDownSession(
  session: Session,
  { mayLoad, mayCopy, reaches }: SessionBounds,
  log: Log,
): Promise<void> {
  session.setPermissionRequestHandler((contents, permission, answer) => {
    const isAllowed = permission === COPY && mayCopy(contents.getURL());
    if (!isAllowed) log.warn('refused a permission', { permission });
    answer(isAllowed);
  });
  session.setPermissionCheckHandler(
    (_contents, permission, origin) => permission === COPY && mayCopy(origin),
  );
  session.setDevicePermissionHandler(() => false);
  // Switched off it fetches the system language's dictionary all the same, from Google, past every request that is refused here.
  session.setSpellCheckerLanguages([]);
  session.setSpellCheckerEnabled(false);

  // Whatever a page tries, not one request leaves for another address.
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const isAllowed = mayLoad(url);
    if (!isAllowed) log.warn('refused a request', { url: url.slice(0, 200) });
    answer({ cancel: !isAllowed });
  });
  session.on('will-download', (event) => event.preventDefault());
  return cutOff(session, reaches);
}
