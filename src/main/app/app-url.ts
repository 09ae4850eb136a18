import { APP_HOST, APP_ORIGIN, APP_SCHEME } from '../../shared/ipc/names.ts';
import { SOURCE_HOSTS } from '../../shared/profiles/source-link.ts';

export const INDEX_URL = `${APP_ORIGIN}/index.html`;
/** A page that main writes itself, for when the window's own code cannot be trusted to run. */
export const CRASH_URL = `${APP_ORIGIN}/crash`;
/** Not a page: following this link restarts the app. */
export const RESTART_URL = `${APP_ORIGIN}/restart`;

export function isAppUrl(url: string): boolean {
  try {
    const { protocol, host } = new URL(url);
    return protocol === `${APP_SCHEME}:` && host === APP_HOST;
  } catch {
    return false; // not a URL, so not ours
  }
}

/** The allow-list of `shell.openExternal`: where this app's own links lead, over https, without credentials or port. */
const EXTERNAL_HOSTS: readonly string[] = [
  'github.com',
  'docs.nvidia.com',
  'www.electronjs.org',
  ...SOURCE_HOSTS,
];

/** The address to open, in canonical form, or null when it is not on the list. */
export function judgeExternalUrl(url: string): string | null {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return null;
  }
  const isPlain = parsed.username === '' && parsed.password === '' && parsed.port === '';
  const isAllowed = parsed.protocol === 'https:' && EXTERNAL_HOSTS.includes(parsed.hostname);
  return isPlain && isAllowed ? parsed.href : null;
}

/**
 * A tunnel's own end on this machine, and nothing more than that: no name that could lead elsewhere, no path, and no query,
 * since what goes to the system browser stands on a command line for everybody to read.
 */
export function judgeOwnPortUrl(url: string): string | null {
  return /^http:\/\/127\.0\.0\.1:[1-9]\d{0,4}\/$/.test(url) ? url : null;
}
