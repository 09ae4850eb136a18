import { describe, expect, it } from 'vitest';
import type { Proxy } from '../../shared/boxes/route.ts';
import { ok } from '../../shared/result.ts';
import { keepProxyPassword, proxyPassword } from './proxy-passwords.ts';
import { Secret } from './secret.ts';
import { SECRET_NAME } from './secrets-file.ts';

const PROXY: Proxy = { protocol: 'socks5', host: 'Proxy.example', port: 1080, user: 'Ünïcode me' };

function memorySecrets() {
  const kept = new Map<string, Secret>();
  return {
    kept,
    get: (name: string) => ok(kept.get(name) ?? null),
    set: async (name: string, value: string) => {
      kept.set(name, new Secret(value));
      return ok({ isKept: true } as const);
    },
  };
}

describe('a proxy’s password', () => {
  it('is kept for that proxy and user only, under a name that the secrets allow', async () => {
    const secrets = memorySecrets();
    expect(proxyPassword(secrets, PROXY)).toEqual(ok(null));
    await keepProxyPassword(secrets, PROXY, 'hunter2');
    expect(proxyPassword(secrets, { ...PROXY, host: 'proxy.EXAMPLE' })).toEqual(ok('hunter2'));
    for (const other of [{ port: 1081 }, { user: 'you' }, { protocol: 'http' as const }]) {
      expect(proxyPassword(secrets, { ...PROXY, ...other })).toEqual(ok(null));
    }
    expect([...secrets.kept.keys()]).toEqual([expect.stringMatching(SECRET_NAME)]);
  });
});
