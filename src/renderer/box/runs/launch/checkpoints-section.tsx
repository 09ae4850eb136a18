import { useMemo, useState } from 'react';
import {
  judgeLateness,
  judgeSaving,
  selectCheckpoints,
  type Checkpoint,
  type Saving,
} from '../../../../shared/runs/checkpoints/checkpoints.ts';
import type { Interruptions } from '../../../../shared/runs/checkpoints/interruptions.ts';
import {
  adviceWords,
  cadenceWords,
  fixedEndWords,
  interruptionWords,
  saveTimeWords,
} from '../../../../shared/runs/checkpoints/save-words.ts';
import type { Problem } from '../../../../shared/problem.ts';
import type { Result } from '../../../../shared/result.ts';
import {
  isOver,
  type LaunchedRun,
  type ResultList,
} from '../../../../shared/runs/launch/launched-run.ts';
import { isAlive, textOf } from '../../../../shared/runs/launch/run-words.ts';
import { Age } from '../../../ui/age.tsx';
import { Field } from '../../../ui/field.tsx';
import { formatBytes, formatCount, formatDate, formatDuration } from '../../../ui/format.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import { enteredMs, FIGURES, heldWords } from './checkpoint-words.ts';
import { ResultTable, type ResultColumn } from './result-table.tsx';
import styles from './results-list.module.css';

interface CheckpointsSectionProps {
  readonly list: ResultList;
  readonly run: LaunchedRun;
  /** Of its box; null: they are being read. */
  readonly interruptions: Result<Interruptions, Problem> | null;
}

const COLUMNS: readonly ResultColumn<Checkpoint>[] = [
  { name: 'Holds', look: 'held', cell: heldWords },
  {
    name: 'File',
    look: 'name',
    titleOf: ({ path, files }) =>
      files === 1 ? textOf(path) : `${textOf(path)}: ${formatCount(files, 'file')}`,
    cell: ({ path }) => textOf(path),
  },
  { name: 'Size', look: 'size', cell: ({ bytes }) => formatBytes(bytes) },
  {
    name: 'Written',
    look: 'age',
    titleOf: ({ writtenAtMs }) => formatDate(writtenAtMs),
    cell: ({ writtenAtMs }) => <Age atMs={writtenAtMs} />,
  },
];

/** Which of the results are checkpoints, how often the run saves, and how often it would best. */
export function CheckpointsSection({ list, run, interruptions }: CheckpointsSectionProps) {
  const checkpoints = useMemo(
    () => selectCheckpoints(list.files, run.keeps?.checkpoints),
    [list.files, run.keeps],
  );
  const saving = useMemo(() => judgeSaving(checkpoints), [checkpoints]);
  if (checkpoints.length === 0) return <NoCheckpoints />;
  const total = checkpoints.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <section className={styles['results']} aria-label="Checkpoints">
      <div className={styles['head']}>
        <h3>{formatCount(checkpoints.length, 'checkpoint')}</h3>
        <span className={styles['muted']}>{formatBytes(total)}</span>
      </div>
      <Lateness newest={checkpoints[0]} saving={saving} run={run} listedAtMs={list.atMs} />
      {list.isCut && (
        <p className={styles['muted']}>Only a part of the files is listed: some may be missing.</p>
      )}
      <SaveAdvice saving={saving} told={interruptions} hasEnded={isOver(run)} />
      <ResultTable
        label="Checkpoint files"
        rows={checkpoints}
        keyOf={({ path }) => path}
        columns={COLUMNS}
      />
    </section>
  );
}

function NoCheckpoints() {
  return (
    <details className={styles['fold']}>
      <summary>No file looks like a checkpoint</summary>
      <p>
        Checkpoints are files that end in <code>.pt</code>, <code>.pth</code>, <code>.ckpt</code>,{' '}
        <code>.safetensors</code>, <code>.keras</code> or <code>.weights.h5</code>, and folders such
        as <code>checkpoint-500</code>, <code>global_step500</code> or <code>epoch_3</code> with
        such files, or with <code>.bin</code> or <code>.distcp</code> files, in them; and whatever
        the request of a run names as its checkpoints.
      </p>
    </details>
  );
}

