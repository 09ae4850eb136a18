import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { stillBlocking, type Overridden } from '../../shared/runs/launch/launch-plan.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { BoxPushes } from '../transfer/box-pushes.ts';
import { launchPlanned } from './launch-planned.ts';
import { isUsedUp, launchRefused, neverBegins } from './launch-refused.ts';
import type { PlannedLaunch } from './plan-of.ts';
import type { BecameOfLaunch } from './seen-runs.ts';

export interface CarryOutOptions {
  readonly scripts: OnboxScripts;
  readonly pushes: Pick<BoxPushes, 'push'>;
  readonly seen: {
    /** The code is there, and the box is about to be asked to begin. Returns how to say what came of that, where it did not begin. */
    expect(boxId: string, id: string): (became: BecameOfLaunch) => void;
  };
}

/**
 * Does what was planned: sends the code, then launches. Refused outright, the same can be tried again, and does nothing twice; refused
 * within, nothing of it can ever begin.
 */
export async function carryOut(
  { scripts, pushes, seen }: CarryOutOptions,
  boxId: string,
  connection: SshConnection,
  planned: PlannedLaunch,
  overridden: Overridden,
): Promise<Result<Result<null, Problem>, Problem>> {
  const [blocking] = stillBlocking(planned, overridden);
  if (blocking !== undefined) {
    return err(problem('run-blocked', `This blocks the launch: ${blocking.says}`));
  }
  const pushed = await pushes.push(boxId, connection, planned.push);
  if (!pushed.ok) return pushed;
  const { on, close } = pushed.value;
  const launching = launchExpected({ scripts, seen }, boxId, on, planned, overridden);
  const launched = await launching.finally(close);
  if (!launched.ok) return launched;
  const said = launched.value;
  if (said === 'launched') return ok(ok(null));
  // What the box has refused may be tried again as it was shown, unless its id is used up.
  return isUsedUp(said) ? ok(err(launchRefused(said))) : err(launchRefused(said));
}

/** Asks the box to begin it. Where it says that nothing will, nobody misses that run on it. */
export async function launchExpected(
  { scripts, seen }: Pick<CarryOutOptions, 'scripts' | 'seen'>,
  boxId: string,
  connection: SshConnection,
  planned: PlannedLaunch,
  overridden: Overridden,
): Promise<Result<string, Problem>> {
  const became = seen.expect(boxId, planned.id);
  const launched = await launchPlanned(connection, scripts, planned, overridden);
  if (launched.ok) {
    if (neverBegins(launched.value)) became('never-began');
    return launched;
  }
  const { mayHaveBegun, ...why } = launched.error;
  became(mayHaveBegun ? 'unheard' : 'never-began');
  return err(why);
}
