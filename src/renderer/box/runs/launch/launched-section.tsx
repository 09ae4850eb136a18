import { useId, useState } from 'react';
import type { Problem } from '../../../../shared/problem.ts';
import type { Charge } from '../../../../shared/meter/interval.ts';
import { shellWord } from '../../../../shared/shell-word.ts';
import {
  isOver,
  type LaunchedRun,
  type LaunchedRuns,
} from '../../../../shared/runs/launch/launched-run.ts';
import type { RunPosition } from '../../../../shared/runs/progress/run-metrics.ts';
import type { BoxEntry } from '../../../state/box-entry.ts';
import { logKey, useMetricsOf } from '../../../state/launched-runs.ts';
import { Age } from '../../../ui/age.tsx';
import { Button } from '../../../ui/button.tsx';
import { formatCount } from '../../../ui/format.ts';
import { ProblemNote, Refusal } from '../../../ui/problem-note.tsx';
import { AttachButton } from '../attach-button.tsx';
import { PositionBar } from './metrics/position-bar.tsx';
import { ResumeOffers } from './resume/resume-offer.tsx';
import { RunCost, useRunningCharges } from './run-cost.tsx';
import { LogFact, RunDuration, RunTimes, StatusMark } from './run-facts.tsx';
import { isAlive, nameOf, sessionOf, textOf } from '../../../../shared/runs/launch/run-words.ts';
import {
  lookAtRuns,
  runFocused,
  runOpened,
  selectLaunchView,
  useLaunchView,
  useRunsOf,
} from './launch-view.ts';
import styles from './runs-launched.module.css';

/** Of so many runs that live the log is followed for its progress while the list is shown. */
const MAX_FOLLOWED = 4;
/** Of those that are over, so many stand open. */
const SHOWN_OVER = 5;

/** What was launched on this box, from whatever computer. Nothing where there is none. */
export function LaunchedSection({ entry }: { readonly entry: BoxEntry }) {
  const boxId = entry.box.id;
  const isUp = entry.link.kind === 'up';
  const feed = useRunsOf(boxId);
  const { isLooking } = useLaunchView(selectLaunchView(boxId));
  const [refusal, setRefusal] = useState<Problem | null>(null);

  async function look(): Promise<void> {
    setRefusal(null);
    const answer = await lookAtRuns(boxId);
    if (answer?.ok === false) setRefusal(answer.error);
  }

  if (feed.kind === 'loading') return null;
  if (feed.kind === 'failed') {
    return (
      <section aria-label="Launched runs">
        <ProblemNote problem={feed.problem} />
      </section>
    );
  }
  const { atMs, runs, leftOut, behind, problem } = feed.state;
  if (runs.length === 0 && problem === null) return null;
  const isSeenNow = isUp && problem === null;
  return (
    <section className={styles['section']} aria-labelledby="launched-runs">
      <div className={styles['head']}>
        <h2 id="launched-runs">
          {runs.length === 0 ? 'Launched runs' : formatCount(runs.length, 'launched run')}
        </h2>
        <span className={styles['muted']} role="status">
          {isLooking ? 'checking…' : <Seen atMs={atMs} isSeenNow={isSeenNow} />}
        </span>
        <Button
          size="small"
          look="quiet"
          disabled={!isUp}
          aria-disabled={isLooking}
          title={isUp ? undefined : 'Connect to the box first'}
          onClick={() => void look()}
        >
          Check again
        </Button>
      </div>
      {problem !== null && <ProblemNote problem={problem} />}
      <Refusal problem={problem === null ? refusal : null} />
      <ResumeOffers boxId={boxId} runs={runs} isUp={isUp} />
      <RunList boxId={boxId} state={feed.state} lastSeenMs={isSeenNow ? null : (atMs ?? 0)} />
      {leftOut > 0 && (
        <p className={styles['muted']}>
          {formatCount(leftOut, 'older run')} on this box {leftOut === 1 ? 'is' : 'are'} over and
          not shown. The command line lists {leftOut === 1 ? 'it' : 'them'} with{' '}
          <code>{`runs list ${shellWord(entry.box.name)}${typeof behind === 'string' ? ` --before ${behind}` : ''}`}</code>
          .
        </p>
      )}
    </section>
  );
}

function Seen({ atMs, isSeenNow }: { readonly atMs: number | null; readonly isSeenNow: boolean }) {
  if (atMs === null) return 'not seen';
  return (
    <>
      {isSeenNow ? 'seen' : 'last seen'} <Age atMs={atMs} />
    </>
  );
}

