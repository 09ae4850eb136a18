import type { ReactNode } from 'react';
import type { InspectedRun } from '../../../shared/teardown/inspection.ts';
import { textOf } from '../../../shared/runs/launch/run-words.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { Refusal } from '../../ui/problem-note.tsx';
import { useFates } from '../runs/pull/fates.tsx';
import { PullBar } from '../runs/pull/pull-bar.tsx';
import { PullDialog } from '../runs/pull/pull-dialog.tsx';
import { usePullOf } from '../runs/pull/use-pull.ts';
import { WaitingCost } from './waiting-cost.tsx';
import styles from './teardown.module.css';

interface RunResultsProps {
  readonly run: InspectedRun;
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

/** What one run has left, and how much of it is proven to be here. */
export function RunResults({ run, action, children }: RunResultsProps) {
  const { files, homeFiles } = run;
  return (
    <li className={styles['run']}>
      <div className={styles['runHead']}>
        <div>
          <p className={styles['says']}>{textOf(run.runName)}</p>
          <p className={styles['note']}>
            <span className="mono selectable">{textOf(run.path)}</span>
          </p>
        </div>
        <p className={styles['figures']}>
          {formatCount(files, 'file')}, {formatBytes(run.bytes)}
          <span className={styles['note']}>{homeWords(run)}</span>
        </p>
        {action}
      </div>
      <progress
        aria-label={`Proven of ${textOf(run.runName)}`}
        max={Math.max(1, files)}
        value={files === 0 ? 1 : homeFiles}
      />
      {run.to !== null && (
        <p className={styles['note']}>
          Here: <span className="mono selectable">{run.to}</span>
        </p>
      )}
      {children}
    </li>
  );
}

function homeWords({ files, bytes, homeFiles, homeBytes, away }: InspectedRun): string {
  if (away !== undefined && files === 0) {
    return `not on the box any more; ${formatCount(away.files, 'file')} here, ${formatBytes(away.bytes)}`;
  }
  if (files === 0) return 'nothing to bring home';
  const gone =
    away === undefined ? '' : `; ${formatCount(away.files, 'file')} that the box has no more, too`;
  if (homeFiles === files) return `all proven to be here${gone}`;
  return `${formatCount(homeFiles, 'file')} proven to be here, ${formatBytes(bytes - homeBytes)} to go${gone}`;
}

const whyNoMore = ({ files, away }: InspectedRun): string | null =>
  away === undefined || files > 0 ? null : 'Nothing lies there now';

interface RunToPullProps {
  readonly boxId: string;
  readonly run: InspectedRun;
  readonly isUp: boolean;
}

/** The gate itself looks at the box again once something has come home. */
const NOTHING_MORE = (): void => undefined;

/** The same with the way home for the rest. */
export function RunToPull({ boxId, run, isUp }: RunToPullProps) {
  const pull = usePullOf(boxId, run.runId, NOTHING_MORE);
  const fates = useFates(boxId);
  const whyNot = isUp ? (whyNoMore(run) ?? pull.whyNot) : 'Connect to the box first';
  return (
    <RunResults
      run={run}
      action={
        <Button
          size="small"
          look={run.homeFiles === run.files ? 'plain' : 'primary'}
          disabled={whyNot !== null}
          {...(whyNot !== null && { title: whyNot })}
          onClick={pull.choose}
        >
          Bring home…
        </Button>
      }
    >
      {pull.progress !== null && (
        <>
          <PullBar boxId={boxId} progress={pull.progress} isUp={isUp} onResume={pull.resume} />
          <WaitingCost
            {...{ boxId }}
            doneBytes={pull.progress.doneBytes}
            bytes={pull.progress.bytes}
          />
        </>
      )}
      <Refusal problem={pull.problem} />
      {pull.plan !== null && (
        <PullDialog
          {...{ boxId, fates }}
          plan={pull.plan}
          onConfirm={pull.start}
          onClose={pull.leave}
        />
      )}
    </RunResults>
  );
}
