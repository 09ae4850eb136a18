import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { MAX_SECRET_LENGTH } from '../log/fields.ts';
import type { Redactor } from '../log/redact.ts';
import { followLinks, replaceFile } from '../storage/atomic-file.ts';
import { fileProblem } from '../storage/file-problem.ts';
import { prepareFolder } from '../storage/folder.ts';
import { createSerial } from '../storage/serial.ts';
import { Secret } from './secret.ts';
import {
  findSecrets,
  KEPT_STEM,
  renderSecrets,
  SECRET_NAME,
  type Encrypted,
  type FoundSecrets,
} from './secrets-file.ts';

export const SECRETS_FILE = 'secrets.json';

/** Whether secrets outlive the session. */
export type Keeping =
  | { readonly isKept: true }
  | { readonly isKept: false; readonly because: string };

/** The system's keyring, in words that need no Electron. `decrypt` throws for what it cannot undo. */
export interface Vault {
  readonly isAvailable: () => Keeping;
  readonly encrypt: (text: string) => Buffer;
  readonly decrypt: (encrypted: Buffer) => string;
}

export interface Secrets {
  readonly keeping: () => Keeping;
  /** Sorted; readable or not. */
  readonly names: () => readonly string[];
  /** Null: there is none of that name. One that is there and cannot be read is a problem. */
  readonly get: (name: string) => Result<Secret | null, Problem>;
  /** Answers how long it is kept, after reading it back. */
  readonly set: (name: string, value: string) => Promise<Result<Keeping, Problem>>;
  readonly forget: (name: string) => Promise<Result<null, Problem>>;
  /** Also removes what had been put aside as unreadable. */
  readonly forgetAll: () => Promise<Result<null, Problem>>;
}

export interface OpenedSecrets {
  readonly secrets: Secrets;
  /** What the person should know about the file as it was found. */
  readonly problems: readonly Problem[];
}

export interface SecretsOptions {
  readonly folder: string;
  readonly vault: Vault;
  /** Every value that passes through here is kept out of the log from then on. */
  readonly redactor: Redactor;
  readonly now?: () => number;
}

export async function openSecrets(options: SecretsOptions): Promise<OpenedSecrets> {
  const { folder, now = Date.now } = options;
  const found = await findSecrets(join(folder, SECRETS_FILE), now());
  return { secrets: new SecretStore(options, found), problems: found.problems };
}

class SecretStore implements Secrets {
  readonly #folder: string;
  readonly #file: string;
  readonly #vault: Vault;
  readonly #redactor: Redactor;
  readonly #serial = createSerial();
  /** What is on disk. */
  #encrypted: Encrypted;
  #locked: string | null;
  /** What ends with this process. A name is here or on disk, not in both. */
  readonly #session = new Map<string, Secret>();

  constructor({ folder, vault, redactor }: SecretsOptions, found: FoundSecrets) {
    this.#folder = folder;
    this.#file = join(folder, SECRETS_FILE);
    this.#vault = vault;
    this.#redactor = redactor;
    this.#encrypted = found.encrypted;
    this.#locked = found.locked;
  }

