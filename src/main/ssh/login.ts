import type { SshAddress } from '../../shared/boxes/address.ts';
import { MAX_KEY_TRIES } from '../../shared/login/next-try.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import type { Result } from '../../shared/result.ts';
import { signersOf, type Credentials } from './credentials.ts';
import type { LockedKey } from './identity-file.ts';
import type { Asked, Person } from './person.ts';
import { describeSigner, fileSigner, type Signer } from './signer.ts';

/** A key that can be offered; `locked` as long as only its public half can be used. */
export interface Candidate {
  readonly signer: Signer;
  readonly locked: LockedKey | null;
}

/** What can be offered, and how to count it. */
const OFFERS = {
  key: ['key', 'keys'],
  password: ['password', 'passwords'],
  prompts: ['round of answers', 'rounds of answers'],
} as const;
export type Offer = keyof typeof OFFERS;

/** Each new connection needs something that a person did; this ends a server that makes them go on for ever. */
const MAX_CONNECTIONS = 8;
const MAX_NAMED_KEYS = 3;
/** OpenSSH knows five ways to log in, by names of some twenty letters. */
const MAX_METHODS = 10;
const MAX_METHOD_CHARS = 40;

/** An answer that came after its connection was gone, for the next one, if it asks the very same. */
interface HeldAnswer {
  readonly question: string;
  readonly values: readonly string[];
}

/**
 * One log-in as the person sees it. It can take several connections: while somebody looks for a passphrase, or when the
 * box hung up on a question, no connection is held, and the answer starts a new one. What was refused stays refused.
 */
export class Login {
  readonly address: SshAddress;
  readonly person: Person | null;
  readonly signal: AbortSignal;
  /** Of all connections together: a new one is no way around the bound. */
  secretTries = 0;
  #candidates: readonly Candidate[] = [];
  #connections = 0;
  readonly #refused = new Set<string>();
  /** By their names, in order. */
  readonly #refusedKeys: string[] = [];
  readonly #offered: string[] = [];
  readonly #counts = new Map<Offer, number>();
  readonly #notes: string[] = [];
  readonly #certificates: string[] = [];
  #accepted: readonly string[] = [];
  #wanted: LockedKey | null = null;
  #pending: { readonly question: string; readonly asked: Asked<readonly string[]> } | null = null;
  #held: HeldAnswer | null = null;
  #hostKey: string | null = null;

  private constructor(address: SshAddress, person: Person | null, signal: AbortSignal) {
    this.address = address;
    this.person = person;
    this.signal = signal;
  }

