import { generateKeyPairSync } from 'node:crypto';
import ssh2, { type Connection, type ParsedKey } from 'ssh2';
import { afterEach, expect, it } from 'vitest';
import { startLoginServer, type LoginServer } from './login-server.fixture.ts';
import { fileSigner } from './signer.ts';
import { openConnection } from './ssh-connection.ts';

// A server that is trusted and does not let us in, but keeps us at it.

let server: LoginServer;
afterEach(() => server.stop());

/** What ssh2's server keeps to itself. */
interface Inside {
  readonly _protocol: {
    readonly _handlers: {
      USERAUTH_REQUEST: (
        protocol: unknown,
        user: string,
        service: string,
        method: string,
        data: KeyData,
      ) => void;
    };
    authPKOK(algorithm: string, key: Buffer): void;
  };
}
interface KeyData {
  readonly keyAlgo: string;
  readonly key: Buffer;
}

const key = ssh2.utils.parseKey(
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs1',
    format: 'pem',
  }),
) as ParsedKey;

it('has no key sign again and again: each may ask a person for a touch', async () => {
  let signatures = 0;
  const own = fileSigner(key, 'id_rsa');
  server = await startLoginServer((context, { open }) => {
    const [client] = [...open] as [Connection];
    const { _protocol } = client as unknown as Inside;
    // From now on every key is known, whether it has just signed or not.
    _protocol._handlers.USERAUTH_REQUEST = (
      _own,
      _user,
      _service,
      _method,
      { keyAlgo, key: asked },
    ) => _protocol.authPKOK(keyAlgo, asked);
    context.reject(['publickey']);
  });
  const opened = await openConnection({
    address: { host: '127.0.0.1', port: server.port, user: 'u' },
    credentials: [
      {
        kind: 'signer',
        signer: {
          ...own,
          sign: (data, hash) => {
            signatures += 1;
            // Without a bound it would never come to an end.
            if (signatures > 20) return Promise.reject(new Error('enough'));
            return own.sign(data, hash);
          },
        },
      },
    ],
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
  });
  expect(opened).toMatchObject({ ok: false, error: { code: 'login-garbled' } });
  expect(signatures).toBe(3);
});
