import type { ClientChannel } from 'ssh2';
import { problem, type Problem, type ProblemCode } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { ConnectionLife } from './exit-status.ts';
import { SessionUnanswered } from './honest-channels.ts';
import { untilEnd } from './until-end.ts';

const OPEN_TIMEOUT_MS = 20_000;

/** What ssh2 throws when there is no connection any more. */
const NOT_CONNECTED = 'Not connected';

interface Refusal {
  readonly code: ProblemCode;
  readonly message: string;
}

export interface SessionOpening<C, T> {
  readonly ask: (take: (cause: Error | undefined, channel: C) => void) => void;
  readonly use: (channel: C) => T;
  /** The session is there, but not what was asked for in it. */
  readonly refused: Refusal;
  readonly late: string;
}

/** A session on the box, within bounded time: one that vanishes or never answers must not leave somebody waiting. */
export async function openSession<T, C extends { destroy(): unknown } = ClientChannel>(
  life: ConnectionLife,
  { ask, use, refused, late }: SessionOpening<C, T>,
): Promise<Result<T, Problem>> {
  let isLate = false;
  const opened = new Promise<Result<T, Problem>>((resolve) => {
    try {
      ask((cause, channel) => {
        // What ssh2 tells of sessions that go with their connection sounds like a refusal.
        if (cause && life.isGone()) return;
        if (cause) resolve(err(sessionProblem(cause, refused)));
        else if (isLate) channel.destroy();
        else resolve(ok(use(channel)));
      });
    } catch (cause) {
      resolve(err(sessionProblem(cause, refused)));
    }
  });
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Result<T, Problem>>((resolve) => {
    timer = setTimeout(() => resolve(err(problem('command-timeout', late))), OPEN_TIMEOUT_MS);
  });
  const result = await untilEnd(Promise.race([opened, tooLate]), life.closed, err);
  clearTimeout(timer);
  isLate = !result.ok;
  return result;
}

/**
 * Why the box gave no session. OpenSSH says "open failed" for every one beyond its MaxSessions, others name a shortage: all
 * answer the request for a channel, and only those carry a reason number. What comes later is about the command itself.
 */
function sessionProblem(cause: unknown, otherwise: Refusal): Problem {
  const { message, reason } = cause as { message?: unknown; reason?: unknown };
  const detail = String(message ?? cause);
  if (cause instanceof SessionUnanswered) return unanswered(detail);
  if (message === NOT_CONNECTED) {
    return problem('not-connected', 'The box is not connected.', { detail });
  }
  if (typeof reason === 'number') {
    return problem(
      'session-refused',
      'The box’s SSH server opens no session for commands and terminals on this connection.',
      { detail },
    );
  }
  return problem(otherwise.code, otherwise.message, { detail });
}

/** Neither yes nor no. */
export function unanswered(detail: string): Problem {
  return problem('session-unanswered', 'The box closed a session without an answer.', { detail });
}
