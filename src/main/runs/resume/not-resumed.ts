import { problem, type Problem } from '../../../shared/problem.ts';
import { err, type Result } from '../../../shared/result.ts';

export const notResumed = (because: string): Result<never, Problem> =>
  err(problem('run-not-resumed', because));
