import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { protocol, type ProtocolResponse, type Session } from 'electron';
import { APP_SCHEME } from '../../shared/ipc/names.ts';
import { CRASH_URL } from './app-url.ts';
import { CONTENT_TYPES, resolveAsset } from './asset-path.ts';
import { CONTENT_SECURITY_POLICY } from './content-security-policy.ts';

/** The requests of one page come in one burst; after so long without one, it is over. */
const QUIET_MS = 8;

/** Must run before the app is ready. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true } },
  ]);
}

/**
 * Serves the built window from `folder`, and the page that `crashPage` writes. Everything else is 404. Resolves when a
 * page has got its first scripts and asks for nothing more: until then main had better not be busy with anything else.
 *
 * With `registerBufferProtocol`, which newer declarations call deprecated: its successor `handle` wraps each file in two
 * streams. One pair of runs on a busy machine (Electron 25): first paint 1.42× a bare window with this, 1.64× with that.
 */
export function serveApp(session: Session, folder: string, crashPage: () => string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let hasServedScript = false;
  return new Promise((resolve) => {
    session.protocol.registerBufferProtocol(APP_SCHEME, (request, respond) => {
      respond(answer(request, folder, crashPage));
      hasServedScript ||= request.url.endsWith('.js');
      clearTimeout(timer);
      if (hasServedScript) timer = setTimeout(resolve, QUIET_MS);
    });
  });
}

function answer(
  { method, url }: { readonly method: string; readonly url: string },
  folder: string,
  crashPage: () => string,
): ProtocolResponse {
  if (method !== 'GET') return refuse(405);
  if (url === CRASH_URL) return page(Buffer.from(crashPage()), '.html');
  const file = resolveAsset(folder, url);
  if (file === null) return refuse(404);
  try {
    // Synchronous on purpose: some tenths of a millisecond, where four trips through Node's thread pool cost ten and more.
    return page(readFileSync(file), extname(file));
  } catch {
    return refuse(404); // not there; the caller sees which address
  }
}

function refuse(statusCode: number): ProtocolResponse {
  return { statusCode, data: Buffer.alloc(0) };
}

function page(data: Buffer, extension: string): ProtocolResponse {
  return {
    data,
    headers: {
      'Content-Type': CONTENT_TYPES[extension] ?? 'application/octet-stream',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  };
}
