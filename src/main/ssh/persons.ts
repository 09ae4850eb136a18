import type { ParsedKey } from 'ssh2';
import type { Box } from '../../shared/boxes/box.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import type { QuestionKeeping, QuestionSubject } from '../../shared/questions/question.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Redactor } from '../log/redact.ts';
import {
  loginStopped,
  type Answer,
  type AskedQuestion,
  type Questions,
} from '../questions/questions.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { LockedKey } from './identity-file.ts';
import type { Asked, LoginWay, Person, PromptRound } from './person.ts';
import {
  isSameServer,
  readRemembered,
  renderRemembered,
  serverOf,
  whyNotSent,
  type PasswordServer,
  type RememberedPassword,
} from './remembered-password.ts';
import { isPasswordRound, passphraseName, passwordName, passwordOwner } from './secret-names.ts';

/** A typing mistake or two; after that the person should look for the right one in peace. */
const MAX_PASSPHRASE_TRIES = 3;

export interface PersonsOptions {
  readonly questions: Questions;
  readonly secrets: Secrets;
  /** What is typed is kept out of the log from then on. */
  readonly redactor: Redactor;
  /** What the person should learn although the log-in went well: a password that could not be kept. */
  readonly onProblem: (problem: Problem) => void;
  /** Called after each log-in, with how it was done. */
  readonly onLogin: (boxId: string, way: LoginWay) => void;
}

/** Remembers for this session what was typed and was right; asks through the window for the rest. */
export interface Persons {
  forBox(box: Box): Person;
  /** For a jump host on the way to a box: what it asks is asked there. */
  forMachine(machine: Box, wayTo: Box): Person;
  /** The box is gone from the list: nothing of it is remembered, and nothing stays in the keyring. */
  forgetBox(boxId: string): Promise<void>;
  /** The names of what is remembered until the app ends. */
  remembered(): readonly string[];
  /** Null: everything that is remembered. What is kept in the keyring is not touched. */
  forgetRemembered(name: string | null): void;
}

export function createPersons(options: PersonsOptions): Persons {
  const memory = new Memory(options);
  return {
    forBox: (box) => new BoxPerson(box, box, memory, options),
    forMachine: (machine, wayTo) => new BoxPerson(machine, wayTo, memory, options),
    forgetBox: async (boxId) => {
      memory.passwords.delete(boxId);
      await memory.forget(passwordName(boxId));
    },
    remembered: () => memory.names(),
    forgetRemembered: (name) => memory.forgetSession(name),
  };
}

class Memory {
  readonly passwords = new Map<string, RememberedPassword>();
  readonly keys = new Map<string, { readonly name: string; readonly key: ParsedKey }>();
  /** Those who wait for the same key: one answer serves them all. */
  readonly waiting = new Map<string, Set<(key: ParsedKey) => void>>();
  /** Opening a key is work: with many boxes it is done once, and the others wait for it. */
  readonly #recalling = new Map<string, Promise<unknown>>();
  readonly #options: PersonsOptions;

  constructor(options: PersonsOptions) {
    this.#options = options;
  }

  kept(name: string): string | null {
    const found = this.#options.secrets.get(name);
    if (!found.ok) this.#options.onProblem(found.error);
    return found.ok ? (found.value?.reveal() ?? null) : null;
  }

  /** Kept as the person wished: what is not to be kept must not come back from an earlier time either. */
  async keep(name: string, value: string, isToBeKept: boolean): Promise<void> {
    if (!isToBeKept) return this.forget(name);
    const saved = await this.#options.secrets.set(name, value);
    if (!saved.ok) this.#options.onProblem(saved.error);
  }

