import type { PlannedFile } from '../../shared/plan/planned-file.ts';
import {
  canOverride,
  type Detacher,
  type LaunchPlan,
  type PlannedNotices,
  type PreflightCheck,
} from '../../shared/runs/launch/launch-plan.ts';
import { copyPlanText, type CopyPlan } from '../../shared/runs/launch/copy-plan.ts';
import type { Outlook } from '../../shared/runs/launch/outlook.ts';
import type { RunRequest } from '../../shared/runs/launch/run-request.ts';
import { STARTERS } from '../../shared/runs/launch/starters.ts';
import type { KeptPush } from '../transfer/code-pusher.ts';
import { shellWord } from '../../shared/shell-word.ts';
import {
  cellCopyFiles,
  firstJobFile,
  queueFiles,
  type PlannedQueue,
} from './queue/planned-queue.ts';
import { scriptIn } from './script-in.ts';

/** The part of a launch that is about going on after a run. */
export interface PlannedAgain {
  readonly after: string;
  /** job.sh of the first run of the chain. */
  readonly firstJob: string;
}

/** All that a launch does, as main keeps it. */
export interface PlannedLaunch {
  readonly id: string;
  readonly request: RunRequest;
  readonly detacher: Detacher;
  readonly folder: string;
  readonly about: string;
  readonly job: string;
  /** What it saves into, as `placesOf` has it; none: what the run before it saved into. */
  readonly saves: readonly string[];
  /** Runs that live and save into the same, by their ids: the person was shown them. */
  readonly beside: readonly string[];
  readonly checks: readonly PreflightCheck[];
  /** Absent: it is one command, and no queue. */
  readonly queue?: PlannedQueue;
  /** Absent: it goes on after no run, or is a queue. */
  readonly resume?: PlannedAgain;
  readonly push: KeptPush | null;
  readonly outlook: Outlook;
  /** Absent: nothing is armed. */
  readonly notices?: PlannedNotices;
  /** Between a signal of the box and its end; absent: not known. */
  readonly graceS?: number;
  /** The line of the crontab that starts it again after a restart of the box; absent: none does. */
  readonly reboot?: string;
  /** Absent: the results stay where they are. */
  readonly copy?: CopyPlan;
}

/** All of it, as the person sees it. `script`: run-launch.sh as it is sent. */
export function planOf(planned: PlannedLaunch, script: string): Omit<LaunchPlan, 'plan'> {
  const { id, request, detacher, folder, checks, push, queue, resume, outlook } = planned;
  return {
    runId: id,
    request,
    ...(queue === undefined ? {} : { queue: queue.shown }),
    ...(resume === undefined ? {} : { after: resume.after }),
    folder,
    files: filesOf(planned, script),
    detacher,
    ...(planned.reboot === undefined ? {} : { reboot: planned.reboot }),
    startLine: STARTERS[detacher].startLine({ id, folder }),
    checks,
    push: push?.shown ?? null,
    outlook,
    ...(planned.notices === undefined ? {} : { notices: planned.notices }),
    // The keeper hands it on to the run, and writes down its end.
    byHand: `kill -TERM "$(cut -d' ' -f2 ${shellWord(`${folder}/go`)})"`,
  };
}

function filesOf(
  { request, about, job, detacher, queue, resume, checks, copy, graceS, reboot }: PlannedLaunch,
  script: string,
): readonly PlannedFile[] {
  const { successLine } = request;
  return [
    { name: 'job.sh', what: 'What runs, in a login shell of the box.', text: job },
    ...(queue === undefined ? [] : queueFiles(queue, script)),
    ...(queue === undefined || copy === undefined ? [] : cellCopyFiles(copy, script)),
    ...(resume === undefined ? [] : [firstJobFile('run', resume.firstJob)]),
    {
      name: 'keeper.sh',
      what: 'Runs job.sh, keeps its exit code and writes down its end. Never changed once it is there.',
      text: scriptIn(script, 'KEEPER'),
    },
    ...(graceS === undefined
      ? []
      : [
          {
            name: 'grace',
            what: 'How many seconds the platform gives between SIGTERM and the end, for the log.',
            text: `${String(graceS)}\n`,
          },
        ]),
    ...(copy === undefined || queue !== undefined ? [] : copyFiles(copy, script)),
    ...(reboot === undefined ? [] : rebootFiles(reboot, script)),
    {
      name: 'about',
      what: `What the run is, for whoever finds its folder.${checks.some(canOverride) ? ' What you launch over is added to it.' : ''}`,
      text: `${about}\n`,
    },
    {
      name: 'success-line',
      what:
        successLine === null
          ? 'Empty: the exit code alone says whether the run went well.'
          : 'What the log must contain for the run to count as done.',
      text: successLine === null ? '' : `${successLine}\n`,
    },
    {
      name: 'saves',
      what: 'The folders it saves into. While it runs, no other run that saves there is launched.',
      text: null,
    },
    ...(detacher === 'tmux'
      ? [
          {
            name: 'environment',
            what: 'The environment of the launch, since a tmux server has its own. For your account alone, and removed as the run begins.',
            text: null,
          },
        ]
      : []),
    { name: 'launcher', what: 'Which process launched it, when, and how.', text: null },
    { name: 'go', what: 'Which process keeps the run: only one ever can.', text: null },
    { name: 'job', what: 'Which process the run is.', text: null },
    { name: 'log', what: 'Everything that the run prints.', text: null },
    {
      name: 'config-from',
      what: 'Where the settings are looked for that the trainer writes down, and copied into “config” at its end.',
      text: null,
    },
    {
      name: 'config',
      what: 'A folder with those settings, as they were at its end.',
      text: null,
    },
    { name: 'config-files', what: 'Where each of them was.', text: null },
    { name: 'end', what: 'How it ended, with its exit code.', text: null },
  ];
}

function copyFiles(copy: CopyPlan, script: string): readonly PlannedFile[] {
  return [
    {
      name: 'copy-plan',
      what: 'The results folder, where its copy goes, and what of the results is removed after that.',
      text: copyPlanText(copy),
    },
    {
      name: 'copy.sh',
      what: 'Copies the results once the command has succeeded, and reads the copy back. Never changed once it is there.',
      text: scriptIn(script, 'COPY'),
    },
    {
      name: 'ran',
      what: 'That the command has succeeded, before its results are copied.',
      text: null,
    },
    { name: 'copier', what: 'Which process copies.', text: null },
    { name: 'copy-began', what: 'Nothing: when the copy began, by its time.', text: null },
    { name: 'copy-manifest', what: 'The SHA-256 of each file that was copied.', text: null },
    { name: 'pruning', what: 'Nothing: that what may be removed of the results is.', text: null },
    { name: 'copied', what: 'What became of the copy.', text: null },
  ];
}

function rebootFiles(line: string, script: string): readonly PlannedFile[] {
  return [
    { name: 'reboot-line', what: 'The line of your crontab.', text: `${line}\n` },
    {
      name: 'reboot.sh',
      what: 'Puts the line there and takes it out; run by it, starts what is left of the queue. Never changed once it is there.',
      text: scriptIn(script, 'REBOOT'),
    },
    {
      name: 'reboot-plan',
      what: 'The working folder, where its disk is mounted, and what tells the GPUs: what a start waits for.',
      text: null,
    },
    { name: 'reboot', what: 'That the run is to start again; removed at its end.', text: null },
    { name: 'reboot.log', what: 'What was done after a restart, or why nothing was.', text: null },
  ];
}
