import { BookOpen, Play, Radar } from 'lucide-react';
import { Fragment, Suspense, useEffect, type ReactNode } from 'react';
import type {
  GoneRun,
  PatrolSeen,
  PatrolState,
  SeenRun,
} from '../../../shared/patrol/patrol-state.ts';
import { processKey } from '../../../shared/runs/process-ref.ts';
import { plainLine } from '../../../shared/questions/hostile-text.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { SweepsOfBox } from '../../sweeps/sweep-lines.tsx';
import { usePatrol } from '../../state/patrol.ts';
import { overlayOpened } from '../../state/view.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { useClock } from '../../ui/clock.ts';
import { formatBytes, formatCount, formatDate, formatQuantity } from '../../ui/format.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { EmptyState, FailedState, LoadingState } from '../../ui/panel-state.tsx';
import { ProblemNote, Refusal } from '../../ui/problem-note.tsx';
import { CheckButton } from '../cards/check-button.tsx';
import { GoneCard } from './gone-card.tsx';
import { LaunchButton } from './launch/launch-button.tsx';
import { lookAtRuns, selectLaunchView, useLaunchView, useRunsOf } from './launch/launch-view.ts';
import { LaunchedSection } from './launch/launched-section.tsx';
import { lastWords, nextWords, PACE_WORDS } from './patrol-words.ts';
import { RunCard } from './run-card.tsx';
import styles from './runs.module.css';
import { usePatrolNow } from './use-patrol-now.ts';
import { withoutLaunched } from './without-launched.ts';

const PushSection = lazyPart(async () => (await import('./push/push-section.tsx')).PushSection);
const FoldersSection = lazyPart(
  async () => (await import('./folders/folders-section.tsx')).FoldersSection,
);
const SentinelsSection = lazyPart(
  async () => (await import('./sentinels/sentinels-section.tsx')).SentinelsSection,
);

const RunPage = lazyPart(async () => (await import('./launch/run-page.tsx')).RunPage);

/** What was launched on the box and what runs there, or the one launched run that was opened. */
export function RunsTab({ entry }: { readonly entry: BoxEntry }) {
  const boxId = entry.box.id;
  const { opened } = useLaunchView(selectLaunchView(boxId));
  const feed = usePatrol(boxId);
  const isUp = entry.link.kind === 'up';
  const isKnown = feed.kind !== 'loading';
  const patrolledAtMs = feed.kind === 'live' ? (feed.state.seen?.atMs ?? 0) : 0;
  // The box is asked when it is reached, and after each patrol: a run may have ended.
  useEffect(() => {
    if (isUp && isKnown) void lookAtRuns(boxId);
  }, [boxId, isUp, isKnown, patrolledAtMs]);
  if (opened !== null) {
    return (
      <Suspense fallback={<LoadingState title="Opening…" />}>
        <RunPage key={opened} entry={entry} runId={opened} />
      </Suspense>
    );
  }
  const launched = (
    <Fragment key="launched">
      <SweepsOfBox boxId={boxId} />
      <LaunchedSection entry={entry} />
    </Fragment>
  );
  return (
    <div className={styles['runs']}>
      {feed.kind === 'live' ? (
        <Patrolled entry={entry} state={feed.state} launched={launched} />
      ) : (
        <>
          {launched}
          {feed.kind === 'loading' ? (
            <LoadingState title="Reading the last check…" />
          ) : (
            <FailedState problem={feed.problem} actions={<LaunchButton entry={entry} />} />
          )}
        </>
      )}
    </div>
  );
}

interface PatrolledProps {
  readonly entry: BoxEntry;
  readonly state: PatrolState;
  /** Above what was merely seen. */
  readonly launched: ReactNode;
}

