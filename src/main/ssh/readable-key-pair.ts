import ssh2, { type ParsedKey } from 'ssh2';

const TRIES = 10;

/** ssh2 (1.17) writes about one ed25519 key in 250 so that nobody can read it back: each is tried before it is used. */
export function makeReadableKeyPair(): {
  readonly private: string;
  readonly public: string;
  readonly parsed: ParsedKey;
} {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519');
    const parsed = ssh2.utils.parseKey(pair.private);
    if (!(parsed instanceof Error)) return { ...pair, parsed };
  }
  throw new Error('ssh2 made no key that it can read');
}
