import ssh2, {
  type ParsedKey,
  type SignCallback,
  type SigningRequestOptions,
  type BaseAgent,
} from 'ssh2';
import { fingerprintOf } from './host-key.ts';

type Hash = SigningRequestOptions['hash'];

/** One key that can be offered to a server, wherever its private half is. */
export interface Signer {
  /** The public half, base64: two signers with the same one are the same key. */
  readonly id: string;
  /** What the person knows it by: `id_ed25519`, `me@laptop in the agent`. */
  readonly label: string;
  readonly publicKey: ParsedKey;
  /** Its private half is in this process: signing costs nobody a touch or a yes. */
  readonly isOurs: boolean;
  sign(data: Buffer, hash: Hash): Promise<Buffer>;
}

export function describeSigner({ label, publicKey }: Signer): string {
  return `${label} (${publicKey.type} ${fingerprintOf(publicKey.getPublicSSH())})`;
}

export function fileSigner(key: ParsedKey, label: string): Signer {
  return {
    id: keyId(key),
    label,
    publicKey: key,
    isOurs: true,
    sign: (data, hash) => Promise.resolve(key.sign(data, hash)),
  };
}

export function agentSigner(agent: BaseAgent, publicKey: ParsedKey, label: string): Signer {
  return {
    id: keyId(publicKey),
    label,
    publicKey,
    isOurs: false,
    sign: (data, hash) =>
      new Promise((resolve, reject) => {
        const options = hash === undefined ? {} : { hash };
        agent.sign(publicKey, data, options, (cause, signature) => {
          if (signature !== undefined) resolve(signature);
          else reject(cause ?? new Error('the agent did not sign'));
        });
      }),
  };
}

export function keyId(key: ParsedKey): string {
  return key.getPublicSSH().toString('base64');
}

/** Null for what ssh2 does not take as a public key. A certificate reads as one to it, with wrong bytes: refused here. */
export function parsePublicKey(text: string): ParsedKey | null {
  const line = text.trim();
  if (/^\S*-cert-v0[01]@openssh\.com\s/.test(line)) return null;
  const parsed = ssh2.utils.parseKey(line);
  return parsed instanceof Error || parsed.isPrivateKey() ? null : parsed;
}

export interface SignListener {
  /** The server knows the key and wants a signature. Answers whether it gets one. */
  readonly onSign: () => boolean;
  /** Whoever holds the key did not sign: somebody said no at the agent's own window, or it is gone. */
  readonly onFailure: (because: string) => void;
}

/**
 * Hands ssh2 one key at a time through the door that it has for agents: the only one behind which a signature may take
 * its time.
 */
export class OneKeyAgent extends ssh2.BaseAgent<ParsedKey> {
  readonly #signer: Signer;
  readonly #listener: SignListener;

  constructor(signer: Signer, listener: SignListener) {
    super();
    this.#signer = signer;
    this.#listener = listener;
  }

  getIdentities(callback: (cause?: Error | null, keys?: ParsedKey[]) => void): void {
    callback(null, [this.#signer.publicKey]);
  }

  sign(
    _publicKey: ParsedKey,
    data: Buffer,
    options: SigningRequestOptions | SignCallback,
    callback?: SignCallback,
  ): void {
    if (!this.#listener.onSign()) return;
    const done = typeof options === 'function' ? options : callback;
    const hash = typeof options === 'function' ? undefined : options.hash;
    this.#signer.sign(data, hash).then(
      (signature) => done?.(null, signature),
      (cause: unknown) => {
        const error = cause instanceof Error ? cause : new Error(String(cause));
        this.#listener.onFailure(error.message);
        done?.(error);
      },
    );
  }
}
