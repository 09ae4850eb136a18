import { proxy, type Proxy } from '../boxes/route.ts';

/** One way to a host, as the system names it. Null: straight there. */
export type WayOut = Proxy | null;

const MAX_WAYS = 5;
const PROTOCOLS: Readonly<Record<string, Proxy['protocol']>> = { PROXY: 'http', SOCKS5: 'socks5' };

/**
 * Reads "PROXY proxy.example:3128; DIRECT", as scripts for proxies write it: what is named first is tried first. What is of
 * another kind is left out and never read as "straight there"; none at all: the system wants a way that is not known here.
 */
export function parseProxyList(text: string): readonly WayOut[] {
  return text
    .split(';')
    .slice(0, MAX_WAYS)
    .flatMap((each) => {
      const word = each.trim();
      if (word.toUpperCase() === 'DIRECT') return [null];
      const [, kind = '', host = '', port = ''] =
        /^(\w+)\s+(\[[\da-f:.]+\]|[^\s:[\]]+):(\d{1,5})$/i.exec(word) ?? [];
      const read = proxy.safeParse({
        protocol: PROTOCOLS[kind.toUpperCase()],
        host: host.replace(/^\[|\]$/g, ''),
        port: Number(port),
        user: null,
      });
      return read.success ? [read.data] : [];
    });
}
