import { ArrowLeft, FolderOpen, Square } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { isOver, type LaunchedRun } from '../../../../shared/runs/launch/launched-run.ts';
import { COPIED, whyNotCopied } from '../../../../shared/runs/launch/copy-words.ts';
import type { RunCode } from '../../../../shared/runs/launch/run-about.ts';
import type { BoxEntry } from '../../../state/box-entry.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { formatDate } from '../../../ui/format.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import { EmptyState, FailedState, LoadingState } from '../../../ui/panel-state.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { AttachButton } from '../attach-button.tsx';
import { PushLaunched } from '../push/push-action.tsx';
import { ElsewhereNote } from './elsewhere-note.tsx';
import { EndRunDialog } from './end-run-dialog.tsx';
import { lookAtRuns, runLeft, selectLaunchView, useLaunchView, useRunsOf } from './launch-view.ts';
import { LogViewer } from './log-viewer.tsx';
import { MetricsPanel } from './metrics/metrics-panel.tsx';
import { CellLog, type OpenedCell } from './queue/cell-log.tsx';
import { QueuePanel } from './queue/queue-panel.tsx';
import { RunChain } from './resume/run-chain.tsx';
import { ResultsList } from './results-list.tsx';
import { RunCost } from './run-cost.tsx';
import { RunDuration, RunTimes, StatusMark } from './run-facts.tsx';
import {
  endOf,
  isAlive,
  nameOf,
  sessionOf,
  textOf,
} from '../../../../shared/runs/launch/run-words.ts';
import styles from './runs-launched.module.css';

interface RunPageProps {
  readonly entry: BoxEntry;
  readonly runId: string;
}

/** One launched run: how it stands, its log as it grows, and what it left. */
export function RunPage({ entry, runId }: RunPageProps) {
  const boxId = entry.box.id;
  const feed = useRunsOf(boxId);
  const back = useRef<HTMLButtonElement>(null);
  const run = feed.kind === 'live' ? feed.state.runs.find(({ id }) => id === runId) : undefined;
  const isThere = run !== undefined;
  useEffect(() => back.current?.focus(), [isThere]);
  const leave = (
    <Button ref={back} size="small" onClick={() => runLeft(boxId)}>
      <ArrowLeft size={14} aria-hidden /> All runs
    </Button>
  );
  return (
    <div className={styles['page']}>
      {!isThere && <div>{leave}</div>}
      {feed.kind === 'loading' && <LoadingState title="Reading the run…" />}
      {feed.kind === 'failed' && <FailedState problem={feed.problem} />}
      {feed.kind === 'live' && run === undefined && (
        <EmptyState
          title="This run is not on the box"
          actions={
            <Button disabled={entry.link.kind !== 'up'} onClick={() => void lookAtRuns(boxId)}>
              Check again
            </Button>
          }
        >
          <p>The last check of the box did not find its folder.</p>
          {feed.state.problem !== null && <p>{feed.state.problem.message}</p>}
        </EmptyState>
      )}
      {feed.kind === 'live' && run !== undefined && (
        <>
          {feed.state.problem !== null && <ProblemNote problem={feed.state.problem} />}
          <OpenedRun
            entry={entry}
            run={run}
            runs={feed.state.runs}
            leave={leave}
            lastSeenMs={
              entry.link.kind === 'up' && feed.state.problem === null
                ? null
                : (feed.state.atMs ?? 0)
            }
          />
        </>
      )}
    </div>
  );
}

interface OpenedRunProps {
  readonly entry: BoxEntry;
  readonly run: LaunchedRun;
  /** All of the box. */
  readonly runs: readonly LaunchedRun[];
  /** The way back. */
  readonly leave: ReactNode;
  readonly lastSeenMs: number | null;
}

