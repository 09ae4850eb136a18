import { createHash } from 'node:crypto';
import type { Proxy } from '../../shared/boxes/route.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { Secrets } from './secrets.ts';

const PREFIX = 'proxy-password:';

/** A proxy's password, for every box that goes through it under that user name. Null: none is kept. */
export function proxyPassword(
  secrets: Pick<Secrets, 'get'>,
  proxy: Proxy,
): Result<string | null, Problem> {
  const found = secrets.get(proxyPasswordName(proxy));
  return found.ok ? ok(found.value?.reveal() ?? null) : found;
}

export async function keepProxyPassword(
  secrets: Pick<Secrets, 'set'>,
  proxy: Proxy,
  password: string,
): Promise<Result<null, Problem>> {
  const kept = await secrets.set(proxyPasswordName(proxy), password);
  return kept.ok ? ok(null) : kept;
}

export function proxyPasswordName({ protocol, host, port, user }: Proxy): string {
  const place = JSON.stringify([protocol, host.toLowerCase(), port, user]);
  // Names stand in clear in the file and are short and plain; a user name need be neither.
  return `${PREFIX}${createHash('sha256').update(place).digest('hex').slice(0, 32)}`;
}

export function isProxyPassword(name: string): boolean {
  return name.startsWith(PREFIX);
}
