import type { AnyAuthMethod, AuthHandlerMiddleware, Prompt } from 'ssh2';
import { chooseNextTry } from '../../shared/login/next-try.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { plainLine, plainText } from '../../shared/questions/hostile-text.ts';
import { MAX_PROMPTS } from '../../shared/questions/question.ts';
import type { Credentials } from './credentials.ts';
import type { Candidate, Login } from './login.ts';
import type { Asked, LoginWay, PromptRound } from './person.ts';
import { repeating } from './repeating-person.ts';
import { isPasswordRound } from './secret-names.ts';
import { describeSigner, OneKeyAgent, type Signer } from './signer.ts';

/** How often one server may ask within one log-in; two-step log-ins need two. */
const MAX_ROUNDS = 6;
const MAX_PROMPT_CHARS = 200;
const MAX_INSTRUCTION_CHARS = 1000;
const MAX_SERVER_WORDS = 200;
/** One for each way in which an RSA key signs. ssh2 signs as often as it is told that the key is known. */
const MAX_SIGNATURES = 3;
/** How often a server may say that something more is needed: each key twice, a password, questions, and what it is asked between. */
const MAX_TURNS = 24;

/**
 * OpenSSH's server hangs up 120 s after connecting (LoginGraceTime). We go first, so that an unanswered question holds no
 * half-open log-in; the question itself stays open.
 */
const HOLD_MS = 100_000;

export interface TryHooks {
  /** Ends this connection for that reason. */
  readonly fail: (reason: Problem) => void;
  /** Settles when the connection is gone. */
  readonly closed: Promise<unknown>;
  /** Waiting for a person is not the server's slowness. Returns how to go on. */
  readonly pauseDeadline: () => () => void;
}

const SECRET_NAMES = { password: 'password', prompts: 'answers to the box’s questions' } as const;

type Current =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly candidate: Candidate; signatures: number }
  | { readonly kind: 'password'; readonly password: string }
  | { readonly kind: 'prompts'; hasAnswered: boolean; password: string | null };

/** What ssh2 puts on its errors; a DISCONNECT of the server has a number as its code. */
interface SshError {
  readonly code?: unknown;
  readonly message?: unknown;
}

/** What ssh2 says of a form that does not fit into a packet, or claims more questions than its packet holds. */
const UNFITTING_FORM = /^(?:Bad packet length|Inbound: Malformed USERAUTH_INFO_REQUEST)/;

/** The log-in on one connection: says to ssh2 what comes next, and hears what became of it. */
export class LoginTry {
  readonly #login: Login;
  readonly #hooks: TryHooks;
  readonly #used = new Set<string>();
  #current: Current | null = null;
  #accepted: readonly string[] | null = null;
  #keyTries = 0;
  #turns = 0;
  #rounds = 0;
  #isAsking = false;
  #isPromptless = false;
  #refusal: string | null = null;
  /** The server took something and wanted more. */
  #wasPartial = false;
  /** The only thing that was sent; null: there was more, or something that is right only once. */
  #password: string | null = null;
  /** The passwords that the server took and wanted more. */
  readonly #taken: string[] = [];
  /** What was sent and has got no answer yet. */
  #isSecretSent = false;

  constructor(login: Login, hooks: TryHooks) {
    this.#login = login;
    this.#hooks = hooks;
  }

  readonly handler: AuthHandlerMiddleware = (methodsLeft, isPartial, next) => {
    this.#turns += 1;
    // SECURITY: each would be one more question to the person, or one more request that waits to be sent.
    if (this.#isAsking || this.#turns > MAX_TURNS) {
      this.#hooks.fail(this.#tooManyQuestions('it refuses what it was not sent'));
      return;
    }
    // ssh2 gives null before the server has said anything; its types do not know.
    const accepted = methodsLeft as readonly string[] | null;
    this.#judge(accepted, (isPartial as boolean | null) === true);
    const method = this.#choose();
    if (method !== null) void method.then((each) => each !== null && next(each));
  };

  /** After `ready`. */
  get way(): LoginWay {
    const { kind = 'none' } = this.#current ?? {};
    return kind === 'none' ? 'nothing' : kind;
  }

