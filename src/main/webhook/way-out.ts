import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectSecure } from 'node:tls';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { parseProxyList } from '../../shared/webhook/proxy-list.ts';
import { throughProxy } from '../ssh/proxy-way.ts';

/** What the system says of the way to an origin, as a script for proxies would write it. */
export type FindProxies = (origin: string) => Promise<string>;

/** Null: straight there, by Node's own connection. */
export type Connection = Duplex | null;

/**
 * The first of the system's ways that is open. SECURITY: the system is asked about the origin alone: a script for proxies may
 * come from the network, and the rest of the address is a secret.
 */
export async function openWayOut(
  url: URL,
  findProxies: FindProxies,
  signal: AbortSignal,
): Promise<Result<Connection, Problem>> {
  const said = await Promise.race([ask(findProxies, url), onceAborted(signal)]);
  if (!said.ok) return said;
  const ways = parseProxyList(said.value);
  let failed = problem('proxy-refused', 'The system’s proxy is of a kind that is not used here.');
  for (const proxy of ways) {
    if (proxy === null) return ok(null);
    const way = await throughProxy({ proxy, target: targetOf(url), password: () => ok(null) })(
      signal,
    );
    if (way.ok)
      return ok(url.protocol === 'https:' ? secure(way.value.stream, url) : way.value.stream);
    failed = way.error;
    // Only where nobody is there is the next one asked: what a proxy refuses is not tried behind its back.
    if (failed.code !== 'proxy-unreachable') return err(failed);
  }
  return err(failed);
}

function targetOf(url: URL) {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { host: hostOf(url), port, user: '' };
}

/** Checked against the host that was entered, as without a proxy. */
function secure(socket: Duplex, url: URL): Duplex {
  const host = hostOf(url);
  return connectSecure({ socket, host, servername: isIP(host) === 0 ? host : '' });
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

async function ask(findProxies: FindProxies, url: URL): Promise<Result<string, Problem>> {
  try {
    return ok(await findProxies(`${url.origin}/`));
  } catch (cause) {
    const message = 'The system did not say whether there is a proxy.';
    return err(problem('proxy-unreachable', message, { detail: String(cause) }));
  }
}

function onceAborted(signal: AbortSignal): Promise<Result<never, Problem>> {
  return new Promise((resolve) => {
    const stop = (): void => resolve(err(problem('aborted', 'Leasehold was closed.')));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
