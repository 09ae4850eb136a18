import ssh2, {
  type Algorithms,
  type CompressionAlgorithm,
  type ConnectConfig,
  type KexAlgorithm,
} from 'ssh2';
import { spareCostlyPackets } from './costly-packets.ts';
import { parseInTurns } from './fair-parsing.ts';
import { grantNothingAfterClose, holdToSizes, tellUnanswered } from './honest-channels.ts';
import type { LentAgent } from './lent-agent.ts';
import { SessionProof } from './session-proof.ts';
import { boundUnasked } from './unasked.ts';

/**
 * SECURITY: curves of a fixed size, which take a millisecond, whoever asks. Not Diffie-Hellman groups: the server may choose
 * those itself, and Electron tests even the standard ones for being prime in the one thread that everything runs in: seconds
 * for 2048 bits, most of a minute for 8192 (decision 32).
 */
const KEY_EXCHANGES: KexAlgorithm[] = [
  'curve25519-sha256',
  'curve25519-sha256@libssh.org',
  'ecdh-sha2-nistp256',
  'ecdh-sha2-nistp384',
  'ecdh-sha2-nistp521',
];

/** SECURITY: a few bytes of a server would be gigabytes here. Every server can do without (RFC 4253 6.2). */
const COMPRESSIONS: CompressionAlgorithm[] = ['none'];

/** Everything but the check itself and what is agreed on, which no caller can leave out or replace. */
export type VerifiedConfig = Omit<
  ConnectConfig,
  'hostVerifier' | 'hostHash' | 'agent' | 'agentForward' | 'algorithms'
> & { readonly algorithms?: Omit<Algorithms, 'kex' | 'compress'> };

/**
 * SECURITY: the only place that makes an SSH client (lint rule `ssh-client`). ssh2 accepts any host key unless
 * `hostVerifier` is set, and takes every answer but `false` for a yes, so both are settled here. It asks again at each key
 * exchange, also in the middle of a connection.
 */
export class VerifiedClient extends ssh2.Client {
  readonly #verify: (blob: Buffer) => unknown;

  /** SECURITY: null: nothing is lent, and every channel to an agent is refused. */
  readonly lentAgent: LentAgent | null;

  constructor(verify: (blob: Buffer) => boolean, lentAgent: LentAgent | null = null) {
    super();
    this.#verify = verify;
    this.lentAgent = lentAgent;
  }

  override connect(config: VerifiedConfig): this {
    const proof = new SessionProof(this);
    const hostVerifier = (blob: Buffer): boolean => {
      proof.keyShown(blob);
      return this.#verify(blob) === true;
    };
    this.once('handshake', () => this.lentAgent?.bindTo(proof.agentBinding()));
    super.connect({
      ...config,
      algorithms: { ...config.algorithms, kex: KEY_EXCHANGES, compress: COMPRESSIONS },
      hostVerifier,
      hostHash: undefined as never,
      ...(this.lentAgent !== null && { agent: this.lentAgent }),
    });
    const hangUp = (cause: Error): void => {
      this.emit('error', cause);
      this.destroy();
    };
    parseInTurns(this);
    spareCostlyPackets(this);
    holdToSizes(this, hangUp);
    boundUnasked(this, hangUp);
    grantNothingAfterClose(this);
    tellUnanswered(this);
    return this;
  }
}
