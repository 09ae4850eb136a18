// Apart from tunnel.ts: the window needs this and must not load the schemas, whose library asks whether it may evaluate text.
import type { TunnelDraft } from './tunnel.ts';

/** Where a browser reaches it on this machine; null for what no browser can open. */
export function tunnelUrl({ kind, service, listenPort }: TunnelDraft): string | null {
  return kind === 'local' && service !== 'tcp' ? `http://127.0.0.1:${listenPort}/` : null;
}
