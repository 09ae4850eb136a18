import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import type { Asked, Person } from './person.ts';
import { isPasswordRound } from './secret-names.ts';

/**
 * Stands in for the person in a further connection to the same server: gives the password that was right a moment ago,
 * once, and has no answer to anything else. A refusal ends the log-in; nobody is asked and nothing is sent twice.
 */
export function repeating(password: string): Person {
  let isGiven = false;
  const answer = (canGive: boolean): Asked<readonly string[]> => {
    const gives = canGive && !isGiven;
    isGiven = true;
    const refused = problem('auth-refused', 'The box wants more than the password for that.');
    return {
      answered: Promise.resolve(gives ? ok([password]) : err(refused)),
      loginLost: () => undefined,
    };
  };
  return {
    password: (refusal) => answer(refusal === null),
    prompts: (round, refusal) => answer(refusal === null && isPasswordRound(round)),
    meets: () => undefined,
    recall: () => Promise.resolve(null),
    unlock: () => Promise.resolve(err(problem('auth-refused', 'Nobody is asked for that key.'))),
    loggedIn: () => undefined,
  };
}
