import type { PreflightCheck } from '../launch/launch-plan.ts';

const MAX_NAMED = 10;

/** Two of the same at once would write over each other. `left`: processes that outlived their run. */
export function judgeLeft(left: readonly number[]): readonly PreflightCheck[] {
  if (left.length === 0) return [];
  const [processes, them] =
    left.length === 1 ? ['a process still runs', 'it'] : ['processes still run', 'them'];
  const says = `Of what was interrupted, ${processes} (${left.slice(0, MAX_NAMED).join(', ')}). End ${them} on the box, then plan again.`;
  const title = 'Nothing of it is left';
  return [{ id: 'resume-left', title, answer: 'block', says, gotcha: null, anyway: null }];
}
