import { HardDriveDownload } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Problem } from '../../../../shared/problem.ts';
import type { Interruptions } from '../../../../shared/runs/checkpoints/interruptions.ts';
import type {
  LaunchedRun,
  ResultFile,
  ResultList,
} from '../../../../shared/runs/launch/launched-run.ts';
import type { Result } from '../../../../shared/result.ts';
import type { RereadNow } from '../../../../shared/evidence/reread.ts';
import type { ResultRoot } from '../../../../shared/transfer/result-root.ts';
import type { RunProof } from '../../../../shared/transfer/pull.ts';
import { call } from '../../../state/bridge.ts';
import { Age } from '../../../ui/age.tsx';
import { Button } from '../../../ui/button.tsx';
import { CutName } from '../../../ui/cut-name.tsx';
import { formatBytes, formatCount, formatDate } from '../../../ui/format.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import { EmptyState, FailedState, LoadingState } from '../../../ui/panel-state.tsx';
import { textOf } from '../../../../shared/runs/launch/run-words.ts';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { fateColumn, useFates, type Fates } from '../pull/fates.tsx';
import { homeState } from '../../../../shared/transfer/home.ts';
import { proofWords } from '../pull/proof-words.ts';
import { rereadFiles } from '../pull/numbers/number-words.ts';
import { useReported } from '../pull/numbers/use-reported.ts';
import { ContinuousDialog } from '../pull/continuous/continuous-dialog.tsx';
import { ContinuousLine } from '../pull/continuous/continuous-line.tsx';
import { useContinuousOf, type Continuous } from '../pull/continuous/use-continuous.ts';
import { PullBar } from '../pull/pull-bar.tsx';
import { Proven } from '../pull/proven.tsx';
import { PullDialog } from '../pull/pull-dialog.tsx';
import { usePullOf, type Pull } from '../pull/use-pull.ts';
import { CheckpointsSection } from './checkpoints-section.tsx';
import { ResultTable, type ResultColumn } from './result-table.tsx';
import styles from './results-list.module.css';

interface ResultsListProps {
  readonly boxId: string;
  /** A launched run, or a folder that a person has named. */
  readonly run: LaunchedRun | ResultRoot;
  readonly isUp: boolean;
}

