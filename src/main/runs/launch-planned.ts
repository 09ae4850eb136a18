import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { canOverride, type Overridden } from '../../shared/runs/launch/launch-plan.ts';
import { aboutOver } from '../../shared/runs/launch/run-about.ts';
import { nameIn } from '../../shared/runs/launch/savers.ts';
import { STARTERS } from '../../shared/runs/launch/starters.ts';
import { slotLine } from '../../shared/runs/queue/workload.ts';
import { afterMark, newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import { changeBox } from '../ssh/change-box.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { nextTurn } from '../streams/in-turns.ts';
import { recordKey } from '../transfer/box-tree.ts';
import { placesTaken } from './launch-refused.ts';
import { lookAtClaim } from './look-at-claim.ts';
import type { PlannedLaunch } from './plan-of.ts';

/** A box that shows its keeper late says so after ten seconds. */
const LAUNCH_TIMEOUT_MS = 60_000;

/** Why nobody knows that it was launched. */
export interface LaunchFailure extends Problem {
  /** False: the box was never told, or has said that it began nothing. */
  readonly mayHaveBegun: boolean;
}

/** "launched", or why it was not. Asking again does nothing twice. */
export async function launchPlanned(
  connection: SshConnection,
  scripts: OnboxScripts,
  {
    id,
    request,
    folder,
    about,
    job,
    saves,
    push,
    beside,
    detacher,
    checks,
    queue,
    resume,
    copy,
    graceS,
    reboot,
  }: PlannedLaunch,
  overridden: Overridden,
): Promise<Result<string, LaunchFailure>> {
  const mark = newMark();
  const lines = job.replace(/\n$/, '').split('\n');
  // What was launched over is not known before: it is all that a launch adds to what the plan has shown.
  const over = checks.filter((check) => canOverride(check) && overridden.has(check.id));
  const cells = queue?.cells ?? null;
  const sweep = queue?.sweep ?? null;
  const head = [aboutOver(about, over), request.successLine ?? '', ...lines, 'end'];
  const more = [
    ...(cells === null ? [] : [cells]),
    ...['+saves', ...saves],
    ...(sweep === null ? [] : ['+sweep', sweep]),
    '+end',
  ];
  // Of a sweep it is some megabytes, and every box of it launches at the same time.
  await nextTurn();
  const payload = [...head, ...more, ''].join('\n');
  let isTold = true;
  const said = await changeBox<string>(connection, {
    run: async (on) => {
      const ran = await scripts.runWithInput(
        on,
        'run-launch.sh',
        {
          LEASEHOLD_MARK: mark,
          LEASEHOLD_ID: id,
          LEASEHOLD_FOLDER: request.folder,
          LEASEHOLD_LINES: String(lines.length),
          LEASEHOLD_DETACHER: detacher,
          LEASEHOLD_START: STARTERS[detacher].startLine({ id, folder }),
          LEASEHOLD_CELLS: cells === null ? '' : 'yes',
          LEASEHOLD_SLOTS: queue?.shown.slots.map(slotLine).join(' ') ?? '',
          LEASEHOLD_GRACE: graceS === undefined ? '' : String(graceS),
          LEASEHOLD_SAVED: request.results ?? '',
          LEASEHOLD_COPY: copy?.to ?? '',
          LEASEHOLD_RESULTS: copy?.from ?? '',
          LEASEHOLD_PRUNE: copy?.prune.join('\t') ?? '',
          LEASEHOLD_REBOOT: reboot ?? '',
          LEASEHOLD_BESIDE: beside.join(' '),
          LEASEHOLD_CODE: push === null ? '' : `${recordKey(push.folder)} ${push.shown.tree}`,
          LEASEHOLD_SWEEP: sweep === null ? '' : 'yes',
          LEASEHOLD_AFTER: resume?.after ?? queue?.shown.after ?? '',
        },
        payload,
        { timeoutMs: LAUNCH_TIMEOUT_MS },
      );
      isTold = ran.ok || ran.error.mayHaveRun;
      return ran;
    },
    judge: ({ stdout }) => {
      const answer = afterMark(stdout, mark);
      const word = /^(?:refused )?([a-z-]{1,40})\b/m.exec(answer)?.[1] ?? '';
      return word === 'taken' ? err(placesTaken(nameIn(answer))) : ok(word);
    },
    reread: (fresh) => settle(fresh, scripts, { id, about }),
  });
  // A launcher that was killed says nothing.
  const isOpen = said.ok && ['exists', ''].includes(said.value);
  const launched = isOpen ? await settle(connection, scripts, { id, about }) : said;
  if (launched.ok) return launched;
  const { code } = launched.error;
  return err({ ...launched.error, mayHaveBegun: isTold && code !== 'run-not-launched' });
}

/** What became of a launch whose answer was lost. Where the box has nothing of it, it never will: the look sees to that. */
async function settle(
  connection: SshConnection,
  scripts: OnboxScripts,
  claim: Pick<PlannedLaunch, 'id' | 'about'>,
): Promise<Result<string, Problem>> {
  const stands = await lookAtClaim(connection, scripts, claim, { settle: true });
  if (!stands.ok) return stands;
  if (stands.value === 'sealed') return ok('lost');
  return ok(stands.value === 'begun' ? 'launched' : 'unsettled');
}