interface RunListProps {
  readonly boxId: string;
  readonly state: LaunchedRuns;
  readonly lastSeenMs: number | null;
}

/** What goes on, the newest first; below it what is over, a line each, folded behind the newest few of it. */
function RunList({ boxId, state: { runs }, lastSeenMs }: RunListProps) {
  const { left } = useLaunchView(selectLaunchView(boxId));
  const alive = runs.filter(isAlive).slice(0, MAX_FOLLOWED);
  const metrics = useMetricsOf(alive.map(({ id }) => logKey(boxId, { runId: id })));
  const over = runs.filter(isOver);
  const folded = over.slice(SHOWN_OVER);
  const goOn = runs.filter((run) => !isOver(run));
  const charges = useRunningCharges(boxId);
  const lineOf = (run: LaunchedRun) => (
    <RunLine
      key={run.id}
      boxId={boxId}
      run={run}
      lastSeenMs={lastSeenMs}
      hasFocus={run.id === left}
      charges={charges}
      position={
        isAlive(run) ? (metrics.get(logKey(boxId, { runId: run.id }))?.position ?? null) : null
      }
    />
  );
  if (runs.length === 0) return null;
  return (
    <>
      {goOn.length > 0 && <ul className={styles['lines']}>{goOn.map(lineOf)}</ul>}
      {over.length > 0 && (
        <>
          <h3 id="launched-ended" className={styles['muted']}>
            {formatCount(over.length, 'ended run')}
          </h3>
          <ul className={styles['lines']} aria-labelledby="launched-ended">
            {over.slice(0, SHOWN_OVER).map(lineOf)}
          </ul>
        </>
      )}
      {folded.length > 0 && (
        <details className={styles['fold']} open={folded.some(({ id }) => id === left)}>
          <summary>{formatCount(folded.length, 'older run')}</summary>
          <ul className={styles['lines']}>{folded.map(lineOf)}</ul>
        </details>
      )}
    </>
  );
}

interface RunLineProps {
  readonly boxId: string;
  readonly run: LaunchedRun;
  readonly lastSeenMs: number | null;
  /** The person comes back from it. */
  readonly hasFocus: boolean;
  /** Null: its log counts nothing, or nobody follows it. */
  readonly position: RunPosition | null;
  /** Null: no price is set. */
  readonly charges: readonly Charge[] | null;
}

/** Of one that is over its page tells the rest. */
function RunLine({ boxId, run, lastSeenMs, hasFocus, position, charges }: RunLineProps) {
  const nameId = useId();
  const name = nameOf(run);
  const session = sessionOf(run);
  const takeFocus = (button: HTMLButtonElement | null): void => {
    if (button === null || !hasFocus) return;
    button.focus();
    runFocused(boxId);
  };
  return (
    <li className={styles['run']} aria-labelledby={nameId}>
      <div className={styles['first']}>
        <button
          ref={takeFocus}
          id={nameId}
          type="button"
          className={styles['name']}
          title={`${name}\n${textOf(run.command)}`}
          onClick={() => runOpened(boxId, run.id)}
        >
          {name}
        </button>
        <StatusMark run={run} lastSeenMs={lastSeenMs} />
        <span className={styles['times']}>
          {isOver(run) && (
            <>
              ran for <RunDuration run={run} lastSeenMs={lastSeenMs} />
              {' · '}
            </>
          )}
          <RunTimes run={run} />
        </span>
        {session !== null && <AttachButton boxId={boxId} session={session} />}
      </div>
      {!isOver(run) && <About {...{ boxId, run, lastSeenMs }} isPriced={charges !== null} />}
      {position !== null && (
        <PositionBar position={position} isAlive={lastSeenMs === null} charges={charges} />
      )}
    </li>
  );
}

interface AboutProps extends Pick<RunLineProps, 'boxId' | 'run' | 'lastSeenMs'> {
  readonly isPriced: boolean;
}

function About({ boxId, run, lastSeenMs, isPriced }: AboutProps) {
  return (
    <>
      <p className={styles['commandLine']} title={textOf(run.command)}>
        {textOf(run.command)}
      </p>
      <p className={styles['about']}>
        <span className={styles['folder']} title={textOf(run.folder)}>
          {textOf(run.folder)}
        </span>
        <span>
          {isAlive(run) ? 'running for ' : 'ran for '}
          <RunDuration run={run} lastSeenMs={lastSeenMs} />
        </span>
        <span>
          log: <LogFact run={run} />
        </span>
        {isPriced && isAlive(run) && (
          <span>
            cost: <RunCost {...{ boxId, run, lastSeenMs }} />
          </span>
        )}
      </p>
    </>
  );
}
