import type { Duplex } from 'node:stream';
import { BaseAgent, createAgent, type ParsedKey } from 'ssh2';

/** A shell and its children ask one after the other; more at once is a box that floods the agent. */
const MAX_CONVERSATIONS = 16;

/**
 * The person's SSH agent, as far as it is lent to a box: the box may talk to it while at least one terminal is open that
 * was told so, and never otherwise.
 *
 * SECURITY: sshd shows a lent agent to everything that runs on the connection, and ssh2 goes on answering for as long as
 * it lasts. So the door is here, on our side.
 */
export class LentAgent extends BaseAgent<ParsedKey> {
  /** Null: there is none on this machine. */
  readonly #agent: BaseAgent<ParsedKey> | null;
  readonly #conversations = new Set<Duplex>();
  #borrowers = 0;

  constructor(socket: string | null) {
    super();
    this.#agent = socket === null ? null : (createAgent(socket) as BaseAgent<ParsedKey>);
  }

  get exists(): boolean {
    return this.#agent !== null;
  }

  /** From now on until the returned function is called. */
  lend(): () => void {
    this.#borrowers += 1;
    let isLent = true;
    return () => {
      if (!isLent) return;
      isLent = false;
      this.#borrowers -= 1;
      if (this.#borrowers === 0) for (const stream of this.#conversations) hangUp(stream);
    };
  }

  /** ssh2 asks for it when the box opens a channel to the agent; an error refuses that channel. */
  override getStream(take: (cause: Error | undefined, stream?: Duplex) => void): void {
    if (this.#borrowers === 0) return take(new Error('the agent is not lent'));
    if (this.#conversations.size >= MAX_CONVERSATIONS) return take(new Error('too many at once'));
    if (this.#agent?.getStream === undefined) return take(new Error('there is no agent to lend'));
    this.#agent.getStream((cause, stream) => {
      if (stream === undefined || this.#borrowers === 0) {
        stream?.destroy();
        return take(cause ?? new Error('the agent is not lent'));
      }
      this.#conversations.add(stream);
      // An agent that goes in the middle ends that conversation; the box sees its channel close.
      stream.on('error', () => stream.destroy());
      stream.once('close', () => this.#conversations.delete(stream));
      take(undefined, stream);
    });
  }

  // SECURITY: Leasehold logs in with keys that it names one by one (signer.ts), never with whatever this agent holds.
  override getIdentities(take: (cause: Error) => void): void {
    take(new Error('the lent agent is not for logging in'));
  }

  override sign(...args: readonly unknown[]): void {
    const take = args.at(-1);
    // ssh2's two forms of this call both end with the callback.
    (take as (cause: Error) => void)(new Error('the lent agent is not for logging in'));
  }
}

/** The end first, which ssh2 hands on: the box's program learns that nobody answers any more. */
function hangUp(stream: Duplex): void {
  stream.push(null);
  setImmediate(() => stream.destroy());
}