  async forget(name: string): Promise<void> {
    if (!this.#options.secrets.names().includes(name)) return;
    const forgotten = await this.#options.secrets.forget(name);
    if (!forgotten.ok) this.#options.onProblem(forgotten.error);
  }

  async recallKey(locked: LockedKey, signal: AbortSignal): Promise<ParsedKey | null> {
    for (let busy = this.#recalling.get(locked.id); busy !== undefined;) {
      await busy;
      busy = this.#recalling.get(locked.id);
    }
    const known = this.keys.get(locked.id);
    if (known !== undefined) return known.key;
    const kept = this.kept(passphraseName(locked));
    if (kept === null || signal.aborted) return null;
    const opening = locked.unlock(kept, signal).then((opened) => {
      if (opened !== null) this.keyOpened(locked, opened);
      return opened;
    });
    this.#recalling.set(locked.id, opening);
    try {
      return await opening;
    } finally {
      this.#recalling.delete(locked.id);
    }
  }

  keyOpened(locked: LockedKey, key: ParsedKey): void {
    this.keys.set(locked.id, { name: passphraseName(locked), key });
    for (const tell of this.waiting.get(locked.id) ?? []) tell(key);
    this.waiting.delete(locked.id);
  }

  names(): readonly string[] {
    const keys = [...this.keys.values()].map(({ name }) => name);
    return [...[...this.passwords.keys()].map(passwordName), ...keys];
  }

  forgetSession(wanted: string | null): void {
    for (const boxId of [...this.passwords.keys()]) {
      if (wanted === null || passwordName(boxId) === wanted) this.passwords.delete(boxId);
    }
    for (const [id, { name }] of [...this.keys]) {
      if (wanted === null || name === wanted) this.keys.delete(id);
    }
  }
}

/** The person at this machine, for one box and one log-in. */
class BoxPerson implements Person {
  readonly #box: Box;
  /** Where the questions are shown. */
  readonly #wayTo: Box;
  /** Whose password it is. */
  readonly #owner: string;
  readonly #memory: Memory;
  readonly #options: PersonsOptions;
  /** What answers on this connection, and has proved it. */
  #server: PasswordServer | null = null;
  /** The password that was given last, until it is known whether it was right. */
  #given: {
    readonly value: string;
    readonly isToBeKept: boolean;
    readonly isTyped: boolean;
    /** Who asked for it. */
    readonly server: PasswordServer | null;
  } | null = null;

  constructor(box: Box, wayTo: Box, memory: Memory, options: PersonsOptions) {
    this.#box = box;
    this.#wayTo = wayTo;
    this.#owner = passwordOwner(box);
    this.#memory = memory;
    this.#options = options;
  }

  password(refusal: string | null, signal: AbortSignal): Asked<readonly string[]> {
    const round = { title: '', instruction: '', prompts: [{ text: 'Password', isEchoed: false }] };
    return this.#passwordRound({ kind: 'password' }, round, refusal, signal);
  }

  prompts(
    round: PromptRound,
    refusal: string | null,
    signal: AbortSignal,
  ): Asked<readonly string[]> {
    const { title, instruction, prompts } = round;
    const subject: QuestionSubject = { kind: 'prompts', title, instruction };
    if (isPasswordRound(round)) return this.#passwordRound(subject, round, refusal, signal);
    const asked = this.#ask({ subject, prompts, refusal, keeping: { kind: 'never' } }, signal);
    return { ...asked, answered: asked.answered.then(revealed) };
  }

  meets(hostKey: string): void {
    this.#server = serverOf(this.#box, hostKey);
  }

  recall(key: LockedKey, signal: AbortSignal): Promise<ParsedKey | null> {
    return this.#memory.recallKey(key, signal);
  }

  async unlock(key: LockedKey, signal: AbortSignal): Promise<Result<ParsedKey, Problem>> {
    const { waiting } = this.#memory;
    let openedElsewhere: (opened: ParsedKey) => void = () => undefined;
    const elsewhere = new Promise<ParsedKey>((resolve) => (openedElsewhere = resolve));
    const others = waiting.get(key.id) ?? new Set();
    waiting.set(key.id, others.add(openedElsewhere));
    try {
      return await this.#askPassphrase(key, elsewhere, signal);
    } finally {
      waiting.get(key.id)?.delete(openedElsewhere);
    }
  }

