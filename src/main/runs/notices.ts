import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { NOTICE_HOURS } from '../../shared/runs/launch/checks/notice-checks.ts';
import type { KnownBox } from '../../shared/runs/launch/known-box.ts';
import type { PlannedNotices } from '../../shared/runs/launch/launch-plan.ts';
import type { RunRequest } from '../../shared/runs/launch/run-request.ts';
import { FROM_ITS_BEGINNING, MAX_FOR_MS } from '../../shared/sentinels/sentinel.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { waiterIn, type PushWaiters } from '../push/push-waiters.ts';
import type { SentinelWatch } from '../sentinels/sentinel-watch.ts';
import type { PlannedLaunch } from './plan-of.ts';

/** What is armed once this run has begun; null: nothing. `log`: of the run; null: its cells have logs of their own. */
export async function planNotices(
  { notify }: RunRequest,
  { tellsTo }: KnownBox,
  log: string | null,
  scripts: OnboxScripts,
): Promise<PlannedNotices | null> {
  const isToEnd = notify?.end === true && tellsTo?.isBoxItself === false;
  const line = notify?.line === undefined || log === null ? null : { path: log, text: notify.line };
  if (!isToEnd) return line === null ? null : { end: null, line };
  const waiter = {
    name: 'waiter.sh',
    what: 'Waits for the end of the run on the box, posts it, and is removed. The address goes into its memory alone.',
    text: waiterIn(await scripts.textOf('push-arm.sh')),
  };
  return { end: { to: tellsTo, maxHours: NOTICE_HOURS, waiter }, line };
}

export interface NoticesOptions {
  readonly waiters: Pick<PushWaiters, 'plan' | 'arm'>;
  readonly sentinels: Pick<SentinelWatch, 'arm'>;
  readonly nameOf: (boxId: string) => string;
  /** The run has begun, and goes on without what could not be armed. */
  readonly onProblem: (found: Problem) => void;
}

/** Arms what the plan of a launch has shown, once the run has begun. */
export class Notices {
  readonly #options: NoticesOptions;

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  async arm(boxId: string, { id, request, notices }: PlannedLaunch): Promise<void> {
    if (notices === undefined) return;
    const { end, line } = notices;
    const { sentinels, nameOf, onProblem } = this.#options;
    const armed = await Promise.all([
      end === null ? ok(null) : this.#armEnd(boxId, id, end),
      line === null
        ? ok(null)
        : sentinels.arm(boxId, { kind: 'line', ...line }, MAX_FOR_MS, FROM_ITS_BEGINNING),
    ]);
    const what = ['The message at its end', 'The wait for a text in its log'];
    for (const [at, each] of armed.entries()) {
      if (each.ok) continue;
      const { code, message, ...more } = each.error;
      const told = `${request.name} runs on ${nameOf(boxId)}. ${what[at] ?? ''} is not armed: ${message}`;
      onProblem(problem(code, told, more));
    }
  }

  /** By a plan of its own, which names the process that keeps the run. */
  async #armEnd(
    boxId: string,
    id: string,
    { to, maxHours }: NonNullable<PlannedNotices['end']>,
  ): Promise<Result<unknown, Problem>> {
    const { waiters } = this.#options;
    const wanted = { run: { launched: id }, to: { kind: to.via }, maxHours };
    const planned = await waiters.plan(boxId, wanted);
    if (!planned.ok) return planned;
    const { plan, target } = planned.value;
    return target.host === to.host
      ? waiters.arm(boxId, plan)
      : err(
          problem('push-not-armed', 'Another address is entered by now than the plan has shown.', {
            nextStep: 'Arm it on the page of the run.',
          }),
        );
  }
}