  /** After `ready`: the passwords that the server took. */
  get passwords(): readonly string[] {
    return [...this.#taken, ...passwordIn(this.#current)];
  }

  /** After `ready`: the key that the server took, if it was one. */
  get signer(): Signer | null {
    return this.#current?.kind === 'key' ? this.#current.candidate.signer : null;
  }

  /** After `ready`: what lets in once more without asking anybody; null where it took more than one thing. */
  get repetition(): Credentials | null {
    const current = this.#current;
    if (this.#wasPartial) return null;
    if (current?.kind === 'key') return [{ kind: 'signer', signer: current.candidate.signer }];
    if (current?.kind === 'none') return [{ kind: 'note', text: 'the box asks for nothing' }];
    if (this.#password === null) return null;
    return [{ kind: 'person', person: repeating(this.#password) }];
  }

  /**
   * What a connection that ended before `ready` means. A server that hangs up on refusals, or on a password, has
   * refused: dialling again by itself would send the same to it once more.
   */
  explain(reason: Problem, cause: unknown): Problem {
    if (reason.code === 'auth-refused') return this.#login.refusal(null);
    if (reason.code !== 'link-lost') return reason;
    const { code, message } = cause as SshError;
    if (this.#current?.kind === 'prompts' && UNFITTING_FORM.test(String(message))) {
      return this.#tooManyQuestions(String(message));
    }
    const isFarewell = typeof code === 'number';
    if (this.#isSecretSent) {
      const what = this.#current?.kind === 'prompts' ? 'prompts' : 'password';
      this.#login.tried(what, `${SECRET_NAMES[what]}: the box hung up on it`);
    }
    const hasTried = this.#keyTries > 0 || this.#login.secretTries > 0;
    if (!this.#isSecretSent && !(isFarewell && hasTried)) return reason;
    return this.#login.refusal(isFarewell ? plainLine(String(message), MAX_SERVER_WORDS) : null);
  }

  /** ssh2 cannot change a password in this state, and a listener that does nothing would wait for ever. */
  passwordExpired(): void {
    const { host, user } = this.#login.address;
    this.#hooks.fail(
      problem('auth-refused', `${host} wants a new password for ${user} before it lets you in.`, {
        nextStep: `Run “ssh ${user}@${host}” in a terminal, choose a new one, then connect again.`,
      }),
    );
  }

  #judge(accepted: readonly string[] | null, isPartial: boolean): void {
    const current = this.#current;
    this.#current = null;
    this.#isSecretSent = false;
    this.#accepted = accepted;
    this.#wasPartial ||= isPartial;
    if (accepted !== null) this.#login.accepts(accepted);
    switch (current?.kind) {
      case undefined:
      case 'none':
        return;
      case 'key':
        this.#used.add(current.candidate.signer.id);
        if (current.signatures === 0) {
          this.#login.keyRefused(current.candidate);
          return;
        }
        this.#wasPartial = true;
        // ssh2 keeps what follows an agent's signature to itself: a second factor, or no. The server is asked again.
        this.#accepted = null;
        this.#login.tried(
          'key',
          `${describeSigner(current.candidate.signer)}: known, but not enough`,
        );
        return;
      case 'password':
      case 'prompts':
        this.#judgeSecret(current, isPartial);
    }
  }

  #judgeSecret(current: Current & { kind: 'password' | 'prompts' }, isPartial: boolean): void {
    if (current.kind === 'prompts' && !current.hasAnswered) {
      this.#isPromptless = true;
      return;
    }
    if (isPartial) this.#taken.push(...passwordIn(current));
    this.#refusal = isPartial ? null : 'The box did not accept that.';
    const outcome = isPartial ? 'accepted, but the box wants more' : 'refused';
    this.#login.tried(current.kind, `${SECRET_NAMES[current.kind]}: ${outcome}`);
  }

  /** Null: it is over, and the connection has been told why. */
  #choose(): Promise<AnyAuthMethod | null> | null {
    const { person, secretTries, address } = this.#login;
    const username = address.user;
    const left = this.#login.candidates.filter(({ signer }) => !this.#used.has(signer.id));
    const next = chooseNextTry({
      accepted: this.#accepted,
      keysLeft: left.length,
      keyTries: this.#keyTries,
      secretTries,
      canAsk: person !== null,
      isPromptless: this.#isPromptless,
    });
    switch (next) {
      case 'ask-server':
        this.#current = { kind: 'none' };
        return Promise.resolve({ type: 'none', username });
      case 'key': {
        const [candidate] = left;
        return candidate === undefined ? null : Promise.resolve(this.#offer(candidate));
      }
      case 'prompts':
        return Promise.resolve(this.#letServerAsk());
      case 'password':
        return this.#askPassword();
      case 'give-up':
        this.#hooks.fail(this.#login.refusal(null));
        return null;
    }
  }

  #offer(candidate: Candidate): AnyAuthMethod {
    this.#keyTries += 1;
    const current = { kind: 'key' as const, candidate, signatures: 0 };
    this.#current = current;
    const agent = new OneKeyAgent(candidate.signer, {
      onSign: () => {
        current.signatures += 1;
        if (current.signatures > MAX_SIGNATURES) {
          this.#hooks.fail(this.#tooManyQuestions('it wants one signature after the other'));
          return false;
        }
        if (candidate.locked === null) return true;
        this.#login.passphraseWanted(candidate.locked);
        this.#hooks.fail(problem('aborted', 'The passphrase is asked for first.'));
        return true;
      },
      onFailure: (because) => this.#login.note(`${candidate.signer.label}: ${because}`),
    });
    return { type: 'agent', username: this.#login.address.user, agent };
  }

  #letServerAsk(): AnyAuthMethod {
    const current: Current = { kind: 'prompts', hasAnswered: false, password: null };
    this.#current = current;
    return {
      type: 'keyboard-interactive',
      username: this.#login.address.user,
      prompt: (name, instructions, _language, prompts, finish) => {
        const round = this.#readRound(name, instructions, prompts);
        if (round === null) return;
        void this.#answerRound(round).then((values) => {
          if (values === null) return;
          const password = isPasswordRound(round) ? (values[0] ?? null) : null;
          current.password = password ?? current.password;
          this.#password = current.hasAnswered ? null : password;
          // One log-in, however many questions it has.
          if (!current.hasAnswered) this.#login.secretTries += 1;
          current.hasAnswered = true;
          this.#isSecretSent = true;
          finish([...values]);
        });
      },
    };
  }

  /** Null: no person could be asked this, and the connection has been told so. */
  #readRound(name: string, instructions: string, prompts: readonly Prompt[]): PromptRound | null {
    this.#rounds += 1;
    const isTooMuch = this.#isAsking || this.#rounds > MAX_ROUNDS || prompts.length > MAX_PROMPTS;
    if (isTooMuch) {
      this.#hooks.fail(
        this.#tooManyQuestions(`round ${this.#rounds} with ${prompts.length} questions`),
      );
      return null;
    }
    return {
      title: plainLine(name, MAX_PROMPT_CHARS),
      instruction: plainText(instructions, MAX_INSTRUCTION_CHARS),
      prompts: prompts.map(({ prompt, echo }) => ({
        text: plainLine(prompt, MAX_PROMPT_CHARS),
        isEchoed: echo === true,
      })),
    };
  }

  #tooManyQuestions(detail: string): Problem {
    const { host } = this.#login.address;
    return problem('login-garbled', `${host} asks more questions than a log-in has.`, { detail });
  }

  async #answerRound(round: PromptRound): Promise<readonly string[] | null> {
    const { person, signal } = this.#login;
    if (person === null) return null;
    return this.#ask(JSON.stringify(round), () => person.prompts(round, this.#refusal, signal));
  }

  async #askPassword(): Promise<AnyAuthMethod | null> {
    const { person, signal, address } = this.#login;
    if (person === null) return null;
    const [password] =
      (await this.#ask('password', () => person.password(this.#refusal, signal))) ?? [];
    if (password === undefined) return null;
    this.#login.secretTries += 1;
    this.#current = { kind: 'password', password };
    this.#isSecretSent = true;
    this.#password = password;
    return { type: 'password', username: address.user, password };
  }

  /** Null: there is no answer, or no connection any more to give it to. */
  async #ask(
    question: string,
    open: () => Asked<readonly string[]>,
  ): Promise<readonly string[] | null> {
    const held = this.#login.takeHeld(question);
    if (held !== null) return held;
    const asked = open();
    this.#login.questionOpened(question, asked);
    const goOn = this.#hooks.pauseDeadline();
    this.#isAsking = true;
    const timer = setTimeout(() => {
      this.#hooks.fail(problem('link-lost', 'The log-in waited too long for an answer.'));
    }, HOLD_MS);
    const first = await Promise.race([
      asked.answered,
      this.#hooks.closed.then(() => 'gone' as const),
    ]);
    clearTimeout(timer);
    this.#isAsking = false;
    goOn();
    if (first === 'gone') return null;
    this.#login.questionClosed();
    if (first.ok) return first.value;
    this.#hooks.fail(first.error);
    return null;
  }
}

/** The one that was sent last by this way of logging in. */
function passwordIn(current: Current | null): readonly string[] {
  const isSecret = current?.kind === 'password' || current?.kind === 'prompts';
  return isSecret && current.password !== null ? [current.password] : [];
}
