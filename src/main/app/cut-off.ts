import type { Session, WebContents } from 'electron';

/** A port that nothing listens on and that no program may take without being root. */
const NOWHERE = 'http://127.0.0.1:1';
/** Chromium would spare this machine's own addresses. */
const NOT_EVEN_LOOPBACK = '<-loopback>';

/**
 * SECURITY: WebRTC knows neither a content security policy nor what a session refuses to load. A page sends UDP with it, and TCP,
 * to any address and to every port of this machine. Without a proxy that takes UDP there is no UDP, and TCP ends at a proxy that
 * is not there. `except`: the one origin, as `127.0.0.1:6006`, that the session's pages may reach.
 */
export async function cutOff(session: Session, except: string | null): Promise<void> {
  await session.setProxy({
    mode: 'fixed_servers',
    proxyRules: NOWHERE,
    proxyBypassRules: [NOT_EVEN_LOOPBACK, ...(except === null ? [] : [except])].join(';'),
  });
}

/** SECURITY: the other half of it, which a window's page has by itself. */
export function refuseUdp(contents: WebContents): void {
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}
