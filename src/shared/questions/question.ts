import type { StreamKind } from '../streams/stream.ts';

/** Longer answers are refused: a pasted file is no password, and a log-in packet has its bounds. */
export const MAX_ANSWER_CHARS = 1024;
/** OpenSSH's server asks one or two things at once; a form with more is no log-in. */
export const MAX_PROMPTS = 10;

/** One field to fill in. */
export interface QuestionPrompt {
  /** The server's own words, made harmless; for our own questions ours. */
  readonly text: string;
  /** The server says that what is typed may be seen, as for a user name. */
  readonly isEchoed: boolean;
}

export type QuestionSubject =
  | { readonly kind: 'passphrase'; readonly keyFile: string }
  | { readonly kind: 'password' }
  /** The server's own questions. Title and instruction are its words: hostile, shown as plain text. */
  | { readonly kind: 'prompts'; readonly title: string; readonly instruction: string };

/** Whether the answer may outlive the session. */
export type QuestionKeeping =
  | { readonly kind: 'offered' }
  | { readonly kind: 'unavailable'; readonly because: string }
  /** A one-time code is worth nothing tomorrow. */
  | { readonly kind: 'never' };

/** Something that main needs a person to answer before a log-in can go on. Never holds an answer. */
export interface Question {
  readonly id: string;
  readonly boxId: string;
  readonly boxName: string;
  /** `user@host`, as it is dialled. */
  readonly account: string;
  readonly subject: QuestionSubject;
  readonly prompts: readonly QuestionPrompt[];
  /** Why it is asked once more; null the first time. */
  readonly refusal: string | null;
  readonly keeping: QuestionKeeping;
  /** The box did not wait: the answer will start a new log-in. */
  readonly isLoginLost: boolean;
  readonly askedAtMs: number;
}

export type QuestionsDelta =
  | { readonly kind: 'put'; readonly question: Question }
  | { readonly kind: 'gone'; readonly id: string };

/** The open questions, oldest first. */
export const questionsStream: StreamKind<readonly Question[], QuestionsDelta> = {
  apply(open, delta) {
    if (delta.kind === 'gone') return open.filter(({ id }) => id !== delta.id);
    const isKnown = open.some(({ id }) => id === delta.question.id);
    return isKnown
      ? open.map((each) => (each.id === delta.question.id ? delta.question : each))
      : [...open, delta.question];
  },
};

/** What the window's dialog and the system's notification call it. */
export function questionTitle({ boxName, subject }: Question): string {
  switch (subject.kind) {
    case 'passphrase':
      return `${boxName} needs the passphrase of ${subject.keyFile}`;
    case 'password':
      return `${boxName} asks for a password`;
    case 'prompts':
      return `${boxName} asks before it lets you in`;
  }
}
