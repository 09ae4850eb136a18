import type { Problem } from '../../../shared/problem.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { selectCheckpoints } from '../../../shared/runs/checkpoints/checkpoints.ts';
import { judgeSavers } from '../../../shared/runs/launch/checks/savers-check.ts';
import { originCheck } from '../../../shared/runs/launch/checks/origin-checks.ts';
import type { CopyPlan } from '../../../shared/runs/launch/copy-plan.ts';
import { judgePreflight } from '../../../shared/runs/launch/judge-preflight.ts';
import type { KnownBox } from '../../../shared/runs/launch/known-box.ts';
import type { LaunchedRun } from '../../../shared/runs/launch/launched-run.ts';
import { outlookOf } from '../../../shared/runs/launch/outlook.ts';
import { aboutText } from '../../../shared/runs/launch/run-about.ts';
import { runFolder } from '../../../shared/runs/launch/run-id.ts';
import type { RunRequest } from '../../../shared/runs/launch/run-request.ts';
import { spotGraceS } from '../../../shared/runs/launch/spot-grace.ts';
import { ONE_RUN } from '../../../shared/runs/queue/workload.ts';
import { judgeEdited } from '../../../shared/runs/resume/judge-edited.ts';
import { judgeLeft } from '../../../shared/runs/resume/judge-left.ts';
import { judgeResume, type SavedBefore } from '../../../shared/runs/resume/judge-resume.ts';
import { readRunResume, type RunResume } from '../../../shared/runs/resume/read-run-resume.ts';
import { turnOf } from '../../../shared/runs/resume/run-turn.ts';
import { newMark, type OnboxScripts } from '../../onbox/onbox-scripts.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';
import { placeOfResults } from '../../../shared/transfer/result-root.ts';
import { listResults } from '../list-results.ts';
import { newRunId } from '../make-plan.ts';
import type { PlannedLaunch } from '../plan-of.ts';
import { resumeJob } from '../queue/planned-queue.ts';
import { askBox } from '../run-preflight.ts';
import { askSavers, besideOf } from '../saved-places.ts';
import { notResumed } from './not-resumed.ts';
import type { Origin } from './origin.ts';

/** What running the identical command again would do, as a new run after this one. */
export async function resumeRun(
  connection: SshConnection,
  scripts: OnboxScripts,
  known: KnownBox,
  { run, origin }: { readonly run: LaunchedRun; readonly origin: Origin },
): Promise<Result<PlannedLaunch, Problem>> {
  const first = turnOf(run).id;
  const told = await lookAtFolder(connection, scripts, run.id, first);
  if (!told.ok) return told;
  const { job, successLine, copy: before, left, hashes } = told.value;
  if (job === null) return notResumed('Its job.sh is not on the box any more.');
  const request = requestOf(run, successLine);
  // What its environment and its way into it are, only job.sh knows, so that what they would find is not asked.
  const about = { ...request, command: '' };
  const [asked, savers, saved] = await Promise.all([
    askBox(connection, scripts, about, known),
    askSavers(connection, scripts, request.folder, { places: [], after: run.id }),
    savedBefore(connection, scripts, run),
  ]);
  if (!asked.ok) return asked;
  if (!savers.ok) return savers;
  const { home, detacher } = asked.value;
  const next = newRunId();
  const folder = runFolder(home, next);
  const copy = before === null ? null : copyOf(before, next);
  const graceS = spotGraceS(known.profile);
  return ok({
    ...{ id: next, request, detacher, folder, push: null },
    ...{ saves: [], beside: besideOf(savers.value) },
    ...(graceS === null ? {} : { graceS }),
    ...(copy === null ? {} : { copy }),
    about: aboutText(next, request, run.code ?? null, {
      ...{ again: first, copyTo: copy?.to ?? null, files: run.files ?? {} },
    }),
    job: resumeJob(
      runFolder(home, first),
      'Goes on after a run that is over, by the very job.sh that began it.',
    ),
    checks: [
      ...judgeLeft(left),
      ...(origin.hasBegun(first)
        ? []
        : [originCheck({ what: 'run', commands: 1, from: origin.place })]),
      ...judgeEdited(run.files ?? {}, hashes),
      judgeResume(saved, job, run.launchedAtMs),
      ...judgePreflight(about, asked.value, known),
      ...judgeSavers({ results: request.results, cells: null, goesOn: true }, savers.value),
    ],
    outlook: outlookOf(about, {
      look: asked.value,
      known,
      push: null,
      runFolder: folder,
      work: ONE_RUN,
    }),
    resume: { after: run.id, firstJob: job },
  });
}

async function lookAtFolder(
  connection: SshConnection,
  scripts: OnboxScripts,
  id: string,
  first: string,
): Promise<Result<RunResume, Problem>> {
  const mark = newMark();
  const values = { LEASEHOLD_MARK: mark, LEASEHOLD_ID: id, LEASEHOLD_OF: first };
  const ran = await scripts.run(connection, 'run-resume.sh', values);
  if (!ran.ok) return ran;
  const told = readRunResume(ran.value.stdout, mark);
  if (told === null) return notResumed('The box did not tell the run folder as a whole.');
  return told === 'odd'
    ? notResumed('Its run folder holds what no launch writes: launch the run from its request.')
    : ok(told);
}

/** As the run's folder tells it; its environment and what runs before it stand in job.sh alone. */
function requestOf(run: LaunchedRun, successLine: string | null): RunRequest {
  const { name, command, folder, results, keeps, progress } = run;
  return {
    ...{ name, command, folder, results, successLine, activate: null, env: {} },
    ...(progress === undefined ? {} : { progress }),
    ...(keeps === undefined
      ? {}
      : {
          evidence: keeps.evidence,
          scratch: keeps.scratch,
          checkpoints: { names: keeps.checkpoints },
        }),
  };
}

/** A folder of the new run's own beside that of the run before: of a copy that was cut off nothing is written over. */
function copyOf({ from, to, prune }: CopyPlan, id: string): CopyPlan {
  return { from, to: `${to.slice(0, to.lastIndexOf('/'))}/${id}`, prune };
}

/** Null where the results were not listed as a whole. */
async function savedBefore(
  connection: SshConnection,
  scripts: OnboxScripts,
  run: LaunchedRun,
): Promise<SavedBefore | null> {
  const listed = await listResults(connection, scripts, placeOfResults(run));
  if (!listed.ok || listed.value.isCut) return null;
  const [newest = null] = selectCheckpoints(listed.value.files, run.keeps?.checkpoints);
  return { newest, atMs: listed.value.atMs, isNamed: run.results !== null };
}