function OpenedRun({ entry, run, runs, leave, lastSeenMs }: OpenedRunProps) {
  const boxId = entry.box.id;
  const isUp = entry.link.kind === 'up';
  const [isEnding, setIsEnding] = useState(false);
  const [hasResults, setHasResults] = useState(false);
  const [cell, setCell] = useState<OpenedCell | null>(
    () => selectLaunchView(boxId)(useLaunchView.getState()).openedCell,
  );
  const name = nameOf(run);
  const session = sessionOf(run);
  const needsLink = isUp ? undefined : 'Connect to the box first';
  return (
    <section className={styles['opened']} aria-labelledby="opened-run">
      <div className={styles['title']}>
        {leave}
        <h2 id="opened-run" className="selectable" title={name}>
          {name}
        </h2>
        <StatusMark run={run} lastSeenMs={lastSeenMs} />
        <div className={styles['actions']}>
          {isAlive(run) && <PushLaunched boxId={boxId} run={run} />}
          {session !== null && <AttachButton boxId={boxId} session={session} />}
          <Button
            size="small"
            aria-expanded={hasResults}
            disabled={!isUp && !hasResults}
            title={needsLink}
            onClick={() => setHasResults((before) => !before)}
          >
            <FolderOpen size={14} aria-hidden />
            {hasResults ? 'Hide results' : 'Show results'}
          </Button>
          {isAlive(run) && (
            <Button
              size="small"
              look="danger"
              disabled={!isUp}
              title={needsLink}
              onClick={() => setIsEnding(true)}
            >
              <Square size={13} aria-hidden /> End run…
            </Button>
          )}
        </div>
      </div>
      {run.status.kind === 'elsewhere' && (
        <ElsewhereNote {...{ boxId, run, isUp }} status={run.status} />
      )}
      {run.queue === undefined && <RunChain boxId={boxId} run={run} runs={runs} isUp={isUp} />}
      <RunFacts boxId={boxId} run={run} lastSeenMs={lastSeenMs} />
      {hasResults && <ResultsList boxId={boxId} run={run} isUp={isUp} />}
      {run.queue !== undefined && (
        <QueuePanel
          boxId={boxId}
          run={run}
          runs={runs}
          isUp={isUp}
          openedCell={cell?.index ?? null}
          onOpenCell={setCell}
        />
      )}
      {cell === null ? (
        <>
          <MetricsPanel boxId={boxId} log={{ runId: run.id }} isAlive={isAlive(run)} />
          <LogViewer
            boxId={boxId}
            log={{ runId: run.id }}
            name={name}
            title={run.queue === undefined ? 'Log' : 'Log of the queue'}
            onWhole={() => {
              if (!isOver(run)) void lookAtRuns(boxId);
            }}
          />
        </>
      ) : (
        <CellLog
          key={cell.index}
          boxId={boxId}
          run={run}
          cell={cell}
          onClose={() => setCell(null)}
        />
      )}
      {isEnding && (
        <EndRunDialog boxId={boxId} id={run.id} name={name} onClose={() => setIsEnding(false)} />
      )}
    </section>
  );
}

interface RunFactsProps extends Pick<OpenedRunProps, 'run' | 'lastSeenMs'> {
  readonly boxId: string;
}