/** What runs on the box as the last patrol saw it, and the runs that are gone. */
function Patrolled({ entry, state, launched }: PatrolledProps) {
  const { id: boxId, platform } = entry.box;
  const { refusal, start } = usePatrolNow(boxId);
  const launchedFeed = useRunsOf(boxId);
  const launchedRuns = launchedFeed.kind === 'live' ? launchedFeed.state.runs : [];
  const now = <PatrolNow state={state} onStart={start} />;
  // Keyed: what a person fills in there outlives the first patrol.
  const waiting = (
    <Fragment key="waiting">
      <Suspense fallback={null}>
        <FoldersSection entry={entry} />
      </Suspense>
      <Suspense fallback={null}>
        <SentinelsSection boxId={boxId} />
      </Suspense>
      <Suspense fallback={null}>
        <PushSection entry={entry} state={state} launched={launchedRuns} />
      </Suspense>
    </Fragment>
  );
  if (state.seen === null) {
    return (
      <>
        {launched}
        <NothingSeen {...{ entry, state }} action={now} hasLaunched={launchedRuns.length > 0} />
        {waiting}
      </>
    );
  }
  const { failed, gone } = state;
  const all = state.seen;
  const seen = withoutLaunched(all, launchedRuns);
  const hasLaunched = launchedRuns.length > 0;
  const hasMore = seen.runs.length > 0;
  const isOff = state.phase.kind === 'off';
  return (
    <>
      <div className={styles['bar']}>
        <PatrolLine state={state} />
        <div className={styles['actions']}>
          {(hasMore || hasLaunched) && <LaunchButton entry={entry} />}
          <Button
            size="small"
            title="How to go on when a run or the box is gone: markers, commands, the first thing to do"
            onClick={() => overlayOpened({ kind: 'recovery', boxId })}
          >
            <BookOpen size={14} aria-hidden /> Recovery handbook…
          </Button>
          {now}
        </div>
      </div>
      <Refusal problem={refusal} />
      {failed !== null && (
        <div>
          <ProblemNote problem={failed.problem} />
          <p className={styles['muted']}>
            {formatCount(failed.times, 'check')} in a row failed, which says nothing about the runs.
            What is shown was seen <Age atMs={seen.atMs} />.
          </p>
        </div>
      )}
      {launched}
      {hasMore && <Running {...{ entry, seen, hasLaunched }} isOff={isOff} />}
      {!hasMore && !hasLaunched && gone.length > 0 && seen.isWhole && <p>No run is going on.</p>}
      {gone.length > 0 && (
        <section aria-labelledby="runs-ended" className={styles['list']}>
          <h2 id="runs-ended" className={styles['title']}>
            {formatCount(gone.length, 'ended run')}
          </h2>
          {gone.map((run, place) => {
            const again = againOf(run, all);
            const isNew = place === 0 && run.cause !== 'finished' && again === null;
            return (
              <GoneCard key={run.key} {...{ boxId, platform, run, again }} isOpenAtFirst={isNew} />
            );
          })}
        </section>
      )}
      {!hasMore && !hasLaunched && (gone.length === 0 || !seen.isWhole) && (
        <Running {...{ entry, seen, hasLaunched }} isOff={isOff} />
      )}
      {waiting}
      {(hasMore || hasLaunched) && (
        <p className={styles['muted']}>
          A run goes on without Leasehold. Reports and alerts pause while Leasehold is closed or
          this computer sleeps; no service looks in its place.
        </p>
      )}
      <UnreadFold seen={seen} />
    </>
  );
}

function againOf(run: GoneRun, { runs }: PatrolSeen): SeenRun | null {
  const isSame = ({ command, folder }: SeenRun): boolean =>
    command !== null && command === run.command && folder === run.folder;
  return runs.find(isSame) ?? null;
}

function PatrolNow({
  state,
  onStart,
}: {
  readonly state: PatrolState;
  readonly onStart: () => void;
}) {
  const { phase } = state;
  const isLooking = phase.kind === 'looking';
  return (
    <Button
      size="small"
      aria-disabled={isLooking}
      disabled={phase.kind === 'off'}
      onClick={isLooking ? undefined : onStart}
    >
      <Radar size={14} aria-hidden />
      {isLooking ? 'Checking…' : 'Check now'}
    </Button>
  );
}

