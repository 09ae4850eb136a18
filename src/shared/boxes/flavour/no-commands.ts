import type { Problem } from '../../problem.ts';

/** The way in is not for commands. Asking again on the same connection changes nothing and only fills somebody's log. */
export function isNoCommands({ code }: Pick<Problem, 'code'>): boolean {
  return code === 'exec-refused' || code === 'command-not-run';
}