  static async open(
    credentials: Credentials,
    address: SshAddress,
    signal: AbortSignal,
  ): Promise<Login> {
    const person = credentials.find((method) => method.kind === 'person')?.person ?? null;
    const login = new Login(address, person, signal);
    const candidates: Candidate[] = [];
    for (const method of credentials) {
      for (const signer of await signersOf(method)) candidates.push({ signer, locked: null });
      if (method.kind === 'note') login.#notes.push(method.text);
      if (method.kind === 'certificate') login.#certificates.push(method.file);
      if (method.kind !== 'locked-key') continue;
      const { key } = method;
      const recalled = (await person?.recall(key, signal)) ?? null;
      if (recalled !== null) {
        candidates.push({ signer: fileSigner(recalled, key.label), locked: null });
      } else if (person !== null) candidates.push(lockedCandidate(key));
      else login.#notes.push(`${key.file} is protected by a passphrase`);
    }
    // The same key in the agent and in a file is one key: a second offer would be a wasted try.
    login.#candidates = candidates.filter(
      ({ signer }, i) => candidates.findIndex((other) => other.signer.id === signer.id) === i,
    );
    return login;
  }

  /** SECURITY: an answer that was held is for the server that asked, not for another one that is trusted too. */
  meets(hostKey: string): void {
    if (this.#hostKey !== null && this.#hostKey !== hostKey) this.#held = null;
    this.#hostKey = hostKey;
    this.person?.meets(hostKey);
  }

  /** The keys that this server has not refused yet, in order. */
  get candidates(): readonly Candidate[] {
    return this.#candidates.filter(({ signer }) => !this.#refused.has(signer.id));
  }

  /** Something that happened beside the offers. */
  note(line: string): void {
    this.#notes.push(line);
  }

  /** What became of one offer, for the person. */
  tried(what: Offer, line: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
    this.#offered.push(line);
  }

  keyRefused({ signer }: Candidate): void {
    this.#refused.add(signer.id);
    this.#refusedKeys.push(signer.label);
    this.tried('key', `${describeSigner(signer)}: refused`);
  }

  accepts(methods: readonly string[]): void {
    // SECURITY: a server's own words, which become part of what the person reads.
    this.#accepted = methods.slice(0, MAX_METHODS).map((name) => plainLine(name, MAX_METHOD_CHARS));
  }

  /** The server knows this key, and only the person can open it. */
  passphraseWanted(key: LockedKey): void {
    this.#wanted = key;
  }

  /** If the connection goes before this is closed, the answer starts a new one. */
  questionOpened(question: string, asked: Asked<readonly string[]>): void {
    this.#pending = { question, asked };
  }

  questionClosed(): void {
    this.#pending = null;
  }

  /** An answer that was given to this very question after its connection had gone. It is given away once. */
  takeHeld(question: string): readonly string[] | null {
    const held = this.#held;
    this.#held = null;
    return held?.question === question ? held.values : null;
  }

  /** After a connection failed: null when another one can go on where this one stopped, else why it is over. */
  async settle(reason: Problem): Promise<Problem | null> {
    this.#connections += 1;
    const next = await this.#resume();
    if (next === null) return reason;
    if (!next.ok) return next.error;
    if (this.#connections < MAX_CONNECTIONS) return null;
    return this.refusal(`nothing; it hung up ${this.#connections} times`);
  }

  /** Null: nothing is open that could be gone on with. */
  async #resume(): Promise<Result<unknown, Problem> | null> {
    const { person, signal } = this;
    const wanted = this.#wanted;
    const pending = this.#pending;
    this.#wanted = null;
    this.#pending = null;
    if (wanted !== null && person !== null) {
      const opened = await person.unlock(wanted, signal);
      if (!opened.ok) return opened;
      const signer = fileSigner(opened.value, wanted.label);
      // First: the server has just said that it knows this one.
      const others = this.#candidates.filter((each) => each.signer.id !== signer.id);
      this.#candidates = [{ signer, locked: null }, ...others];
      return opened;
    }
    if (pending === null) return null;
    pending.asked.loginLost();
    const answer = await pending.asked.answered;
    if (answer.ok) this.#held = { question: pending.question, values: answer.value };
    return answer;
  }

  /** Why nothing more is tried, in words that say what was, and what the server would still take. */
  refusal(serverWords: string | null): Problem {
    const { host, user } = this.address;
    const notOffered = Math.max(0, this.candidates.length);
    const accepts = this.#accepted.length === 0 ? 'nothing more' : this.#accepted.join(', ');
    const offered = [...this.#counts].map(([what, count]) => this.#offerWords(what, count));
    const tried =
      offered.length === 0 ? 'nothing was offered' : `the server rejected ${offered.join(', ')}`;
    const detail = [
      ...this.#offered,
      ...this.#certificates.map(
        (file) => `${file}: not presented, Leasehold cannot use certificates`,
      ),
      ...this.#notes,
      ...(notOffered > 0 ? [`not offered: ${this.candidates.map(nameOf).join(', ')}`] : []),
      ...(serverWords === null ? [] : [`the box said: ${serverWords}`]),
    ].join('\n');
    const message = `Sign-in failed for ${user}@${host}: ${tried}. The box accepts: ${accepts}.`;
    const [certificate] = this.#certificates;
    if (certificate !== undefined) {
      return problem(
        'certificate-unsupported',
        `${message} The certificate ${certificate} could not be presented: the SSH library that Leasehold uses has no certificates.`,
        { detail },
      );
    }
    return problem('auth-refused', message, { nextStep: this.#wayOut(notOffered), detail });
  }

  /** "1 key (~/.ssh/id_rsa)"; of many the details have the names. */
  #offerWords(what: Offer, count: number): string {
    const words = counted(count, OFFERS[what]);
    const isNamed = what === 'key' && count <= MAX_NAMED_KEYS && count === this.#refusedKeys.length;
    return isNamed ? `${words} (${this.#refusedKeys.join(', ')})` : words;
  }

  #wayOut(notOffered: number): string {
    if (notOffered > 0 && this.#accepted.includes('publickey')) {
      return `Name this box’s key file. ${notOffered} more keys were not offered: after ${MAX_KEY_TRIES} many servers lock you out.`;
    }
    if (this.secretTries > 0) return 'Check the user name and what you typed, then connect again.';
    if (this.#accepted.length === 1 && this.#accepted[0] === 'publickey') {
      return 'Add your public key on your platform’s page for this box, or choose the key file that it knows.';
    }
    return 'Check the user name and the key, then connect again.';
  }
}

function lockedCandidate(key: LockedKey & Pick<Signer, 'publicKey'>): Candidate {
  const signer: Signer = {
    ...fileSigner(key.publicKey, key.label),
    isOurs: false,
    // Never signs: as soon as it is asked to, the connection is given up and the person is asked.
    sign: () => new Promise(() => undefined),
  };
  return { signer, locked: key };
}

function nameOf({ signer }: Candidate): string {
  return signer.label;
}

function counted(count: number, [one, many]: readonly [string, string]): string {
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}