interface LatenessProps {
  readonly newest: Checkpoint | undefined;
  readonly saving: Saving;
  readonly run: LaunchedRun;
  readonly listedAtMs: number;
}

function Lateness({ newest, saving, run, listedAtMs }: LatenessProps) {
  const { launchedAtMs } = run;
  const lateMs = isAlive(run)
    ? judgeLateness(newest, saving, { launchedAtMs, atMs: listedAtMs })
    : null;
  return (
    <p className={styles['late']} role="status">
      {lateMs !== null && saving.everyMs !== null && (
        <>
          <Glyph tone="warn" />
          {`No checkpoint for ${formatDuration(lateMs)} when this was listed; usually one comes every ${formatDuration(saving.everyMs)}.`}
        </>
      )}
    </p>
  );
}

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

interface SaveAdviceProps {
  readonly saving: Saving;
  /** The run saves no more. */
  readonly hasEnded: boolean;
  readonly told: Result<Interruptions, Problem> | null;
}

const NONE_KNOWN: Interruptions = { count: 0, watchedMs: 0, fixedEnd: null };

function SaveAdvice({ saving, told, hasEnded }: SaveAdviceProps) {
  const [saveText, setSaveText] = useState('');
  const [meanText, setMeanText] = useState('');
  const interruptions = told?.ok === true ? told.value : NONE_KNOWN;
  const saveMs = enteredMs(saveText, SECOND_MS) ?? saving.saveMs;
  const timer = fixedEndWords(interruptions, FIGURES);
  return (
    <>
      <dl className={styles['facts']}>
        <div>
          <dt>Cadence</dt>
          <dd>{cadenceWords(saving, FIGURES)}</dd>
        </div>
        <div>
          <dt>Save time</dt>
          <dd title="From the time of the first file of a checkpoint folder to that of its last, so at least that long. A single file does not tell.">
            {saveTimeWords(saving, FIGURES)}
          </dd>
        </div>
        <div>
          <dt>Interruptions of this box</dt>
          <dd title={COUNTED}>
            {told === null
              ? 'Reading…'
              : told.ok
                ? interruptionWords(interruptions, FIGURES)
                : `unknown: ${told.error.message}`}
          </dd>
        </div>
        {timer !== null && (
          <div>
            <dt>Timer of the platform</dt>
            <dd>{timer}</dd>
          </div>
        )}
      </dl>
      <p className={styles['advice']} title={FORMULA}>
        {told !== null &&
          adviceWords(
            {
              saving,
              saveMs,
              interruptions,
              enteredMs: enteredMs(meanText, HOUR_MS),
              isOver: hasEnded,
            },
            FIGURES,
          )}
      </p>
      <details className={styles['fold']}>
        <summary>How this is worked out</summary>
        <p>{FORMULA}</p>
        <p>{COUNTED}</p>
        <div className={styles['fields']}>
          <Field
            label="Save time, seconds"
            inputMode="decimal"
            placeholder={saving.saveMs === null ? 'not known' : formatDuration(saving.saveMs)}
            value={saveText}
            error={faultOf(saveText)}
            onValue={setSaveText}
          />
          <Field
            label="Time between interruptions, hours"
            inputMode="decimal"
            placeholder="as this box had them"
            value={meanText}
            error={faultOf(meanText)}
            onValue={setMeanText}
          />
        </div>
      </details>
    </>
  );
}

const COUNTED =
  'Counted are restarts of the box and of its container, runs that a restart, a kill or the platform cut off, and cards that failed under a run; over the time in which the box was up. Stops that you entered count only where a run was lost to them, or where the platform did it: one of its timers was due within the hour, or the box is entered as one that it may take back and something ran there; and Leasehold did not end it. Behind them stands between which times the true mean lies in 90 cases of 100.';

const FORMULA =
  'Young’s first-order approximation (Young/Daly): the square root of 2 × the mean time between interruptions × the time of one save. More interruptions: save more often. Slower saves: less often. Of several workers that each lose their work, save more often than that. A save takes longer than the times of its files tell, so the best interval is rather longer than what follows from them.';

function faultOf(text: string): string | null {
  return text.trim() === '' || enteredMs(text, 1) !== null ? null : 'Enter a number above 0.';
}
