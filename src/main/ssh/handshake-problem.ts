import type { ProblemCode } from '../../shared/problem.ts';

/** What ssh2 1.17 says in kex.js when it is the server, and not the network, that is at fault. */
const FAULTS: readonly (readonly [RegExp, ProblemCode])[] = [
  [/no matching key exchange algorithm/i, 'key-exchange-refused'],
  // It showed a key, and then could not sign with it: a copy of someone else's public key.
  [/signature verification failed|malformed signature|wrong signature type/i, 'host-key-unproven'],
  [
    /no matching host key format|host key does not match negotiated type|malformed host public key|malformed KEX\*_REPLY|unsupported key type|malformed .*public key/i,
    'host-key-unusable',
  ],
];

/** Null: the handshake failed for a reason of its own, or of the network's. */
export function handshakeProblemCode(level: unknown, message: unknown): ProblemCode | null {
  if (level !== 'handshake' || typeof message !== 'string') return null;
  return FAULTS.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}

/** Each side names what it can do; these are what ssh2 1.17 says where there is nothing that both can. */
const UNAGREED = /no matching (?:C->S|S->C) (cipher|MAC|compression)$/;

export type Unagreed = 'cipher' | 'MAC' | 'compression';

/** What the two sides could not agree on, besides the key exchange: the next try would end the same way. */
export function unagreedOn(level: unknown, message: unknown): Unagreed | null {
  if (level !== 'handshake' || typeof message !== 'string') return null;
  return (UNAGREED.exec(message)?.[1] as Unagreed | undefined) ?? null;
}
