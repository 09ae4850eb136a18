import { ListPlus, Pause, Play, RotateCw, Square } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Problem } from '../../../../../shared/problem.ts';
import {
  isOver,
  type LaunchedRun,
  type LaunchedRuns,
} from '../../../../../shared/runs/launch/launched-run.ts';
import { textOf } from '../../../../../shared/runs/launch/run-words.ts';
import { canResume } from '../../../../../shared/runs/resume/resume-offer.ts';
import {
  cellsToRun,
  judgeCell,
  type CellState,
  type QueueView,
} from '../../../../../shared/runs/queue/queue-view.ts';
import { changedCodeWords, tallyOf } from '../../../../../shared/runs/queue/queue-words.ts';
import { call } from '../../../../state/bridge.ts';
import { useRunQueue } from '../../../../state/launched-runs.ts';
import { Button } from '../../../../ui/button.tsx';
import { formatCount, formatNumber } from '../../../../ui/format.ts';
import { Glyph } from '../../../../ui/glyph.tsx';
import { FailedState, LoadingState } from '../../../../ui/panel-state.tsx';
import { ProblemNote, Refusal } from '../../../../ui/problem-note.tsx';
import { runOpened, runsAnswered } from '../launch-view.ts';
import { AddCellsDialog } from './add-cells-dialog.tsx';
import type { OpenedCell } from './cell-log.tsx';
import { CellTable } from './cell-table.tsx';
import { QueueEndNote } from './queue-end-note.tsx';
import { RunningCells } from './running-cells.tsx';
import styles from './queue.module.css';
import { ResumeDialog } from '../resume/resume-dialog.tsx';

interface QueuePanelProps {
  readonly boxId: string;
  readonly run: LaunchedRun;
  readonly runs: LaunchedRuns['runs'];
  readonly isUp: boolean;
  /** The index of the cell whose log is shown; null: none is. */
  readonly openedCell: number | null;
  readonly onOpenCell: (cell: OpenedCell) => void;
}

/** The cells of a queue, and what a person may ask of it. */
export function QueuePanel(props: QueuePanelProps) {
  const feed = useRunQueue(props.boxId, props.run.id);
  return (
    <section className={styles['panel']} aria-label="Queue">
      {feed.kind === 'loading' && <LoadingState title="Reading the queue…" />}
      {feed.kind === 'failed' && <FailedState problem={feed.problem} />}
      {feed.kind === 'live' && feed.state.atMs === null && feed.state.problem === null && (
        <LoadingState title="Reading the queue…" />
      )}
      {feed.kind === 'live' && feed.state.problem !== null && (
        <ProblemNote problem={feed.state.problem} />
      )}
      {feed.kind === 'live' && feed.state.atMs !== null && (
        <ReadQueue {...props} queue={feed.state} />
      )}
    </section>
  );
}

