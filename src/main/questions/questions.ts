import { randomUUID } from 'node:crypto';
import { problem, type Problem } from '../../shared/problem.ts';
import {
  MAX_ANSWER_CHARS,
  questionsStream,
  type Question,
  type QuestionsDelta,
} from '../../shared/questions/question.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { Secret } from '../secrets/secret.ts';
import type { StreamHub } from '../streams/stream-hub.ts';

/** What the person typed, one for each prompt. */
export interface Answer {
  readonly values: readonly Secret[];
  /** The person wants it kept in the system's keyring. */
  readonly isToBeKept: boolean;
}

export type AskedQuestion = Omit<Question, 'id' | 'askedAtMs' | 'isLoginLost'>;

/** A question while it waits for the person. */
export interface OpenQuestion {
  /** Settles once: with the answer, or with why there will be none. Never rejects. */
  readonly answered: Promise<Result<Answer, Problem>>;
  /** The box hung up meanwhile; the question stays, and says so. */
  loginLost(): void;
  /** The answer has become known elsewhere. */
  withdraw(): void;
}

/** Main asks, the window answers. Answers go to whoever asked and nowhere else. */
export interface Questions {
  /** It goes away when the signal aborts: a question never outlives the try that it belongs to. */
  ask(asked: AskedQuestion, signal: AbortSignal): OpenQuestion;
  answer(id: string, values: readonly string[], isToBeKept: boolean): Result<null, Problem>;
  dismiss(id: string): Result<null, Problem>;
  /** Nobody can answer any more: the window is closed, or the app quits. */
  dismissAll(): void;
  /** Called with each new question; returns how to stop. */
  onAsked(listener: (question: Question) => void): () => void;
}

interface Waiting {
  readonly settle: (result: Result<Answer, Problem>) => void;
}

export function openQuestions(hub: StreamHub): Questions {
  const topic = hub.addTopic<readonly Question[], QuestionsDelta>('questions', '', {
    kind: questionsStream,
    initial: [],
    isUrgent: true,
  });
  const waiting = new Map<string, Waiting>();
  const listeners = new Set<(question: Question) => void>();

  const find = (id: string): Question | undefined => topic.state.find((each) => each.id === id);

  function dismiss(question: Question): void {
    waiting.get(question.id)?.settle(err(notAnswered(question)));
  }

  return {
    ask: (asked, signal) => {
      const question: Question = {
        ...asked,
        id: randomUUID(),
        isLoginLost: false,
        askedAtMs: Date.now(),
      };
      const { id } = question;
      const onAbort = (): void => waiting.get(id)?.settle(err(loginStopped(asked.boxName)));
      const answered = new Promise<Result<Answer, Problem>>((resolve) => {
        const settle = (result: Result<Answer, Problem>): void => {
          waiting.delete(id);
          signal.removeEventListener('abort', onAbort);
          topic.publish({ kind: 'gone', id });
          resolve(result);
        };
        waiting.set(id, { settle });
      });
      topic.publish({ kind: 'put', question });
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      else for (const listener of listeners) listener(question);
      return {
        answered,
        loginLost: () => {
          const open = find(id);
          if (open !== undefined) {
            topic.publish({ kind: 'put', question: { ...open, isLoginLost: true } });
          }
        },
        withdraw: onAbort,
      };
    },

    answer: (id, values, isToBeKept) => {
      const question = find(id);
      if (question === undefined) return err(gone());
      const isFitting =
        values.length === question.prompts.length &&
        values.every((value) => value.length <= MAX_ANSWER_CHARS);
      if (!isFitting) return err(problem('bad-input', 'The answer does not fit the question.'));
      waiting.get(id)?.settle(
        ok({
          values: values.map((value) => new Secret(value)),
          isToBeKept: isToBeKept && question.keeping.kind === 'offered',
        }),
      );
      return ok(null);
    },

    dismiss: (id) => {
      const question = find(id);
      if (question === undefined) return err(gone());
      dismiss(question);
      return ok(null);
    },

    dismissAll: () => {
      for (const question of topic.state) dismiss(question);
    },

    onAsked: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function notAnswered({ boxName, subject }: Question): Problem {
  const what =
    subject.kind === 'passphrase'
      ? `The passphrase of ${subject.keyFile} was not given`
      : 'The box’s question was not answered';
  return problem('question-dismissed', `${what}, so ${boxName} was not logged in to.`);
}

export function loginStopped(boxName: string): Problem {
  return problem('aborted', `Logging in to ${boxName} was stopped.`);
}

function gone(): Problem {
  return problem('question-gone', 'That question is no longer open.');
}
