import type { Problem } from '../../shared/problem.ts';
import { ok, unreachable, type Result } from '../../shared/result.ts';
import { stillBlocking, type LaunchPlan } from '../../shared/runs/launch/launch-plan.ts';
import type { WantedRun } from '../../shared/runs/request/wanted-run.ts';
import { isRunId } from '../../shared/runs/launch/run-id.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { SeenRuns } from '../runs/seen-runs.ts';
import { carryOut } from '../runs/carry-out.ts';
import { lookAtClaim } from '../runs/look-at-claim.ts';
import { makePlan } from '../runs/make-plan.ts';
import { planOf, type PlannedLaunch } from '../runs/plan-of.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { planOn } from './box-plan.ts';
import type { Command } from './command.ts';
import { REACHES_A_BOX, tellUnreached, withNamedBox, type NamedBox } from './named-box.ts';
import { withPushes } from './named-pushes.ts';
import { OVER, readOver } from './over-flag.ts';
import { planLines } from './plan-lines.ts';
import { readRunFile } from './read-run-file.ts';
import { isNameTyped } from './typed-line.ts';

interface Started {
  readonly plan: Omit<LaunchPlan, 'plan'>;
  /** Why nothing was tried; null: it is launched. */
  readonly refusal: string | null;
  /** It was launched before, under the id that was asked for. */
  readonly wasThere: boolean;
}

export const runsStart: Command = {
  name: 'runs start',
  summary: 'launches a request on a box: shows the plan, and does it once you typed its name',
  operands: ['<box>', '<file>'],
  flags: {
    yes: { value: null, help: 'launches what the plan shows without asking' },
    over: OVER,
    id: {
      value: 'id',
      help: 'the id of the run, as `request plan --json` tells one: asked again with it, nothing starts twice',
    },
    files: { value: null, help: 'prints each file that is put there, to the letter' },
  },
  details: [
    'All that it does is what the plan just showed. Code is sent first, and the run begins only once every file was read back.',
    'Where a run with that --id is there already, nothing is started and the exit code is 0.',
    'What the request wants to be told of the run is armed by the window alone; the plan says so.',
    ...REACHES_A_BOX,
    'Exit code 1: nothing was launched: it was not confirmed, something blocks it, or the box did not answer. 2: the request file cannot be used.',
  ],
  async run({ operands: [name = '', file = ''], flags, isJson }, context) {
    const id = flags.get('id');
    if (id !== undefined && !isRunId(id)) {
      return {
        refused: '--id has to be like r-20260131-120000-1a2b3c4d: a day, a time, eight digits.',
      };
    }
    const wanted = await readRunFile(file);
    if (!wanted.ok) return { refused: wanted.error };
    const { out } = context;
    return withNamedBox(name, context, async (known) => {
      const started = await start(known, wanted.value, flags, isJson);
      if (!started.ok) return tellUnreached(known, started.error, 'plan', isJson);
      const { plan, refusal, wasThere } = started.value;
      const isLaunched = refusal === null;
      if (isJson)
        await out.json({ box: known.box.name, problem: null, isLaunched, wasThere, refusal, plan });
      else {
        const how = wasThere ? 'was launched before' : 'is launched';
        const launched = `${plan.request.name} ${how} on ${known.box.name}: ${plan.runId}`;
        await out.lines(['', isLaunched ? launched : `Nothing was launched. ${refusal}`]);
      }
      return isLaunched ? 0 : 1;
    });
  },
};

function start(
  known: NamedBox,
  { request, queue }: WantedRun,
  flags: ReadonlyMap<string, string>,
  isJson: boolean,
): Promise<Result<Started, Problem>> {
  const { box, scripts, database, context } = known;
  const over = readOver(flags);
  const seen = new SeenRuns({
    entries: database.entries,
    onProblem: ({ message }) => void context.err.line(message),
  });
  return withPushes(known, (pushes) =>
    planOn<Started>(known, async (connection, knownBox) => {
      const id = flags.get('id');
      const made = await makePlan(connection, {
        ...{ scripts, pushes, request, queue, known: knownBox },
        ...(id === undefined ? {} : { id }),
      });
      if (!made.ok) return made;
      const plan = planOf(made.value, await scripts.textOf('run-launch.sh'));
      const nothing = (refusal: string): Result<Started, Problem> =>
        ok({ plan, refusal, wasThere: false });
      if (id !== undefined) {
        // After the plan: a run of that id that was launched meanwhile would be in its own way there.
        const before = await findLaunched(connection, scripts, made.value);
        if (!before.ok) return before;
        if (before.value === 'there') return ok({ plan, refusal: null, wasThere: true });
        if (before.value !== null) return nothing(before.value.refusal);
      }
      if (!isJson) await context.out.lines(planLines(box.name, plan, flags.has('files')));
      const [blocking] = stillBlocking(plan, over);
      if (blocking !== undefined) return nothing(`This blocks it: ${blocking.says}`);
      const isWanted = flags.has('yes') || (!isJson && (await isNameTyped(request.name, context)));
      if (!isWanted) return nothing('It was not confirmed.');
      const options = { scripts, pushes, seen };
      const done = await carryOut(options, box.id, connection, made.value, over);
      const ended = done.ok ? done.value : done;
      return ended.ok ? ok({ plan, refusal: null, wasThere: false }) : ended;
    }),
  );
}

/** What the box has under the id of a plan; null: nothing. */
async function findLaunched(
  connection: SshConnection,
  scripts: OnboxScripts,
  { id, about }: PlannedLaunch,
): Promise<Result<'there' | { readonly refusal: string } | null, Problem>> {
  const stands = await lookAtClaim(connection, scripts, { id, about }, { settle: false });
  if (!stands.ok) {
    const { code, message } = stands.error;
    return code === 'run-not-launched' ? ok({ refusal: message }) : stands;
  }
  switch (stands.value) {
    case 'none':
      return ok(null);
    case 'begun':
      return ok('there');
    case 'sealed':
      return ok({
        refusal: `A launch as ${id} was cut off, and nothing of it can start any more: ask with another id.`,
      });
    case 'starting':
      return ok({ refusal: `A launch as ${id} is under way and has not begun yet: ask again.` });
    default:
      return unreachable(stands.value);
  }
}