function ReadQueue({
  boxId,
  run,
  runs,
  isUp,
  queue,
  openedCell,
  onOpenCell,
}: QueuePanelProps & { readonly queue: QueueView }) {
  const { cells, marks } = queue;
  const isAlive = !isOver(run);
  // What another machine goes through is told as its journal has it, and as nothing that is seen now.
  const elsewhere = run.status.kind === 'elsewhere' ? textOf(run.status.machine) : null;
  const isSeenNow = isUp && queue.problem === null && elsewhere === null;
  const states = useMemo(
    () => cells.map((cell, at) => judgeCell(cell, marks[at + 1], isAlive)),
    [cells, marks, isAlive],
  );
  const [dialog, setDialog] = useState<'add' | 'resume' | null>(null);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const next = run.queue?.next ?? null;
  const left = useMemo(() => cellsToRun({ cells, marks }).length, [cells, marks]);
  const isResumable = left > 0 && canResume(run, runs);
  const changedCode = useMemo(() => changedCodeWords(marks), [marks]);
  const needsLink = isUp ? undefined : 'Connect to the box first';

  async function wish(what: 'pause' | 'go-on' | 'stop'): Promise<void> {
    setIsAsking(true);
    const answer = await call('runs:wish-queue', { boxId, id: run.id, wish: what });
    setIsAsking(false);
    setRefusal(answer.ok ? null : answer.error);
    if (answer.ok) runsAnswered(boxId, answer.value);
  }

  return (
    <>
      <div className={styles['bar']}>
        <h3>Queue</h3>
        <span className={styles['tally']} role="status">
          {tallyWords(states, elsewhere !== null)}
        </span>
        <div className={styles['actions']}>
          {isAlive && (
            <>
              <Button
                size="small"
                disabled={!isUp || isAsking || queue.isStopping}
                title={needsLink ?? 'What runs goes on; no further cell begins'}
                onClick={() => void wish(queue.isPaused ? 'go-on' : 'pause')}
              >
                {queue.isPaused ? <Play size={13} aria-hidden /> : <Pause size={13} aria-hidden />}
                {queue.isPaused ? 'Continue' : 'Pause'}
              </Button>
              <Button
                size="small"
                disabled={!isUp || isAsking || queue.isStopping}
                title={needsLink ?? 'The queue ends once what runs is over'}
                onClick={() => void wish('stop')}
              >
                <Square size={13} aria-hidden /> Stop after{' '}
                {queue.slots > 1 ? 'these cells' : 'this cell'}
              </Button>
            </>
          )}
          <Button size="small" disabled={!isUp} title={needsLink} onClick={() => setDialog('add')}>
            <ListPlus size={14} aria-hidden /> Add cells…
          </Button>
          {isResumable && (
            <Button
              size="small"
              look="primary"
              disabled={!isUp}
              title={needsLink}
              onClick={() => setDialog('resume')}
            >
              <RotateCw size={13} aria-hidden /> Resume queue…
            </Button>
          )}
        </div>
      </div>
      {isAlive && (queue.isPaused || queue.isStopping) && (
        <p className={styles['note']}>
          <Glyph tone="wait" />
          {queue.isStopping
            ? 'Stopping: no further cell begins.'
            : 'Paused: no further cell begins until you continue.'}
        </p>
      )}
      {isAlive && isSeenNow && <QueueEndNote boxId={boxId} states={states} {...queue} />}
      {elsewhere !== null && isResumable && (
        <p className={styles['note']}>
          <Glyph tone="unknown" />
          Resume the queue once you know that {elsewhere} runs it no more.
        </p>
      )}
      {!isAlive && isResumable && (
        <p className={styles['note']}>
          <Glyph tone="warn" />
          {formatCount(left, 'cell')} {left === 1 ? 'has' : 'have'} not finished.{' '}
          {leftWords(left, tallyOf(states).uncopied)}
        </p>
      )}
      {changedCode !== null && (
        <p className={styles['note']}>
          <Glyph tone="warn" />
          {changedCode}
        </p>
      )}
      {run.startsAgain === true && <StartsAgain run={run} />}
      {next !== null && (
        <p className={styles['note']}>
          <Glyph tone="info" />
          Another run has gone on with this queue.
          <Button size="small" onClick={() => runOpened(boxId, next)}>
            Show that run
          </Button>
        </p>
      )}
      <Refusal problem={refusal} />
      <RunningCells
        {...{ boxId, cells, states, isSeenNow }}
        opened={openedCell}
        onOpen={onOpenCell}
      />
      <CellTable
        cells={cells}
        states={states}
        isSeenNow={isSeenNow}
        opened={openedCell}
        onOpen={onOpenCell}
      />
      {dialog === 'add' && (
        <AddCellsDialog
          boxId={boxId}
          id={run.id}
          cells={cells}
          isAlive={elsewhere === null ? isAlive : null}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'resume' && (
        <ResumeDialog boxId={boxId} run={run} isUp={isUp} onClose={() => setDialog(null)} />
      )}
    </>
  );
}

const ENDS = new Set<LaunchedRun['status']['kind']>(['done', 'failed', 'ended', 'never-started']);

/** Its line is in the crontab of the box; of a run that is over for good it no longer should be. */
function StartsAgain({ run: { status, isDeclined } }: { readonly run: LaunchedRun }) {
  const isLeft = ENDS.has(status.kind) || isDeclined === true;
  return (
    <p className={styles['note']}>
      <Glyph tone={isLeft ? 'warn' : 'info'} />
      {isLeft
        ? 'The line that would start it again is still in your crontab on the box. It starts nothing; remove it there with “crontab -e”.'
        : 'Starts again by itself after a restart of the box, by a line in your crontab there.'}
    </p>
  );
}

/** What resuming does: what has run is not run again. */
function leftWords(left: number, uncopied: number): string {
  const them = (count: number): string => (count === 1 ? 'it' : 'them');
  if (uncopied === 0) return `Resume the queue to run ${them(left)}.`;
  const results =
    left === uncopied
      ? `copy ${left === 1 ? 'its' : 'their'} results`
      : `copy the results of ${String(uncopied)}`;
  if (left === uncopied) return `Resume the queue to ${results}; nothing runs again.`;
  return `Resume the queue to ${results}, which ${uncopied === 1 ? 'has' : 'have'} run, and to run the ${left - uncopied === 1 ? 'other' : 'others'}.`;
}

/** `isElsewhere`: what runs is only what another machine has written down last. */
function tallyWords(states: readonly CellState[], isElsewhere: boolean): string {
  const { done, failed, running, copying, interrupted, uncopied, waiting, commented } =
    tallyOf(states);
  const part = (count: number, words: string): readonly string[] =>
    count === 0 ? [] : [`${formatNumber(count)} ${words}`];
  return [
    `${formatNumber(done)} of ${formatCount(states.length - commented, 'cell')} done`,
    ...part(failed, 'failed'),
    ...part(uncopied, 'not copied'),
    ...part(running, isElsewhere ? 'begun' : 'running'),
    ...part(copying, isElsewhere ? 'to be copied' : 'copying'),
    ...part(interrupted, 'interrupted'),
    ...part(waiting, 'waiting'),
    ...part(commented, 'left out'),
  ].join(' · ');
}
