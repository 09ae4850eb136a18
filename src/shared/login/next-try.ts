/**
 * How many keys are offered to one server. OpenSSH's server closes the connection at the sixth refusal (MaxAuthTries 6),
 * refused keys count, and a password must still have its turn.
 */
export const MAX_KEY_TRIES = 4;

/**
 * How many passwords, or rounds of the server's questions, are sent in one log-in. OpenSSH's client sends three; one fewer
 * here, because common lock-out rules act on the third. Further ones need the person to press Connect.
 */
export const MAX_SECRET_TRIES = 2;

/** Where a log-in stands. */
export interface LoginProgress {
  /** What the server accepts at this point, in its own names; null: it has to be asked. */
  readonly accepted: readonly string[] | null;
  /** Keys that have not been offered yet. */
  readonly keysLeft: number;
  readonly keyTries: number;
  readonly secretTries: number;
  /** Somebody is there to answer questions. */
  readonly canAsk: boolean;
  /** The server lists its own questions but refused without asking one. */
  readonly isPromptless: boolean;
}

export type NextTry = 'ask-server' | 'key' | 'prompts' | 'password' | 'give-up';

/** The order is OpenSSH's: keys, the server's questions, the password. What the server does not accept is not tried. */
export function chooseNextTry(progress: LoginProgress): NextTry {
  const { accepted, keysLeft, keyTries, secretTries, canAsk, isPromptless } = progress;
  if (accepted === null) return 'ask-server';
  if (accepted.includes('publickey') && keysLeft > 0 && keyTries < MAX_KEY_TRIES) return 'key';
  if (!canAsk || secretTries >= MAX_SECRET_TRIES) return 'give-up';
  if (accepted.includes('keyboard-interactive') && !isPromptless) return 'prompts';
  if (accepted.includes('password')) return 'password';
  return 'give-up';
}
