import { useEffect, useState } from 'react';
import type { PatrolState } from '../../../../shared/patrol/patrol-state.ts';
import type { Problem } from '../../../../shared/problem.ts';
import type { PushWaiter } from '../../../../shared/push/push-waiter.ts';
import type { LaunchedRun } from '../../../../shared/runs/launch/launched-run.ts';
import { nameOf } from '../../../../shared/runs/launch/run-words.ts';
import { isSameProcess } from '../../../../shared/runs/process-ref.ts';
import type { BoxEntry } from '../../../state/box-entry.ts';
import { call } from '../../../state/bridge.ts';
import { Age } from '../../../ui/age.tsx';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { formatCount, formatDate } from '../../../ui/format.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import { ProblemNote, Refusal } from '../../../ui/problem-note.tsx';
import { commandOf } from '../run-card.tsx';
import { lookAtPushes, pushesAnswered, selectPushes, usePushes } from './push-looks.ts';
import { stateWords } from './push-words.ts';
import styles from './push.module.css';

interface PushSectionProps {
  readonly entry: BoxEntry;
  readonly state: PatrolState;
  readonly launched: readonly LaunchedRun[];
}

/** What waits on the box to tell the end of a run, and what came of each. Nothing where there is none. */
export function PushSection({ entry, state, launched }: PushSectionProps) {
  const boxId = entry.box.id;
  const isUp = entry.link.kind === 'up';
  const { view, problem, isLooking } = usePushes(selectPushes(boxId));
  const seenAtMs = state.seen?.atMs ?? 0;
  // The box is asked when it is reached, and after each patrol: a run may have ended.
  useEffect(() => {
    if (isUp) void lookAtPushes(boxId);
  }, [boxId, isUp, seenAtMs]);
  const waiters = view?.look.waiters ?? [];
  if (waiters.length === 0 && problem === null) return null;
  return (
    <section className={styles['list']} aria-labelledby="pushes">
      <div className={styles['head']}>
        <h2 id="pushes">Told from the box</h2>
        {view !== null && (
          <span className={styles['muted']} role="status">
            {isLooking ? (
              'checking…'
            ) : (
              <>
                seen <Age atMs={view.look.atMs} />
              </>
            )}
          </span>
        )}
        <Button
          size="small"
          look="quiet"
          disabled={!isUp}
          aria-disabled={isLooking}
          onClick={() => void lookAtPushes(boxId)}
        >
          Refresh
        </Button>
      </div>
      {problem !== null && <ProblemNote problem={problem} />}
      <ul className={styles['waiters']}>
        {waiters.map((waiter) => (
          <WaiterLine
            key={waiter.id}
            boxId={boxId}
            isUp={isUp}
            waiter={waiter}
            name={titleOf(waiter, launched, state)}
          />
        ))}
      </ul>
      {view?.look.isCut === true && (
        <p className={styles['muted']}>
          There are more than {formatCount(waiters.length, 'waiter')} on this box: clear some away.
        </p>
      )}
    </section>
  );
}

/** The launched run that it keeps, or what the patrols know of it; its number otherwise. */
function titleOf(
  { process }: PushWaiter,
  launched: readonly LaunchedRun[],
  { seen, gone }: PatrolState,
): string {
  const kept = launched.find(
    (each) => each.process !== null && isSameProcess(each.process, process),
  );
  if (kept !== undefined) return nameOf(kept);
  const run = [...(seen?.runs ?? []), ...gone].find((each) => isSameProcess(each, process));
  return commandOf({ pid: process.pid, command: run?.command ?? null });
}

interface WaiterLineProps {
  readonly boxId: string;
  readonly isUp: boolean;
  readonly waiter: PushWaiter;
  readonly name: string;
}

function WaiterLine({ boxId, isUp, waiter, name }: WaiterLineProps) {
  const [isEnding, setIsEnding] = useState(false);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const { tone, words } = stateWords(waiter.state);
  const isWaiting = waiter.state.kind === 'waiting';

  async function end(): Promise<void> {
    setIsEnding(true);
    setRefusal(null);
    const answer = await call('push:end', { boxId, id: waiter.id });
    if (answer.ok) {
      pushesAnswered(boxId, answer); // takes this line away
      return;
    }
    setIsEnding(false);
    setRefusal(answer.error);
  }

  const verb = isWaiting ? 'Cancel' : 'Clear away';
  return (
    <li className={styles['waiter']}>
      <div>
        <p className={classNames(styles['name'], 'mono selectable')} title={name}>
          {name}
        </p>
        <p className={styles['state']}>
          <Glyph tone={tone} />
          <span>
            {words} <Times waiter={waiter} />
          </span>
        </p>
        <Refusal problem={refusal} />
      </div>
      <Button
        size="small"
        disabled={!isUp || isEnding}
        aria-label={`${verb}: ${name}`}
        onClick={() => void end()}
      >
        {isEnding ? 'Asking the box…' : verb}
      </Button>
    </li>
  );
}

function Times({ waiter: { armedAtMs, untilMs, state } }: { readonly waiter: PushWaiter }) {
  return (
    <span className={styles['muted']}>
      {state.kind === 'fired' && (
        <span title={formatDate(state.atMs)}>
          That was <Age atMs={state.atMs} />.{' '}
        </span>
      )}
      {armedAtMs !== null && (
        <>
          Armed <Age atMs={armedAtMs} />
          {state.kind === 'waiting' && untilMs !== null && `, until ${formatDate(untilMs)} at most`}
          .
        </>
      )}
    </span>
  );
}
