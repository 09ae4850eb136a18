import type { Duplex } from 'node:stream';
import ssh2, { type ParsedKey, type BaseAgent } from 'ssh2';
import type { AgentUse } from '../../shared/terminal/terminal.ts';
import { AgentDoor } from './agent-door.ts';

/** A shell and its children ask one after the other; more at once is a box that floods the agent. */
const MAX_CONVERSATIONS = 16;

/**
 * The person's SSH agent, as far as it is lent to a box: the box may talk to it while at least one terminal is open that
 * was told so, and never otherwise.
 *
 * SECURITY: sshd shows a lent agent to everything that runs on the connection, and ssh2 goes on answering for as long as
 * it lasts. So the door is here, on our side. And the agent is told first to which server it is lent, as `ssh -A` does: it
 * then keeps back the keys that the person has bound to other servers (`ssh-add -h`).
 */
export class LentAgent extends ssh2.BaseAgent<ParsedKey> {
  /** Null: there is none on this machine. */
  readonly #agent: BaseAgent<ParsedKey> | null;
  #binding: Buffer | null = null;
  readonly #conversations = new Set<Duplex>();
  readonly #borrowers = new Set<(use: AgentUse) => void>();

  constructor(socket: string | null) {
    super();
    this.#agent = socket === null ? null : (ssh2.createAgent(socket) as BaseAgent<ParsedKey>);
  }

  get exists(): boolean {
    return this.#agent !== null;
  }

  /** The server has proven who it is. Without that proof, which is null then, nothing is lent. */
  bindTo(binding: Buffer | null): void {
    this.#binding = binding;
  }

  /** From now on until the returned function is called. What the box does with it is told meanwhile. */
  lend(onUse: (use: AgentUse) => void): () => void {
    const borrower = (use: AgentUse): void => onUse(use);
    this.#borrowers.add(borrower);
    return () => {
      this.#borrowers.delete(borrower);
      if (this.#borrowers.size === 0) for (const stream of this.#conversations) hangUp(stream);
    };
  }

  /** ssh2 asks for it when the box opens a channel to the agent; an error refuses that channel. */
  override getStream(take: (cause: Error | undefined, stream?: Duplex) => void): void {
    if (this.#borrowers.size === 0) return take(new Error('the agent is not lent'));
    if (this.#conversations.size >= MAX_CONVERSATIONS) return take(new Error('too many at once'));
    if (this.#agent?.getStream === undefined) return take(new Error('there is no agent to lend'));
    const binding = this.#binding;
    if (binding === null) return take(new Error('the agent cannot be told whom it is lent to'));
    this.#agent.getStream((cause, stream) => {
      if (stream === undefined || this.#borrowers.size === 0) {
        stream?.destroy();
        return take(cause ?? new Error('the agent is not lent'));
      }
      const door = new AgentDoor(stream, binding, (use) => {
        for (const tell of this.#borrowers) tell(use);
      });
      this.#conversations.add(door);
      door.once('close', () => this.#conversations.delete(door));
      take(undefined, door);
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
