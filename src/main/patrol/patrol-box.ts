import type { LookBeside } from '../../shared/patrol/look-detector.ts';
import { rememberLook, type PatrolMemory } from '../../shared/patrol/patrol-memory.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { changeMemory, readMemory } from './memory-file.ts';
import { tick, type Tick, type TickLimits } from './tick.ts';

export interface Patrolled extends Tick {
  readonly memory: PatrolMemory;
  /** Why the next look will not know what this one saw; null: it will. */
  readonly notKept: Problem | null;
  /** Why what was seen before is lost; null: it is not. */
  readonly fault: string | null;
}

export interface PatrolledBox {
  readonly connection: SshConnection;
  readonly boxId: string;
  readonly beside: LookBeside;
}

/** One patrol of a box: what was remembered, one look, what is remembered now. The window and the command line both do this. */
export async function patrolBox(
  { connection, boxId, beside }: PatrolledBox,
  { scripts, dataFolder }: { readonly scripts: OnboxScripts; readonly dataFolder: string },
  limits: TickLimits = {},
): Promise<Result<Patrolled, Problem>> {
  const { memory, fault } = await readMemory(dataFolder, boxId);
  const ticked = await tick(connection, scripts, memory, beside, limits);
  if (!ticked.ok) return ticked;
  // Whoever stopped it may have done so because the box is another machine now.
  if (limits.signal?.aborted === true) return err(problem('aborted', 'The patrol was stopped.'));
  const kept = await changeMemory(dataFolder, boxId, (current) =>
    rememberLook(ticked.value, current),
  );
  return ok({
    ...ticked.value,
    memory: kept.ok ? kept.value : rememberLook(ticked.value, memory),
    notKept: kept.ok ? null : kept.error,
    fault,
  });
}
