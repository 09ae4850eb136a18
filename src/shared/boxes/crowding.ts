import { problem, type Problem } from '../problem.ts';

/** Commands or terminals wait for a free session on a box, and have for more than a moment. */
export interface Crowding {
  readonly waiting: number;
  /** How many the box runs at once on one connection. */
  readonly limit: number;
  readonly connections: number;
  /** Why there is no further connection; null: it is being opened, or there are enough. */
  readonly refusal: Problem | null;
}

/** For the person who wonders why nothing comes, while something waits and when the wait is over. */
export function crowdingProblem({ waiting, limit, connections, refusal }: Crowding): Problem {
  const where = connections === 1 ? 'on its connection' : `on each of ${connections} connections`;
  const what = limit === 1 ? '1 command or terminal' : `${limit} commands and terminals`;
  const waits = waiting === 0 ? '' : ` ${waiting} more ${waiting === 1 ? 'waits' : 'wait'}.`;
  const more = refusal === null ? '' : ` It did not let in another connection: ${refusal.message}`;
  return problem(
    'sessions-full',
    `The box runs ${what} at once ${where}, and all are in use.${waits}${more}`,
    refusal?.detail === undefined ? {} : { detail: refusal.detail },
  );
}
