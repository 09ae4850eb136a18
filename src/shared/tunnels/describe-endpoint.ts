// Apart from tunnel.ts: the window needs this and must not load the schemas, whose library asks whether it may evaluate text.
import type { Endpoint } from './tunnel.ts';

/** Bracketed for IPv6, as people write it and as the Host header wants it. */
export function describeEndpoint({ host, port }: Endpoint): string {
  return `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}
