import type { LaunchedRun } from '../launched-run.ts';
import type { PreflightCheck } from '../launch-plan.ts';
import { runFolder } from '../run-id.ts';
import type { CronKind, RunPreflight } from '../run-preflight.ts';
import { pass, unknown, warn, type Judged } from './judged.ts';

/** What the line may hold without a quote, and without what cron itself reads, such as "%". */
const PLAIN_PATH = /^\/[\w@+=:,./-]+$/;
/** As long as a disk may take that is mounted late: every 2 s for half an hour. */
const MOST_LOOKS = 900;

/** The line of the crontab that starts a queue again; null: none could. */
export function rebootLine(
  id: string,
  { home, cron }: Pick<RunPreflight, 'home' | 'cron'>,
): string | null {
  if (cron?.kind !== 'cron' || !PLAIN_PATH.test(home)) return null;
  const looks = `until [ -f "$f" ] || [ $n -ge ${String(MOST_LOOKS)} ]; do sleep 2; n=$((n+1)); done`;
  return `@reboot f=${runFolder(home, id)}/reboot.sh; n=0; ${looks}; exec sh "$f" >/dev/null 2>&1`;
}

const WITHOUT = 'Nothing is added to it; after a restart Leasehold offers to resume the queue.';
const WHY: Readonly<Record<Exclude<CronKind, 'cron'>, string>> = {
  'no-crontab': 'The box has no cron: there is no crontab command.',
  'no-daemon': 'No cron is running on the box, so nothing would read the line.',
  'other-cron':
    'The crontab of the box is that of busybox. Whether its cron starts anything after a restart is not known.',
  'no-cmp': 'The box has no cmp, by which a change of your crontab is checked.',
  unreadable: "Your crontab on the box can't be read.",
  demo: 'The demo box is this computer, and your own crontab is left alone.',
};

/** Whether the queue starts again by itself, where that was asked for (GEN6). */
export function judgeReboot({
  home,
  cron,
}: Pick<RunPreflight, 'home' | 'cron'>): readonly PreflightCheck[] {
  return [checkOf(judged({ home, cron }))];
}

function judged({ home, cron }: Pick<RunPreflight, 'home' | 'cron'>): Judged {
  if (cron === null) {
    return unknown(`The box did not tell whether it has cron. ${WITHOUT}`, 'GEN6');
  }
  if (cron.kind !== 'cron') return warn(`${WHY[cron.kind]} ${WITHOUT}`, 'GEN6');
  if (!PLAIN_PATH.test(home)) {
    return warn(
      `The path of your home folder has characters that cron would read as its own. ${WITHOUT}`,
      'GEN6',
    );
  }
  return cron.startsWithBox
    ? pass('cron is running, and systemd starts it with the box.')
    : unknown(
        'cron is running. Whether it starts with the box is not known: in a container it often does not, and then you resume the queue yourself.',
        'GEN6',
      );
}

/** Of a queue that goes on by hand: its line stays the one that it has. */
export function stillStartsAgain({
  startsAgain,
}: Pick<LaunchedRun, 'startsAgain'>): readonly PreflightCheck[] {
  if (startsAgain !== true) return [];
  return [checkOf(pass('As when it was first launched: its line stays in your crontab.'))];
}

const checkOf = (of: Judged): PreflightCheck => ({
  id: 'reboot',
  title: 'Starts again after a restart',
  ...of,
});
