import type { ParsedKey } from 'ssh2';
import type { Problem } from '../../shared/problem.ts';
import type { QuestionPrompt } from '../../shared/questions/question.ts';
import type { Result } from '../../shared/result.ts';
import type { LockedKey } from './identity-file.ts';

/** How somebody got in. */
export type LoginWay = 'key' | 'password' | 'prompts' | 'nothing';

/** What one round of the server's questions asks; already made harmless. */
export interface PromptRound {
  readonly title: string;
  readonly instruction: string;
  readonly prompts: readonly QuestionPrompt[];
}

/** A question that is on its way: answered at once from memory, or open until somebody answers. */
export interface Asked<T> {
  readonly answered: Promise<Result<T, Problem>>;
  /** The server hung up while the question was open. */
  loginLost(): void;
}

/** Whoever answers for one log-in to one box. The try's signal takes open questions back. */
export interface Person {
  /** One value. `refusal`: why the last answer did not do; null the first time. */
  password(refusal: string | null, signal: AbortSignal): Asked<readonly string[]>;
  /** One value for each prompt. */
  prompts(
    round: PromptRound,
    refusal: string | null,
    signal: AbortSignal,
  ): Asked<readonly string[]>;
  /** SECURITY: the server has proved that it owns this key. Called before anything is asked for on each connection. */
  meets(hostKey: string): void;
  /** A key whose passphrase is known, from this session or from the keyring. */
  recall(key: LockedKey, signal: AbortSignal): Promise<ParsedKey | null>;
  /** Asks for the passphrase until it is right, a bounded number of times. */
  unlock(key: LockedKey, signal: AbortSignal): Promise<Result<ParsedKey, Problem>>;
  /** `taken`: the passwords that this server took on the way. Only such a one is kept, as the person wished. */
  loggedIn(way: LoginWay, taken: readonly string[]): void;
}
