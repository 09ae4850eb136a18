import { problem, type Problem } from '../../shared/problem.ts';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { RunLook } from '../../shared/runs/launch/run-look.ts';
import { judgeClaim } from '../../shared/runs/launch/same-claim.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { lookAtRuns } from './look-at-runs.ts';

/** As long as a launcher may still be at work. */
const LOOK_EVERY_MS = 500;
const LOOKS = 30;

/** A launch by what it would put on the box. */
interface Claim {
  readonly id: string;
  readonly about: string;
}

/** What became of a claim: `sealed`: nothing of it can begin any more. `starting`: it is still under way. */
export type ClaimStands = 'none' | 'sealed' | 'starting' | 'begun';

/**
 * What the box has under an id, once a launch that is under way there has come to its end, or for as long as one takes. A run of another
 * request under it is a Problem. `settle`: where the box has nothing of it by now, it never will.
 */
export async function lookAtClaim(
  connection: SshConnection,
  scripts: OnboxScripts,
  claim: Claim,
  { settle }: { readonly settle: boolean },
): Promise<Result<ClaimStands, Problem>> {
  for (let looks = 1; ; looks += 1) {
    const looked = await lookAtRuns(connection, scripts, settle ? { settle: claim.id } : {});
    if (!looked.ok) return looked;
    const stands = standsIn(looked.value, claim);
    if (!stands.ok || stands.value !== 'starting' || looks === LOOKS) return stands;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

function standsIn({ runs, sealed }: RunLook, { id, about }: Claim): Result<ClaimStands, Problem> {
  const run = runs.find((each) => each.id === id);
  const whose = run === undefined ? 'untold' : judgeClaim(run, about);
  if (run !== undefined && whose === 'other') return err(idTaken(id, run.name));
  if (sealed.includes(id)) return ok('sealed');
  if (run === undefined) return ok('none');
  return ok(whose === 'untold' || run.status.kind === 'starting' ? 'starting' : 'begun');
}

function idTaken(id: string, name: string): Problem {
  return problem(
    'run-not-launched',
    `${id} is the id of another run on this box, “${plainLine(name, 80)}”. Nothing was started.`,
    { nextStep: 'Ask with another id.' },
  );
}