/** Said also when nothing has changed: silence would read as a dead watch. */
function PatrolLine({ state }: { readonly state: PatrolState }) {
  const { seen, phase } = state;
  const last = useClock((nowMs) => lastWords(state, nowMs));
  const next = useClock((nowMs) => nextWords(state, nowMs));
  const took = seen?.took ?? null;
  return (
    <p className="figures">
      <span title={seen === null ? undefined : formatDate(seen.atMs)}>{last}</span>
      {took !== null && state.failed === null && (
        <span title="From the question to the whole answer, over the connection.">
          {`, took ${formatQuantity(took.ms / 1000, 's', 1)}, ${formatBytes(took.bytes)}`}
        </span>
      )}
      {' · '}
      <span title={phase.kind === 'waiting' ? PACE_WORDS[phase.pace] : undefined}>{next}</span>
    </p>
  );
}

interface RunningProps {
  readonly entry: BoxEntry;
  readonly seen: PatrolSeen;
  /** Those that Leasehold launched stand above. */
  readonly hasLaunched: boolean;
  readonly isOff: boolean;
}

function Running({ entry, seen, hasLaunched, isOff }: RunningProps) {
  const launch = <LaunchButton entry={entry} />;
  const { runs, atMs, isWhole } = seen;
  if (runs.length === 0 && !isWhole) {
    return (
      <EmptyState
        icon={<Play size={28} strokeWidth={1.4} />}
        title="The last check was incomplete"
        actions={
          <>
            {launch}
            <CheckButton {...entry} hasLooked={false} />
          </>
        }
      >
        <p>The box did not list all its processes at the last check, so no run counts as ended.</p>
      </EmptyState>
    );
  }
  if (runs.length === 0) {
    return (
      <EmptyState
        icon={<Play size={28} strokeWidth={1.4} />}
        title={isOff ? 'No run was seen' : 'No runs'}
        actions={launch}
      >
        <p>
          A run is a process that writes its output to a file or holds a GPU. None of that was there
          at the last check, <Age atMs={atMs} />.
        </p>
      </EmptyState>
    );
  }
  return (
    <section className={styles['list']} aria-labelledby="runs-seen">
      <h2 id="runs-seen" className={styles['title']}>
        {formatCount(runs.length, hasLaunched ? 'other run' : 'run')}
        <span className={styles['muted']}>
          {' '}
          seen <Age atMs={atMs} />
        </span>
      </h2>
      {runs.map((run) => (
        <RunCard key={processKey(run)} boxId={entry.box.id} run={run} />
      ))}
    </section>
  );
}

interface NothingSeenProps {
  readonly entry: BoxEntry;
  readonly state: PatrolState;
  readonly action: ReactNode;
  /** Those that Leasehold launched stand above. */
  readonly hasLaunched: boolean;
}

function NothingSeen({ entry, state, action, hasLaunched }: NothingSeenProps) {
  const next = useClock((nowMs) => nextWords(state, nowMs));
  const { phase, failed } = state;
  const actions = (
    <>
      <LaunchButton entry={entry} />
      {phase.kind === 'off' ? <CheckButton {...entry} hasLooked={false} /> : action}
    </>
  );
  if (hasLaunched && failed === null) {
    return (
      <div className={styles['bar']}>
        <PatrolLine state={state} />
        <div className={styles['actions']}>{actions}</div>
      </div>
    );
  }
  if (failed !== null) return <FailedState problem={failed.problem} actions={actions} />;
  if (phase.kind === 'looking') return <LoadingState title="Checking what runs on this box…" />;
  return (
    <EmptyState
      icon={<Radar size={28} strokeWidth={1.4} />}
      title={phase.kind === 'off' ? 'Not checked yet' : 'No runs'}
      actions={actions}
    >
      <p>
        {phase.kind === 'off'
          ? 'Connect to the box: what runs there is then checked every few minutes.'
          : `First check ${next.replace(/^next /, '')}`}
      </p>
    </EmptyState>
  );
}

function UnreadFold({ seen: { unread } }: { readonly seen: PatrolSeen }) {
  if (unread.length === 0) return null;
  return (
    <details className={styles['fold']}>
      <summary>{formatCount(unread.length, 'thing')} the last check could not read</summary>
      <ul>
        {unread.map(({ what, because }) => (
          <li key={what}>
            <strong>{what}</strong>: {plainLine(because, 400)}.
          </li>
        ))}
      </ul>
    </details>
  );
}
