import type { Route } from '../../shared/boxes/route.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';

export type ApproveCommand = (command: string) => Promise<boolean>;

/**
 * SECURITY: every command that comes from the window passes here, and the person is asked outside of it. `known` is the
 * route that the box has: what was approved once is not asked about again.
 */
export async function approvedRoute(
  route: Route,
  known: Route | null,
  approve: ApproveCommand,
): Promise<Result<null, Problem>> {
  if (route.kind !== 'command') return ok(null);
  if (known?.kind === 'command' && known.command === route.command) return ok(null);
  if (await approve(route.command)) return ok(null);
  return err(
    problem('aborted', 'The proxy command was not allowed, so nothing was saved.', {
      nextStep: 'Choose another way to reach the box, or save again and allow the command.',
    }),
  );
}
