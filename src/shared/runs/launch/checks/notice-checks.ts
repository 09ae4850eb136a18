import type { KnownBox } from '../known-box.ts';
import type { PreflightCheck } from '../launch-plan.ts';
import type { RunRequest } from '../run-request.ts';
import { pass, warn, type Judged } from './judged.ts';

/** The longest that a waiter may wait. */
export const NOTICE_HOURS = 336;

/** What is armed once the run has begun. None of it can stop a launch. */
export function judgeNotices(
  { notify }: Pick<RunRequest, 'notify'>,
  { tellsTo }: Pick<KnownBox, 'tellsTo'>,
  isQueue: boolean,
): readonly PreflightCheck[] {
  return [
    ...(notify?.end === true
      ? [{ id: 'notice-end', title: 'Message when the run ends', ...judgeEnd(tellsTo) }]
      : []),
    ...(notify?.line === undefined
      ? []
      : [
          {
            id: 'notice-line',
            title: 'Text in the log',
            ...judgeLine(notify.line, tellsTo, isQueue),
          },
        ]),
  ];
}

const BY_THE_WINDOW =
  'Only the app can set this up: launched from the command line, the run starts without it.';

const RUNS_ANYWAY = 'The run starts all the same.';

function judgeEnd(tellsTo: KnownBox['tellsTo']): Judged {
  if (tellsTo === undefined) return warn(BY_THE_WINDOW);
  if (tellsTo === null) {
    return warn(`No webhook is set up in Settings, so no message is sent. ${RUNS_ANYWAY}`);
  }
  const { host, isBoxItself } = tellsTo;
  return isBoxItself
    ? warn(
        `${host} is the box itself, as seen from there, and not this computer, so no message is sent. ${RUNS_ANYWAY}`,
      )
    : pass(`The box posts to ${host} when the run ends, within ${String(NOTICE_HOURS / 24)} days.`);
}

function judgeLine(text: string, tellsTo: KnownBox['tellsTo'], isQueue: boolean): Judged {
  if (tellsTo === undefined) return warn(BY_THE_WINDOW);
  return isQueue
    ? warn('Each cell has a log of its own, so nothing waits for a text in them.')
    : pass(`Leasehold tells you of the first line of its log with “${text}” in it.`);
}