function RunFacts({ boxId, run, lastSeenMs }: RunFactsProps) {
  const { launchedAtMs } = run;
  return (
    <>
      <p className={classNames(styles['commandLine'], 'selectable')} title={textOf(run.command)}>
        {textOf(run.command)}
      </p>
      <dl className={styles['facts']}>
        <Fact name="Started">{launchedAtMs === null ? 'not seen' : formatDate(launchedAtMs)}</Fact>
        <Fact name={isAlive(run) ? 'Running for' : 'Ran for'}>
          <RunDuration run={run} lastSeenMs={lastSeenMs} />
        </Fact>
        {isOver(run) && (
          <Fact name="End">{endOf(run) === null ? 'not seen' : <RunTimes run={run} />}</Fact>
        )}
        <Fact name={isOver(run) ? 'Cost' : 'Cost so far'}>
          <RunCost boxId={boxId} run={run} lastSeenMs={lastSeenMs} />
        </Fact>
        {run.status.kind === 'lost' && run.status.because === 'machine-gone' && (
          <Fact name="Machine">
            {textOf(run.status.machine)}, said to be gone for good {formatDate(run.status.saidAtMs)}
          </Fact>
        )}
        <Fact name="Folder">
          <span className="mono">{textOf(run.folder)}</span>
        </Fact>
        {run.copyTo !== undefined && (
          <Fact name="Copy of the results">
            <CopyFact run={run} to={run.copyTo} />
          </Fact>
        )}
        {run.configs !== undefined && (
          <Fact name="Resolved settings">
            <span title="What the trainer wrote down of its settings while it ran: Hydra, Lightning, wandb, and the like">
              {run.configs} {run.configs === 1 ? 'file' : 'files'} kept in{' '}
              <span className="mono">{textOf(`${run.place}/config`)}</span>
            </span>
          </Fact>
        )}
        {run.code !== undefined && <CodeFact code={run.code} />}
      </dl>
      {run.overridden.length > 0 && (
        <section className={styles['over']} aria-label="Launched anyway">
          <p>
            <Glyph tone="warn" />
            <strong>Launched anyway</strong>
          </p>
          <ul>
            {run.overridden.map(({ title, says }, at) => (
              <li key={at} className="selectable">
                {textOf(title)}: {textOf(says)}
              </li>
            ))}
          </ul>
        </section>
      )}
      <details className={styles['fold']}>
        <summary>Run folder and process</summary>
        <dl className={styles['facts']}>
          <Fact name="Run folder">
            <span className={styles['place']}>
              <span className="mono">{textOf(run.place)}</span>
              <CopyButton text={run.place} label="Copy" />
            </span>
          </Fact>
          <Fact name="Process">
            {run.process === null ? 'none has begun' : run.process.pid}
            {run.detacher !== '' && `, started with ${textOf(run.detacher)}`}
          </Fact>
        </dl>
      </details>
    </>
  );
}

/** Where the results are copied to, and how that stands (U33). */
function CopyFact({ run, to }: { readonly run: LaunchedRun; readonly to: string }) {
  const { status } = run;
  const copy = 'copy' in status ? status.copy : undefined;
  const words =
    run.queue !== undefined
      ? 'a folder for each cell that has succeeded: its state says how its copy stands'
      : copy === COPIED
        ? 'read back'
        : copy !== undefined
          ? `none: ${whyNotCopied(copy)}`
          : status.kind === 'running'
            ? status.isCopying === true
              ? 'being copied'
              : 'once it has succeeded'
            : 'none: it did not succeed';
  return (
    <>
      <span className="mono">{textOf(to)}</span>, {words}
    </>
  );
}

/** The code that was read back from the folder before the run began (U42). */
function CodeFact({ code: { commit, isDirty, tree } }: { readonly code: RunCode }) {
  const changed = isDirty && ' with changes in no commit';
  return (
    <Fact name="Code">
      <span className={styles['place']}>
        <span title="Pushed before the run, and read back on the box">
          {commit === null ? (
            'from no git repository'
          ) : (
            <>
              commit <span className="mono">{textOf(commit).slice(0, SHORT_HASH)}</span>
              {changed}
            </>
          )}
          , tree <span className="mono">{textOf(tree).slice(0, SHORT_HASH)}</span>
        </span>
        <CopyButton
          text={`${commit === null ? '' : `commit ${commit}${isDirty ? ' (dirty)' : ''}\n`}tree sha256:${tree}`}
          label="Copy"
        />
      </span>
    </Fact>
  );
}

/** As git shortens a hash that people compare. */
const SHORT_HASH = 12;

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="selectable">{children}</dd>
    </div>
  );
}
