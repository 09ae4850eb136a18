import type { LaunchedRuns, RunLog } from '../runs/launch/launched-run.ts';
import type { RehearsalOutput } from '../runs/request/rehearsal.ts';
import type { BoxBehind } from '../transfer/behind.ts';
import type { ContinuousPull } from '../transfer/continuous/continuous-pull.ts';
import type { PullProgress } from '../transfer/pull.ts';
import type { NamedFolder } from '../transfer/result-root.ts';
import type { PushProgress } from '../transfer/push-progress.ts';
import { byBox } from './meter-stream.ts';
import type { EventsByRun } from '../runs/run-events.ts';
import type { StreamKind } from './stream.ts';

export const launchedRunsStream: StreamKind<LaunchedRuns, LaunchedRuns> = {
  apply: (_old, next) => next,
};

/** What was seen of the runs of a box, over restarts. */
export const runEventsStream: StreamKind<EventsByRun, EventsByRun> = {
  apply: (_old, next) => next,
};

/** Code on its way to a box; one that is not in it gets none. */
export const pushesStream = byBox<PushProgress>();

/** What a rehearsal on this computer prints, for the launch on which box; one that is not in it has none under way. */
export const rehearsalsStream = byBox<RehearsalOutput>();

/** Results on their way home from a box; one that is not in it sends none. */
export const pullsStream = byBox<PullProgress>();

/** Runs whose new results come home by themselves. */
export const continuousPullsStream = byBox<readonly ContinuousPull[]>();

/** Folders of boxes that a person wants to have home. */
export const namedFoldersStream = byBox<readonly NamedFolder[]>();

/** Results that a box has and this computer does not; of a box that is not in it nobody knows. */
export const behindStream = byBox<BoxBehind>();

/** What came to the end of a log, or what changed about following it. */
export interface RunLogDelta extends Partial<Pick<RunLog, 'state' | 'problem' | 'isCut'>> {
  readonly more?: {
    readonly text: string;
    readonly bytes: number;
    /** What stood between this and the text before it came too fast to be shown. */
    readonly isAfterGap?: true;
  };
}

/** In characters: some thousand lines. */
export const MAX_LOG_CHARS = 256 * 1024;
/** Cut well below the bound, so that a flood does not move all of it with each piece. */
const KEPT_LOG_CHARS = MAX_LOG_CHARS * 0.75;

export const runLogStream: StreamKind<RunLog, RunLogDelta> = {
  apply: (log, { more, ...changed }) => ({ ...added(log, more), ...changed }),
};

/** What goes are whole lines, where there are lines. */
function added(log: RunLog, more: RunLogDelta['more']): RunLog {
  if (more === undefined) return log;
  const isAfterGap = more.isAfterGap === true;
  const whole = isAfterGap ? more.text : log.text + more.text;
  const bytes = log.bytes + more.bytes;
  const isCut = log.isCut || isAfterGap;
  if (whole.length <= MAX_LOG_CHARS) return { ...log, text: whole, bytes, isCut };
  const from = whole.length - KEPT_LOG_CHARS;
  const line = whole.indexOf('\n', from) + 1;
  return { ...log, text: whole.slice(line > 0 ? line : from), bytes, isCut: true };
}