/** The files that lie where the results of a run were to be, and which of them are checkpoints. */
export function ResultsList({ boxId, run, isUp }: ResultsListProps) {
  const [answer, setAnswer] = useState<Result<ResultList, Problem> | null>(null);
  const [interruptions, setInterruptions] = useState<Result<Interruptions, Problem> | null>(null);
  const runId = run.id;
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    let isThere = true;
    void call('runs:results', { boxId, id: runId }).then((next) => {
      if (isThere) setAnswer(next);
    });
    void call('runs:interruptions', { boxId }).then((next) => {
      if (isThere) setInterruptions(next);
    });
    return () => {
      isThere = false;
    };
  }, [boxId, runId, asked]);
  const again = useCallback(() => {
    setAnswer(null);
    setAsked((before) => before + 1);
  }, []);
  const pull = usePullOf(boxId, runId, again);
  const continuous = useContinuousOf(boxId, runId);
  return (
    <>
      <section className={styles['results']} aria-label="Results">
        {answer === null ? (
          <LoadingState title="Listing the results…" />
        ) : answer.ok ? (
          <Listed
            {...{ boxId, pull, isUp }}
            continuous={'status' in run ? continuous : null}
            isNamed={run.results !== null}
            list={answer.value}
            onAgain={again}
          />
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
      {answer?.ok === true && answer.value.files.length > 0 && 'status' in run && (
        <CheckpointsSection list={answer.value} run={run} interruptions={interruptions} />
      )}
    </>
  );
}

interface ListedProps {
  readonly boxId: string;
  readonly pull: Pull;
  /** Null: it does not come by itself. */
  readonly continuous: Continuous | null;
  readonly list: ResultList;
  /** False: the run names no results folder, and this is what was written where it works since it began. */
  readonly isNamed: boolean;
  readonly isUp: boolean;
  readonly onAgain: () => void;
}

function Listed({ boxId, list, isNamed, pull, continuous, isUp, onAgain }: ListedProps) {
  const { folder, files, isCut } = list;
  const { proof } = pull;
  const reported = useReported(boxId, proof);
  const now = reported.answer?.ok === true ? reported.answer.value : null;
  const fates = useFates(boxId);
  const columns = useMemo(
    () => columnsWith({ list, fates, proof, now }),
    [list, fates, proof, now],
  );
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const again = (
    <Button size="small" look="quiet" disabled={!isUp} onClick={onAgain}>
      List again
    </Button>
  );
  if (files.length === 0) {
    return (
      <EmptyState
        title={isNamed ? 'No files in this folder' : 'Nothing was written here since the run began'}
        actions={again}
      >
        {!isNamed && <p>No results folder was given, so the run may save somewhere else.</p>}
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
        {!isNamed && <span className={styles['muted']}>written since the run began</span>}
        <div className={styles['ways']}>
          {again}
          {continuous?.pull === null && (
            <Button
              size="small"
              disabled={!isUp || continuous.isChoosing}
              title={
                isUp ? 'What is new comes by itself, every so often' : 'Connect to the box first'
              }
              onClick={continuous.choose}
            >
              Keep bringing…
            </Button>
          )}
          <Button
            size="small"
            disabled={!isUp || pull.whyNot !== null}
            title={isUp ? (pull.whyNot ?? undefined) : 'Connect to the box first'}
            onClick={pull.choose}
          >
            <HardDriveDownload size={14} aria-hidden /> Bring home…
          </Button>
        </div>
      </div>
      {continuous !== null && continuous.pull !== null && (
        <ContinuousLine
          {...{ boxId, isUp }}
          pull={continuous.pull}
          broughtTo={proof?.report.to ?? null}
        />
      )}
      {continuous !== null && continuous.problem !== null && (
        <ProblemNote problem={continuous.problem} />
      )}
      {continuous !== null && continuous.plan !== null && (
        <ContinuousDialog boxId={boxId} plan={continuous.plan} onClose={continuous.leave} />
      )}
      {pull.progress !== null && (
        <PullBar {...{ boxId, isUp }} progress={pull.progress} onResume={pull.resume} />
      )}
      {pull.problem !== null && <ProblemNote problem={pull.problem} />}
      {proof !== null && <Proven {...{ boxId, proof, reported }} onAccepted={pull.accepted} />}
      {pull.plan !== null && (
        <PullDialog
          {...{ boxId, fates }}
          plan={pull.plan}
          onConfirm={pull.start}
          onClose={pull.leave}
        />
      )}
      {isCut && (
        <p className={styles['muted']}>
          There are more files than one check lists: this is only a part of them, and of their size.
        </p>
      )}
      <ResultTable label="Files" rows={files} keyOf={({ path }) => path} columns={columns} />
    </>
  );
}

interface Known {
  readonly list: ResultList;
  readonly fates: Fates;
  readonly proof: RunProof | null;
  readonly now: RereadNow | null;
}

function columnsWith({ list, fates, proof, now }: Known): readonly ResultColumn<ResultFile>[] {
  const reread = rereadFiles(now);
  const proven = new Map(proof?.report.files.map((file) => [file.path, file]));
  const wordsOf = (file: ResultFile) =>
    proofWords(file, proven.get(file.path), reread.get(file.path));
  return [
    ...FILE_COLUMNS,
    ...fateColumn(
      list.folder,
      list.files,
      fates,
      (file) => homeState(file, proven.get(file.path)) === 'home',
    ),
    {
      name: 'Proof',
      look: 'held',
      titleOf: (file) => wordsOf(file).title,
      cell: (file) => {
        const { tone, words } = wordsOf(file);
        return (
          <>
            <Glyph tone={tone} /> {words}
          </>
        );
      },
    },
  ];
}

/** Checkpoints of one folder differ in their numbers and endings. */
const NAME_CHARS = 16;

const FILE_COLUMNS: readonly ResultColumn<ResultFile>[] = [
  {
    name: 'File',
    look: 'name',
    titleOf: ({ path }) => textOf(path),
    cell: ({ path }) => <CutName name={textOf(path)} tailChars={NAME_CHARS} />,
  },
  { name: 'Size', look: 'size', cell: ({ bytes }) => formatBytes(bytes) },
  {
    name: 'Changed',
    look: 'age',
    titleOf: ({ modifiedAtMs }) => formatDate(modifiedAtMs),
    cell: ({ modifiedAtMs }) => <Age atMs={modifiedAtMs} />,
  },
];
