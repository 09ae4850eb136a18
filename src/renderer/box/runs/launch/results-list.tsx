import { useCallback, useEffect, useState } from 'react';
import type { Problem } from '../../../../shared/problem.ts';
import type {
  LaunchedRun,
  ResultFile,
  ResultList,
} from '../../../../shared/runs/launch/launched-run.ts';
import type { Result } from '../../../../shared/result.ts';
import { selectCheckpoints } from '../../../../shared/runs/checkpoints/checkpoints.ts';
import { call } from '../../../state/bridge.ts';
import { Age } from '../../../ui/age.tsx';
import { Button } from '../../../ui/button.tsx';
import { formatBytes, formatCount, formatDate } from '../../../ui/format.ts';
import { EmptyState, FailedState, LoadingState } from '../../../ui/panel-state.tsx';
import { textOf } from '../../../../shared/runs/launch/run-words.ts';
import { checkpointsNoted } from '../run-marks.ts';
import { CheckpointsSection } from './checkpoints-section.tsx';
import { ResultTable, type ResultColumn } from './result-table.tsx';
import styles from './results-list.module.css';

interface ResultsListProps {
  readonly boxId: string;
  readonly run: LaunchedRun;
  /** All of the box. */
  readonly runs: readonly LaunchedRun[];
  readonly lookedAtMs: number | null;
  readonly isUp: boolean;
}

/** The files that lie where the results of a run were to be, and which of them are checkpoints. */
export function ResultsList({ boxId, run, runs, lookedAtMs, isUp }: ResultsListProps) {
  const [answer, setAnswer] = useState<Result<ResultList, Problem> | null>(null);
  const runId = run.id;
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    let isThere = true;
    void call('runs:results', { boxId, id: runId }).then((next) => {
      if (next.ok) checkpointsNoted(boxId, runId, selectCheckpoints(next.value.files));
      if (isThere) setAnswer(next);
    });
    return () => {
      isThere = false;
    };
  }, [boxId, runId, asked]);
  const again = useCallback(() => {
    setAnswer(null);
    setAsked((before) => before + 1);
  }, []);
  return (
    <>
      <section className={styles['results']} aria-label="Results">
        {answer === null ? (
          <LoadingState title="Listing the results…" />
        ) : answer.ok ? (
          <Listed list={answer.value} isUp={isUp} onAgain={again} />
        ) : (
          <FailedState
            problem={answer.error}
            actions={
              <Button disabled={!isUp} onClick={again}>
                Try again
              </Button>
            }
          />
        )}
      </section>
      {answer?.ok === true && answer.value.files.length > 0 && (
        <CheckpointsSection list={answer.value} run={run} runs={runs} lookedAtMs={lookedAtMs} />
      )}
    </>
  );
}

interface ListedProps {
  readonly list: ResultList;
  readonly isUp: boolean;
  readonly onAgain: () => void;
}

function Listed({ list: { folder, files, isCut }, isUp, onAgain }: ListedProps) {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const again = (
    <Button size="small" look="quiet" disabled={!isUp} onClick={onAgain}>
      List again
    </Button>
  );
  if (files.length === 0) {
    return (
      <EmptyState title="No files in the results folder" actions={again}>
        <p className={styles['path']}>{textOf(folder)}</p>
      </EmptyState>
    );
  }
  return (
    <>
      <div className={styles['head']}>
        <h3>{formatCount(files.length, 'file')}</h3>
        <span className={styles['muted']}>{formatBytes(total)}</span>
        <span className={styles['path']} title={textOf(folder)}>
          {textOf(folder)}
        </span>
        {again}
      </div>
      {isCut && (
        <p className={styles['muted']}>
          There are more files than one look lists: this is only a part of them, and of their size.
        </p>
      )}
      <ResultTable label="Files" rows={files} keyOf={({ path }) => path} columns={FILE_COLUMNS} />
    </>
  );
}

const FILE_COLUMNS: readonly ResultColumn<ResultFile>[] = [
  {
    name: 'File',
    look: 'name',
    titleOf: ({ path }) => textOf(path),
    cell: ({ path }) => textOf(path),
  },
  { name: 'Size', look: 'size', cell: ({ bytes }) => formatBytes(bytes) },
  {
    name: 'Changed',
    look: 'age',
    titleOf: ({ modifiedAtMs }) => formatDate(modifiedAtMs),
    cell: ({ modifiedAtMs }) => <Age atMs={modifiedAtMs} />,
  },
];
