import type { Overridden } from '../../shared/runs/launch/launch-plan.ts';
import type { Flag } from './command.ts';

/** What a person launches over, as in the window: each check by itself. The run keeps it. */
export const OVER: Flag = {
  value: 'checks',
  help: 'launches over these checks, by the names that the plan gives them, with commas between',
};

/** One that does not block, or that nobody can launch over, changes nothing. */
export const readOver = (flags: ReadonlyMap<string, string>): Overridden =>
  new Set((flags.get('over') ?? '').split(',').map((id) => id.trim()));
