import type { InspectedRun } from '../../../shared/teardown/inspection.ts';
import { textOf } from '../../../shared/runs/launch/run-words.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { Refusal } from '../../ui/problem-note.tsx';
import { useFates } from '../runs/pull/fates.tsx';
import { PullBar } from '../runs/pull/pull-bar.tsx';
import { PullDialog } from '../runs/pull/pull-dialog.tsx';
import { usePullOf } from '../runs/pull/use-pull.ts';
import styles from './teardown.module.css';

/** The gate itself looks at the box again once something has come home. */
const NOTHING_MORE = (): void => undefined;

interface RunResultsProps {
  readonly boxId: string;
  readonly run: InspectedRun;
  readonly isUp: boolean;
  /** Whether it can be brought home from here. */
  readonly canPull: boolean;
}

/** What one run has left, how much of it is proven to be here, and the way home for the rest. */
export function RunResults({ boxId, run, isUp, canPull }: RunResultsProps) {
  const pull = usePullOf(boxId, run.runId, NOTHING_MORE);
  const fates = useFates(boxId);
  const { files, bytes, homeFiles, homeBytes } = run;
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
          {formatCount(files, 'file')}, {formatBytes(bytes)}
          <span className={styles['note']}>
            {homeFiles === files
              ? files === 0
                ? 'nothing to bring home'
                : 'all proven to be here'
              : `${String(homeFiles)} proven to be here, ${formatBytes(bytes - homeBytes)} to go`}
          </span>
        </p>
        {canPull && (
          <Button
            size="small"
            look={homeFiles === files ? 'plain' : 'primary'}
            disabled={!isUp || pull.whyNot !== null}
            {...(pull.whyNot !== null && { title: pull.whyNot })}
            onClick={pull.choose}
          >
            Bring home…
          </Button>
        )}
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
      {pull.progress !== null && (
        <PullBar boxId={boxId} progress={pull.progress} isUp={isUp} onResume={pull.resume} />
      )}
      <Refusal problem={pull.problem} />
      {pull.plan !== null && (
        <PullDialog
          boxId={boxId}
          plan={pull.plan}
          fates={fates}
          onConfirm={pull.start}
          onClose={pull.leave}
        />
      )}
    </li>
  );
}
