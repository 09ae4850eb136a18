import type { BoxConnection } from '../../../shared/boxes/box.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { Result } from '../../../shared/result.ts';
import { call } from '../../state/bridge.ts';
import { toConnection, type ConnectionValues } from './connection-values.ts';

/** The proxy's password first, on its own way to the secrets: a box that needs it must not come without it. */
export async function sendConnection<T>(
  values: ConnectionValues,
  send: (connection: BoxConnection) => Promise<Result<T, Problem>>,
): Promise<Result<T, Problem>> {
  const connection = toConnection(values);
  const { route } = connection;
  if (route.kind === 'proxy' && values.proxyPassword !== '') {
    const { proxy } = route;
    const kept = await call('secret:keep-proxy-password', {
      proxy,
      password: values.proxyPassword,
    });
    if (!kept.ok) return kept;
  }
  return send(connection);
}
