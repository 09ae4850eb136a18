import { extname, join, normalize, sep } from 'node:path';
import { APP_HOST } from '../../shared/ipc/names.ts';

/** What the window is made of; a file of another kind is not served. */
export const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** The file behind an address, or null when it is not one of ours. */
export function resolveAsset(folder: string, url: string): string | null {
  const { host, pathname } = new URL(url);
  if (host !== APP_HOST) return null;
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return null; // a broken escape names no file
  }
  // SECURITY: an encoded ".." or NUL must not leave the folder; the URL parser folds only the plain ones.
  const file = normalize(join(folder, path));
  const isInside = file.startsWith(folder + sep) && !path.includes('\0');
  return isInside && CONTENT_TYPES[extname(file)] !== undefined ? file : null;
}
