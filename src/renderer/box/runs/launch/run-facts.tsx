import type { LaunchedRun } from '../../../../shared/runs/launch/launched-run.ts';
import { Age, Elapsed } from '../../../ui/age.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { formatBytes, formatDate, formatDuration } from '../../../ui/format.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import styles from './runs-launched.module.css';
import { endOf, isAlive, statusWords } from '../../../../shared/runs/launch/run-words.ts';

interface RunPartProps {
  readonly run: LaunchedRun;
  /** Null: the box was just looked at; else when that was last. */
  readonly lastSeenMs: number | null;
}

export function StatusMark({ run, lastSeenMs }: RunPartProps) {
  const { tone, words, title } = statusWords(run, lastSeenMs === null);
  return (
    <span className={classNames(styles['status'], styles[tone])} title={title}>
      <Glyph tone={tone} />
      {words}
    </span>
  );
}

/** `started 2 h ago`, `ended 3 min ago`. */
export function RunTimes({ run }: { readonly run: LaunchedRun }) {
  const endMs = endOf(run);
  if (endMs !== null) {
    return (
      <span title={formatDate(endMs)}>
        ended <Age atMs={endMs} />
      </span>
    );
  }
  if (run.launchedAtMs === null) return 'start not seen';
  return (
    <span title={formatDate(run.launchedAtMs)}>
      started <Age atMs={run.launchedAtMs} />
    </span>
  );
}

/** Its start or its end was seen by nobody. */
const UNSEEN_TIME = 'an unrecorded time';

/** How long it runs or ran; it ticks only where the run is seen running. */
export function RunDuration({ run, lastSeenMs }: RunPartProps) {
  const { launchedAtMs } = run;
  if (launchedAtMs === null) return UNSEEN_TIME;
  const endMs = endOf(run);
  if (endMs !== null) return formatDuration(endMs - launchedAtMs);
  if (!isAlive(run)) return UNSEEN_TIME;
  if (lastSeenMs === null) return <Elapsed sinceMs={launchedAtMs} />;
  return `at least ${formatDuration(lastSeenMs - launchedAtMs)}`;
}

export function LogFact({ run: { log } }: { readonly run: LaunchedRun }) {
  if (log === null) return 'no log';
  return (
    <>
      {formatBytes(log.bytes)}, written{' '}
      <span title={formatDate(log.modifiedAtMs)}>
        <Age atMs={log.modifiedAtMs} />
      </span>
    </>
  );
}
