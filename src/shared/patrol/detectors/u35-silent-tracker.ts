import { figure, line, type Clue } from '../../detectors/finding.ts';
import {
  clear,
  found,
  runSubject,
  unknown,
  type LookAnswer,
  type LookDetector,
  type LookSubject,
} from '../look-detector.ts';
import { fromLog } from '../line-source.ts';
import type { PatrolLook, RunInLook } from '../patrol-look.ts';
import { lastLineWith } from './log-words.ts';
import { newestOf } from './own-files.ts';
import { phrase, says, type Phrase } from '../../detectors/says.ts';

/** What these look for in the beginning of a log: resources/onbox/patrol.sh. */
const GAVE_UP =
  /Disabled WandB due to initialization error|No API key configured|api_key not configured|W&B disabled due to login timeout/;
const STARTED = /Syncing run |Tracking run with|Run data is saved locally in/;
const EITHER = new RegExp(`${GAVE_UP.source}|${STARTED.source}`);
/** The environment of a person's shell is that of everything that they start: these report to nobody. */
const NO_TRAINING =
  /(?:^|\/)(?:tail|tee|rsync|rclone|wget|curl|aria2c|git|tar|zip|unzip|gzip|pigz|cp|scp|ssh)$/;
/** Gotcha U35 says "within the first minutes"; imports and data take some of them (chosen for Leasehold). */
const STARTED_WITHIN_S = 900;

/** U35 */
export const silentTracker: LookDetector = {
  id: 'U35',
  judge({ look }) {
    if (look.runs.length > 0) return look.runs.map((run) => judgeRun(run, look));
    return [look.processes.isWhole ? clear() : unknown('the box did not tell of its processes')];
  },
};

function judgeRun(run: RunInLook, look: PatrolLook): LookAnswer {
  const subject = runSubject(run);
  const said = run.logs
    .flatMap(({ start, end }) => [start, end])
    .filter((text) => text !== null)
    .join('\n');
  const gaveUp = run.logs.flatMap((log) => {
    // An earlier run may have said it in the same file.
    const words = lastLineWith([log.start, log.end].join('\n'), EITHER);
    return words === null || !GAVE_UP.test(words) ? [] : [line(words, fromLog(log, look))];
  });
  if (gaveUp.length > 0) return lost(subject, 'disabled', gaveUp, null);
  if (STARTED.test(said) || hasTrackedRun(run, look)) return clear(subject);
  switch (run.tracker) {
    case null:
      return unknown('whether it should report to a tracker could not be read', subject);
    case 'none':
    case 'disabled':
      return clear(subject);
    case 'unset':
      return unknown(
        'a tracker is set up, and nothing shows whether this run should use it',
        subject,
      );
    case 'online':
    case 'offline':
      if (NO_TRAINING.test(run.program ?? '')) return clear(subject);
      if (run.ageS === null || run.ageS < STARTED_WITHIN_S) {
        return unknown('it began too lately for its tracker to be missed', subject);
      }
      if (run.logs.every(({ start }) => start === null)) {
        return unknown('the beginning of its log could not be read', subject);
      }
      return lost(
        subject,
        'not-begun',
        [figure('The run is up for', run.ageS / 60, 'min'), environment(run, look)],
        phrase('U35', 'elsewhere'),
      );
  }
}

function environment({ pid, tracker }: RunInLook, { atMs }: PatrolLook): Clue {
  return line(`WANDB_MODE=${String(tracker)}`, { file: `/proc/${String(pid)}/environ`, atMs });
}

/** A folder that was made after it had begun. */
function hasTrackedRun(run: RunInLook, look: PatrolLook): boolean {
  return run.ageS !== null && newestOf('tracker', run, look) !== null;
}

function lost(
  subject: LookSubject,
  variant: 'disabled' | 'not-begun',
  clues: Parameters<typeof found>[1]['clues'],
  caveat: Phrase | null,
): LookAnswer {
  return found(subject, {
    severity: 'warn',
    says: says('U35', variant),
    clues,
    caveat,
  });
}