  loggedIn(way: LoginWay, taken: readonly string[]): void {
    if (this.#box.id === this.#wayTo.id) this.#options.onLogin(this.#box.id, way);
    const given = this.#given;
    this.#given = null;
    if (given?.isTyped !== true || given.server === null || this.#server === null) return;
    // What let in may be a key, or an answer to another question, after it was refused or never sent.
    if (!taken.includes(given.value)) return;
    // SECURITY: another machine at this address may let in without it, and is not to have it the next time.
    if (!isSameServer(given.server, this.#server)) return;
    const remembered = { password: given.value, server: given.server };
    this.#memory.passwords.set(this.#owner, remembered);
    const name = passwordName(this.#owner);
    void this.#memory.keep(name, renderRemembered(remembered), given.isToBeKept);
  }

  async #askPassphrase(
    key: LockedKey,
    elsewhere: Promise<ParsedKey>,
    signal: AbortSignal,
  ): Promise<Result<ParsedKey, Problem>> {
    let refusal: string | null = null;
    for (let attempt = 1; attempt <= MAX_PASSPHRASE_TRIES; attempt += 1) {
      const asked = this.#ask(
        {
          subject: { kind: 'passphrase', keyFile: key.file },
          prompts: [{ text: 'Passphrase', isEchoed: false }],
          refusal,
          keeping: this.#keeping(),
        },
        signal,
      );
      const first = await Promise.race([asked.answered, elsewhere]);
      if (!('ok' in first)) {
        asked.withdraw();
        return ok(first);
      }
      if (!first.ok) return first;
      const [passphrase = ''] = revealedValues(first.value);
      this.#options.redactor.register(passphrase);
      const opened = await key.unlock(passphrase, signal);
      if (signal.aborted) return err(loginStopped(this.#box.name));
      if (opened !== null) {
        this.#memory.keyOpened(key, opened);
        await this.#memory.keep(passphraseName(key), passphrase, first.value.isToBeKept);
        return ok(opened);
      }
      refusal = 'That is not the passphrase of this key.';
    }
    return err(
      problem(
        'passphrase-wrong',
        `The passphrase of ${key.file} was wrong ${MAX_PASSPHRASE_TRIES} times. Nothing was sent to ${this.#box.name}.`,
      ),
    );
  }

  #passwordRound(
    subject: QuestionSubject,
    { prompts }: PromptRound,
    refusal: string | null,
    signal: AbortSignal,
  ): Asked<readonly string[]> {
    const known = refusal === null ? this.#knownPassword() : null;
    if (known?.kind === 'sendable') {
      const { password } = known;
      this.#given = { value: password, isToBeKept: false, isTyped: false, server: this.#server };
      return { answered: Promise.resolve(ok([password])), loginLost: () => undefined };
    }
    const server = this.#server;
    const wasKnown = this.#given?.isTyped === false;
    if (wasKnown) this.#memory.passwords.delete(this.#owner);
    const asked = this.#ask(
      {
        subject,
        prompts,
        refusal: wasKnown
          ? 'The box did not accept the password that was kept.'
          : (known?.because ?? refusal),
        keeping: this.#keeping(),
      },
      signal,
    );
    return {
      ...asked,
      answered: asked.answered.then((answer) => {
        if (!answer.ok) return answer;
        const [value = ''] = revealedValues(answer.value);
        this.#options.redactor.register(value);
        this.#given = { value, isToBeKept: answer.value.isToBeKept, isTyped: true, server };
        return ok([value]);
      }),
    };
  }

  /** SECURITY: a remembered password goes to the very server that took it, whatever has become of the box's address. */
  #knownPassword(): KnownPassword | null {
    const now = this.#server;
    if (now === null) return null;
    const inSession = this.#memory.passwords.get(this.#owner);
    if (inSession !== undefined && isSameServer(inSession.server, now)) return sendable(inSession);
    const text = this.#memory.kept(passwordName(this.#owner));
    const kept = text === null ? null : readRemembered(text);
    if (kept !== null && isSameServer(kept.server, now)) {
      this.#options.redactor.register(kept.password);
      return sendable(kept);
    }
    if (inSession === undefined && text === null) return null;
    const belongsTo = inSession?.server ?? kept?.server ?? null;
    return { kind: 'of-another-server', because: whyNotSent(belongsTo, now) };
  }

  #keeping(): QuestionKeeping {
    const keeping = this.#options.secrets.keeping();
    return keeping.isKept ? { kind: 'offered' } : { kind: 'unavailable', because: keeping.because };
  }

  #ask(asked: Omit<AskedQuestion, 'boxId' | 'boxName' | 'account'>, signal: AbortSignal) {
    const { name, address } = this.#box;
    return this.#options.questions.ask(
      {
        ...asked,
        boxId: this.#wayTo.id,
        boxName: name,
        account: `${address.user}@${address.host}`,
      },
      signal,
    );
  }
}

type KnownPassword =
  | { readonly kind: 'sendable'; readonly password: string }
  | { readonly kind: 'of-another-server'; readonly because: string };

function sendable({ password }: RememberedPassword): KnownPassword {
  return { kind: 'sendable', password };
}

function revealedValues({ values }: Answer): readonly string[] {
  return values.map((value) => value.reveal());
}

function revealed(answer: Result<Answer, Problem>): Result<readonly string[], Problem> {
  return answer.ok ? ok(revealedValues(answer.value)) : answer;
}
