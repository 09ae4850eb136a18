import { Duplex } from 'node:stream';
import type { AgentUse } from '../../shared/terminal/terminal.ts';
import { field } from './wire-fields.ts';

/** Of the agent protocol (draft-ietf-sshm-ssh-agent, §6.1): what a box may ask. */
const REQUEST_IDENTITIES = 11;
const SIGN_REQUEST = 13;
const EXTENSION = 27;
/** The one extension that only ever takes away: `ssh` names with it the server that the next signatures are for. */
const SESSION_BIND = field('session-bind@openssh.com');
const FAILURE = Buffer.from([0, 0, 0, 1, 5]);
/** OpenSSH's own bound for a message. */
const MAX_MESSAGE_BYTES = 256 * 1024;
/** `ssh-add` asks a few things of an agent that it may lack; who goes on asking wants something else. */
const MAX_DENIED = 16;

/**
 * A box's conversation with the person's agent, one request after the other.
 *
 * SECURITY: an agent does what it is asked by whoever has its socket: it also forgets its keys, locks itself or
 * loads a library. To a box it lists its keys and signs, and nothing else gets through.
 */
export class AgentDoor extends Duplex {
  readonly #agent: Duplex;
  readonly #onUse: (use: AgentUse) => void;
  #asked = Buffer.alloc(0);
  #answered = Buffer.alloc(0);
  /** Set while the agent has to answer: takes the box's next request. */
  #afterAnswer: (() => void) | null = null;
  /** Set while the box does not read what it was answered: it is asked no more before. */
  #afterRead: (() => void) | null = null;
  /** Until the agent has answered to the first message, which is ours. */
  #isBinding = true;
  #isSigning = false;
  #denied = 0;

  /**
   * `binding` tells the agent whom it talks to. An agent that does not know the message refuses it, and holds no keys either that
   * would depend on it.
   */
  constructor(agent: Duplex, binding: Buffer, onUse: (use: AgentUse) => void) {
    super();
    this.#agent = agent;
    this.#onUse = onUse;
    agent.on('data', (bytes: Buffer) => this.#takeAnswer(bytes));
    agent.on('end', () => this.push(null));
    // An agent that goes in the middle ends the conversation; the box sees its channel close.
    agent.on('error', () => this.destroy());
    agent.on('close', () => this.destroy());
    agent.write(binding);
  }

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.#asked = Buffer.concat([this.#asked, bytes]);
    if (this.#isBinding) this.#afterAnswer = () => this.#ask(done);
    else this.#ask(done);
  }

  override _final(done: () => void): void {
    this.#agent.end();
    done();
  }

  override _read(): void {
    const goOn = this.#afterRead;
    this.#afterRead = null;
    goOn?.();
  }

  override _destroy(cause: Error | null, done: (cause: Error | null) => void): void {
    this.#agent.destroy();
    done(cause);
  }

  /** Hands on what is whole and allowed, and stops at the first request that the agent has to answer. */
  #ask(done: () => void): void {
    for (;;) {
      const message = firstMessage(this.#asked);
      if (message === 'too-long') return void this.destroy();
      if (message === null) return done();
      this.#asked = this.#asked.subarray(message.length);
      if (isAllowed(message)) {
        this.#isSigning = message[4] === SIGN_REQUEST;
        this.#afterAnswer = () => this.#ask(done);
        this.#agent.write(message);
        return;
      }
      this.#denied += 1;
      this.#onUse('denied');
      if (this.#denied > MAX_DENIED) return void this.destroy();
      this.push(FAILURE);
    }
  }

  #takeAnswer(bytes: Buffer): void {
    this.#answered = Buffer.concat([this.#answered, bytes]);
    const answer = firstMessage(this.#answered);
    if (answer === 'too-long') return void this.destroy();
    if (answer === null) return;
    const goOn = this.#afterAnswer;
    if (this.#isBinding && answer.length === this.#answered.length) {
      this.#isBinding = false;
      this.#afterAnswer = null;
      this.#answered = Buffer.alloc(0);
      goOn?.();
      return;
    }
    // An answer that nobody asked for, or more than one: it is not the agent that we know.
    if (goOn === null || answer.length !== this.#answered.length) return void this.destroy();
    this.#afterAnswer = null;
    this.#answered = Buffer.alloc(0);
    if (this.#isSigning && answer[4] !== FAILURE[4]) this.#onUse('signed');
    if (this.push(answer)) goOn();
    else this.#afterRead = goOn;
  }
}

function isAllowed(message: Buffer): boolean {
  const type = message[4];
  if (type === REQUEST_IDENTITIES) return message.length === 5;
  if (type === SIGN_REQUEST) return true;
  return type === EXTENSION && message.subarray(5, 5 + SESSION_BIND.length).equals(SESSION_BIND);
}

/** The first whole message with its length before it; null: it has not come yet. */
function firstMessage(bytes: Buffer): Buffer | 'too-long' | null {
  if (bytes.length < 4) return null;
  const length = bytes.readUInt32BE(0);
  if (length === 0 || length > MAX_MESSAGE_BYTES) return 'too-long';
  return bytes.length < 4 + length ? null : bytes.subarray(0, 4 + length);
}