  keeping(): Keeping {
    return this.#locked === null
      ? this.#vault.isAvailable()
      : { isKept: false, because: this.#locked };
  }

  names(): readonly string[] {
    return [...new Set([...this.#session.keys(), ...this.#encrypted.keys()])].sort();
  }

  get(name: string): Result<Secret | null, Problem> {
    const inSession = this.#session.get(name);
    if (inSession !== undefined) return ok(inSession);
    const encrypted = this.#encrypted.get(name);
    if (encrypted === undefined) return ok(null);
    const keeping = this.#vault.isAvailable();
    if (!keeping.isKept) return err(keyringMissing(name, keeping.because));
    const value = this.#decrypt(encrypted);
    if (value === null) return err(unreadable(name));
    this.#redactor.register(value);
    return ok(new Secret(value));
  }

  async set(name: string, value: string): Promise<Result<Keeping, Problem>> {
    this.#redactor.register(value);
    const refused = checkInput(name, value);
    if (refused !== null) return err(refused);
    return this.#serial.run(async () => {
      const keeping = this.keeping();
      const saved = keeping.isKept
        ? await this.#keep(name, value)
        : await this.#keepForSession(name, value);
      return saved.ok ? ok(keeping) : saved;
    });
  }

  forget(name: string): Promise<Result<null, Problem>> {
    return this.#serial.run(async () => {
      this.#session.delete(name);
      if (this.#locked !== null) return err(mayStillBeThere(this.#locked));
      return this.#removeFromDisk(name);
    });
  }

  forgetAll(): Promise<Result<null, Problem>> {
    return this.#serial.run(async () => {
      this.#session.clear();
      try {
        // The file first: what was put aside cannot be read anyway.
        await rm(await followLinks(this.#file), { force: true });
        this.#encrypted = new Map();
        for (const name of await this.#allFiles()) await rm(join(this.#folder, name));
      } catch (cause) {
        return err(this.#notDone('Not all secrets were forgotten', cause));
      }
      this.#locked = null;
      return ok(null);
    });
  }

  async #keep(name: string, value: string): Promise<Result<null, Problem>> {
    const encrypted = this.#encrypt(value);
    if (encrypted === null) return err(keyringRefused());
    const saved = await this.#write(new Map([...this.#encrypted, [name, encrypted]]));
    if (saved.ok) this.#session.delete(name);
    return saved;
  }

  /** An older value on disk goes, or it would come back after the restart in place of this one. */
  async #keepForSession(name: string, value: string): Promise<Result<null, Problem>> {
    const removed = await this.#removeFromDisk(name);
    if (removed.ok) this.#session.set(name, new Secret(value));
    return removed;
  }

  async #removeFromDisk(name: string): Promise<Result<null, Problem>> {
    if (!this.#encrypted.has(name)) return ok(null);
    return this.#write(new Map([...this.#encrypted].filter(([other]) => other !== name)));
  }

  async #write(next: Encrypted): Promise<Result<null, Problem>> {
    const unwritable = prepareFolder(this.#folder, NOT_SAVED);
    if (unwritable !== null) return err(unwritable);
    try {
      await replaceFile(this.#file, renderSecrets(next));
    } catch (cause) {
      return err(this.#notDone(NOT_SAVED, cause));
    }
    this.#encrypted = next;
    return ok(null);
  }

  /** Null: the keyring refused, or would not give back what it took. Its own words may hold the value: not repeated. */
  #encrypt(value: string): string | null {
    try {
      const encrypted = this.#vault.encrypt(value).toString('base64');
      return this.#decrypt(encrypted) === value ? encrypted : null;
    } catch {
      return null;
    }
  }

  #decrypt(encrypted: string): string | null {
    try {
      return this.#vault.decrypt(Buffer.from(encrypted, 'base64'));
    } catch {
      return null;
    }
  }

  async #allFiles(): Promise<readonly string[]> {
    const names = existsSync(this.#folder) ? await readdir(this.#folder) : [];
    return names.filter(
      (name) =>
        name === SECRETS_FILE ||
        name.startsWith(`${SECRETS_FILE}.tmp-`) ||
        name.startsWith(`${KEPT_STEM}-`),
    );
  }

  #notDone(failed: string, cause: unknown): Problem {
    return fileProblem(cause, { failed, file: this.#file, otherwise: 'folder-read-only' });
  }
}

const NOT_SAVED = 'The change to your secrets was not saved';

/** Says what is wrong without repeating the value. */
function checkInput(name: string, value: string): Problem | null {
  if (!SECRET_NAME.test(name)) return problem('bad-input', 'That is no name for a secret.');
  if (value === '') return problem('bad-input', 'The secret is empty.');
  if (value.length > MAX_SECRET_LENGTH) {
    return problem('bad-input', `The secret is longer than ${MAX_SECRET_LENGTH} characters.`);
  }
  return null;
}

function unreadable(name: string): Problem {
  return problem(
    'secret-unreadable',
    `The secret ${name} is there, but this keyring cannot read it. It stays until you enter or forget it.`,
  );
}

function keyringMissing(name: string, because: string): Problem {
  return problem('no-keyring', `The secret ${name} cannot be read now: ${because}`, {
    nextStep: 'Unlock your keyring or enter the secret again.',
  });
}

function keyringRefused(): Problem {
  return problem('no-keyring', 'The secret was not saved, because the keyring refused it.', {
    nextStep: 'Unlock your keyring, then enter the secret again.',
  });
}

function mayStillBeThere(because: string): Problem {
  return problem('secret-unreadable', `The secret may still be on disk: ${because}.`, {
    nextStep: 'Forget all secrets.',
  });
}
