import type { LookBeside } from '../../shared/patrol/look-detector.ts';
import { selectLost } from '../../shared/patrol/lost-runs.ts';
import {
  dropUntold,
  keepUntold,
  rememberLook,
  type PatrolMemory,
} from '../../shared/patrol/patrol-memory.ts';
import type { JudgedLook } from '../../shared/patrol/patrol-state.ts';
import { selectJudged, withUntold } from '../../shared/patrol/select-judged.ts';
import { selectSeen } from '../../shared/patrol/select-seen.ts';
import { toldOnce } from '../../shared/patrol/told-once.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { changeMemory, readMemory } from './memory-file.ts';
import { tick, type Tick, type TickLimits } from './tick.ts';

export interface Patrolled extends Tick {
  readonly memory: PatrolMemory;
  /** What the rules say, bounded, with what earlier looks could tell nobody. */
  readonly judgedLook: JudgedLook;
  /** Why the next look will not know what this one saw; null: it will. */
  readonly notKept: Problem | null;
  /** What of the earlier looks could not be read; null: all could. */
  readonly fault: Problem | null;
}

export interface PatrolledBox {
  readonly connection: SshConnection;
  readonly boxId: string;
  readonly beside: LookBeside;
  /** The last work before all cards fell idle; null: not known, or they work. */
  readonly fellIdleAtMs: number | null;
  /** Whether what is found reaches the alerts: only the window has them. */
  readonly hasAlerts: boolean;
}

/** One patrol of a box: what was remembered, one look, what is remembered now. The window and the command line both do this. */
export async function patrolBox(
  { connection, boxId, beside, fellIdleAtMs, hasAlerts }: PatrolledBox,
  { scripts, dataFolder }: { readonly scripts: OnboxScripts; readonly dataFolder: string },
  limits: TickLimits = {},
): Promise<Result<Patrolled, Problem>> {
  const { memory, fault } = await readMemory(dataFolder, boxId);
  const ticked = await tick(connection, scripts, memory, beside, limits);
  if (!ticked.ok) return ticked;
  // Whoever stopped it may have done so because the box is another machine now.
  if (limits.signal?.aborted === true) return err(problem('aborted', 'The check was stopped.'));
  const { look, alive, took, judged } = ticked.value;
  const { runs } = selectSeen(look, alive, took);
  // U3 tells of the runs that did not come back, as they are remembered after this look.
  const judgedWith = ({ gone }: PatrolMemory): JudgedLook =>
    selectJudged(toldOnce(judged, selectLost(gone, runs)));
  let untold: PatrolMemory['untold'] = [];
  const remember = (current: PatrolMemory | null): PatrolMemory => {
    const remembered = rememberLook({ ...ticked.value, fellIdleAtMs }, current);
    if (!hasAlerts) return keepUntold(remembered, judgedWith(remembered), current);
    untold = remembered.untold;
    return dropUntold(remembered);
  };
  const kept = await changeMemory(dataFolder, boxId, remember);
  const now = kept.ok ? kept.value.memory : remember(memory);
  return ok({
    ...ticked.value,
    memory: now,
    judgedLook: withUntold(judgedWith(now), untold),
    notKept: kept.ok ? null : kept.error,
    fault: kept.ok ? kept.value.fault : fault,
  });
}
