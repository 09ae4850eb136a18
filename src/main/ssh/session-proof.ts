import type { Client } from 'ssh2';
import { field } from './wire-fields.ts';

/** What ssh2 (1.17) keeps to itself of a key exchange. The signature is gone when the exchange is complete. */
interface Internals {
  readonly _protocol: {
    readonly _kex?: { readonly _sig?: Buffer; readonly sessionID?: Buffer };
  };
}

const AGENT_EXTENSION = 27;
const FOR_FORWARDING = 1;

/** How the server has proven in the first key exchange who it is: with its key it has signed the id of the session. */
export class SessionProof {
  readonly #client: Client;
  #shown: { readonly hostKey: Buffer; readonly signature: Buffer } | null = null;

  constructor(client: Client) {
    this.#client = client;
  }

  /** The server shows this key; later exchanges of the same session prove nothing about its id. */
  keyShown(hostKey: Buffer): void {
    const signature = this.#kex?._sig;
    if (signature === undefined) return;
    // Copies: both lie in the buffer of a packet.
    this.#shown ??= { hostKey: Buffer.from(hostKey), signature: Buffer.from(signature) };
  }

  /**
   * After the exchange: the message that tells an agent to which server it is lent (OpenSSH's PROTOCOL.agent §1). Null: ssh2
   * has changed what it keeps.
   */
  agentBinding(): Buffer | null {
    const sessionId = this.#kex?.sessionID;
    if (this.#shown === null || sessionId === undefined) return null;
    const { hostKey, signature } = this.#shown;
    return field(
      Buffer.concat([
        Buffer.of(AGENT_EXTENSION),
        field('session-bind@openssh.com'),
        field(hostKey),
        field(sessionId),
        field(signature),
        Buffer.of(FOR_FORWARDING),
      ]),
    );
  }

  get #kex(): Internals['_protocol']['_kex'] {
    return (this.#client as unknown as Internals)._protocol._kex;
  }
}
