import type { Problem } from '../../shared/problem.ts';
import { ok } from '../../shared/result.ts';
import { stillBlocking, type LaunchPlan } from '../../shared/runs/launch/launch-plan.ts';
import { launchExpected } from '../runs/carry-out.ts';
import { launchRefused } from '../runs/launch-refused.ts';
import { redactText } from '../../shared/secrets/redact-text.ts';
import { planOf } from '../runs/plan-of.ts';
import { KeptRunIds } from '../runs/kept-run-ids.ts';
import { SeenRuns } from '../runs/seen-runs.ts';
import { declineResume } from '../runs/resume/decline-resume.ts';
import { planResume } from '../runs/resume/plan-resume.ts';
import { planOn } from './box-plan.ts';
import { OVER, readOver } from './over-flag.ts';
import type { Command, ExitCode } from './command.ts';
import { findChain } from './known-runs.ts';
import {
  overItsLink,
  REACHES_A_BOX,
  tellUnreached,
  withNamedBox,
  type NamedBox,
} from './named-box.ts';
import { planLines } from './plan-lines.ts';

type Outcome = 'resumed' | 'blocked' | 'shown';
interface Done {
  readonly outcome: Outcome;
  readonly plan: Omit<LaunchPlan, 'plan'>;
}

export const runsResume: Command = {
  name: 'runs resume',
  summary:
    'goes on with a run or a queue that is over: says what would run, and with --yes runs it',
  operands: ['<box>', '<run>'],
  flags: {
    yes: {
      value: null,
      help: 'resumes it; without this nothing is done, and what would be is said',
    },
    over: OVER,
    decline: {
      value: null,
      help: 'resumes nothing: the run folder remembers that nobody is to be asked again',
    },
  },
  details: [
    'It is given by the id of any of its runs, or by its name where nothing else has it. After a restart of the box, a kill or a stop.',
    'A new run goes on by the very same job: the identical command in the same folder, with a log and a run folder of its own. Of a queue, cells that have an exit code do not run again; an interrupted one does, from its beginning.',
    ...REACHES_A_BOX,
    'Exit code 1: the box did not answer, has no such run, nothing of it is left, something blocks it, or --yes is missing.',
  ],
  run: ({ operands: [name = '', wanted = ''], flags, isJson }, context) =>
    withNamedBox(name, context, async (known) => {
      if (flags.has('decline')) return decline(known, wanted, isJson);
      const { scripts, box, database } = known;
      const over = readOver(flags);
      const kept = {
        entries: database.entries,
        onProblem: ({ message }: Problem) => void context.err.line(message),
      };
      const [begun, seen] = [new KeptRunIds(kept), new SeenRuns(kept)];
      const done = await planOn<Done>(known, async (connection, knownBox) => {
        const found = await findChain(connection, known, wanted, 'run');
        if (!found.ok) return found;
        const planned = await planResume(connection, scripts, knownBox, {
          id: found.value.id,
          place: box.name,
          hasBegun: (queue) => begun.has(box.id, queue),
        });
        if (!planned.ok) return planned;
        const plan = redacted(planOf(planned.value, await scripts.textOf('run-launch.sh')));
        if (!flags.has('yes')) return ok({ outcome: 'shown', plan });
        if (stillBlocking(plan, over).length > 0) return ok({ outcome: 'blocked', plan });
        const resuming = { scripts, seen };
        const said = await launchExpected(resuming, box.id, connection, planned.value, over);
        if (!said.ok) return said;
        if (said.value !== 'launched') return { ok: false, error: launchRefused(said.value) };
        return ok({ outcome: 'resumed', plan });
      });
      if (!done.ok) return tellUnreached(known, done.error, 'plan', isJson);
      const { outcome, plan } = done.value;
      const isResumed = outcome === 'resumed';
      if (isJson) await context.out.json({ box: box.name, problem: null, isResumed, plan });
      else if (isResumed) {
        await context.out.line(`${box.name}: ${resumedWords(plan)}`);
      } else {
        await context.out.lines(planLines(box.name, plan, false));
        await context.out.line(
          outcome === 'blocked'
            ? 'Nothing was resumed: something blocks it. What can be launched over is named with --over.'
            : 'Nothing was resumed. Add --yes to do it.',
        );
      }
      return isResumed ? 0 : 1;
    }),
};

function resumedWords({ runId, queue, after }: Done['plan']): string {
  if (queue === undefined)
    return `${runId} runs the identical command again, after ${after ?? ''}.`;
  const cells = queue.cells.length;
  return `${runId} goes on with the queue; ${cells === 1 ? '1 cell is' : `${String(cells)} cells are`} left.`;
}

async function decline(known: NamedBox, wanted: string, isJson: boolean): Promise<ExitCode> {
  const { scripts, box, context } = known;
  const declined = await overItsLink(known, async (connection) => {
    const found = await findChain(connection, known, wanted, 'run');
    if (!found.ok) return found;
    const done = await declineResume(connection, scripts, found.value.id);
    return done.ok ? ok(found.value.id) : done;
  });
  if (!declined.ok) return tellUnreached(known, declined.error, 'plan', isJson);
  const id = declined.value;
  if (isJson)
    await context.out.json({ box: box.name, problem: null, isResumed: false, declined: id });
  else await context.out.line(`${box.name}: ${id} is not offered again. It can still be resumed.`);
  return 0;
}

/** SECURITY: unlike a request of this machine, what stands on the box may be anybody's. */
function redacted(plan: Done['plan']): Done['plan'] {
  const { queue, request, files } = plan;
  return {
    ...plan,
    request: { ...request, name: redactText(request.name), command: redactText(request.command) },
    files: files.map((file) =>
      file.text === null ? file : { ...file, text: redactText(file.text) },
    ),
    ...(queue === undefined
      ? {}
      : {
          queue: {
            ...queue,
            cells: queue.cells.map((cell) => ({
              ...cell,
              name: redactText(cell.name),
              command: redactText(cell.command),
            })),
          },
        }),
  };
}
