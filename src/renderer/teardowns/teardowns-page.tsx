import { Check } from 'lucide-react';
import { holdsUp, type TeardownView } from '../../shared/teardown/teardown-view.ts';
import {
  stepLines,
  teardownSteps,
  STEP_TITLES,
  type TeardownStepId,
} from '../box/teardown/teardown-steps.ts';
import { useAsking, useTeardowns, type Asking } from '../box/teardown/use-teardown.ts';
import { Verdict } from '../box/teardown/verdict.tsx';
import { call } from '../state/bridge.ts';
import { useFleet } from '../state/feeds.ts';
import { useProfile } from '../state/profiles.ts';
import { usePageAct } from '../state/page-part.ts';
import { sweepsChosen, teardownChosen } from '../state/view.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { Button } from '../ui/button.tsx';
import { formatCount } from '../ui/format.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { FailedState, LoadingState } from '../ui/panel-state.tsx';
import { Dash } from '../ui/figure.tsx';
import { Refusal } from '../ui/problem-note.tsx';
import { isSettled, settledCount } from './columns.ts';
import styles from './teardowns.module.css';

interface TeardownsPageProps {
  readonly boxIds: readonly string[];
  /** That they have in common; null: a person chose them. */
  readonly sweepId: string | null;
}

/** Several boxes on the way to their end, a column each. Each is ended by itself, with its own name typed; leaving leaves all as it is. */
export function TeardownsPage({ boxIds, sweepId }: TeardownsPageProps) {
  const fleet = useFleet();
  const feed = useTeardowns();
  const checking = useAsking();
  if (feed.kind === 'failed') return <FailedState problem={feed.problem} />;
  if (fleet.kind === 'failed') return <FailedState problem={fleet.problem} />;
  if (feed.kind === 'loading' || fleet.kind === 'loading') return <LoadingState title="Opening…" />;
  const { boxes } = feed.state;
  const { entries } = fleet.state;
  // One that was forgotten can be looked at no more, and would hold the others for ever.
  const listed = boxIds.flatMap((id) => entries.find(({ box }) => box.id === id) ?? []);
  const removed = boxIds.length - listed.length;
  const settled = settledCount(listed.map(({ box }) => boxes[box.id] ?? null));
  // A sweep is one roster over all its boxes.
  const isHeld = sweepId !== null && settled < listed.length;
  const toCheck = listed.filter(({ box, link }) => {
    const view = boxes[box.id];
    return link.kind === 'up' && view !== undefined && !holdsUp(view.doing) && !isOver(view);
  });
  const down = listed.filter(
    ({ box, link }) => link.kind !== 'up' && !isOver(boxes[box.id] ?? null),
  ).length;
  return (
    <>
      <PageHeader
        title={sweepId === null ? 'Tear down several boxes' : 'Tear down the sweep'}
        meta={`${String(settled)} of ${formatCount(listed.length, 'box', 'boxes')} settled`}
        actions={
          <>
            {sweepId !== null && (
              <Button onClick={() => sweepsChosen(sweepId)}>Back to the sweep</Button>
            )}
            <CheckAll {...{ toCheck, checking }} />
          </>
        }
      />
      <div className={styles['page']}>
        <p className={styles['lead']}>
          {isHeld
            ? 'From here no box of the sweep is approved before all of them are settled: missing results can only be recovered while the others exist. The teardown of each box by itself asks only for cells that are not done, and for those on other boxes that are not proven to be here.'
            : 'Each box is approved by itself, by typing its name. Leaving this page leaves everything as it is.'}
          {down > 0 && ` ${formatCount(down, 'box is', 'boxes are')} not connected.`}
          {removed > 0 && ` ${removedWords(removed)}`}
        </p>
        <Refusal problem={checking.refusal} />
        <div
          className={styles['scroll']}
          tabIndex={0}
          role="group"
          aria-label="Boxes, a column each"
        >
          <table className={styles['table']}>
            <caption className="sr-only">Steps of the teardown of each box</caption>
            <thead>
              <tr>
                <td />
                {listed.map(({ box }) => (
                  <th key={box.id} scope="col" title={box.name}>
                    {box.name}
                  </th>
                ))}
              </tr>
              <tr>
                <th scope="row">Can it be ended?</th>
                {listed.map((entry) => (
                  <td key={entry.box.id}>
                    <Glance entry={entry} view={boxes[entry.box.id] ?? null} />
                  </td>
                ))}
              </tr>
            </thead>
            <tbody>
              {teardownSteps.map((step) => (
                <tr key={step}>
                  <th scope="row">{STEP_TITLES[step]}</th>
                  {listed.map(({ box }) => (
                    <td key={box.id}>
                      <StepCell
                        {...{ step, boxName: box.name, boxId: box.id, isHeld }}
                        view={boxes[box.id] ?? null}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </>
  );
}

interface CheckAllProps {
  readonly toCheck: readonly FleetEntry[];
  readonly checking: Asking;
}

function CheckAll({ toCheck, checking: { isBusy, ask } }: CheckAllProps) {
  const check = (): void => {
    if (toCheck.length > 0) ask(checkAll(toCheck));
  };
  usePageAct('check-all', check, !isBusy);
  return (
    <Button look="primary" disabled={toCheck.length === 0 || isBusy} onClick={check}>
      {isBusy ? 'Checking…' : 'Check all boxes'}
    </Button>
  );
}

const removedWords = (count: number): string =>
  count === 1
    ? '1 box was removed from the list: it has no column, and what it still held is not known.'
    : `${String(count)} boxes were removed from the list: they have no column, and what they still held is not known.`;

const isOver = (view: TeardownView | null): boolean =>
  view !== null && !('inspection' in view.gate);

/** Each on its own connection; the first that cannot be looked at is told, and the others are looked at all the same. */
async function checkAll(entries: readonly FleetEntry[]): ReturnType<typeof inspect> {
  const answers = await Promise.all(entries.map(({ box }) => inspect(box.id)));
  return answers.find(({ ok }) => !ok) ?? { ok: true, value: null };
}

const inspect = (boxId: string) => call('teardown:inspect', { boxId });

function Glance({
  entry,
  view,
}: {
  readonly entry: FleetEntry;
  readonly view: TeardownView | null;
}) {
  const profile = useProfile(entry.box.platform);
  return view === null ? <>Not checked</> : <Verdict view={view} profile={profile} />;
}

interface StepCellProps {
  readonly step: TeardownStepId;
  readonly boxId: string;
  readonly boxName: string;
  readonly view: TeardownView | null;
  /** Another box of the sweep is not settled. */
  readonly isHeld: boolean;
}

function StepCell({ step, boxId, boxName, view, isHeld }: StepCellProps) {
  const line = view === null ? undefined : stepLines(view).find(({ id }) => id === step);
  if (view === null || line === undefined) return <Dash why="Not checked" />;
  const isShut = step === 'approve' && isHeld && !line.isDone;
  const says = isShut && isSettled(view.gate) ? 'Waits for the other boxes' : line.says;
  return (
    <button
      type="button"
      className={styles['step']}
      disabled={isShut}
      aria-label={`${boxName}, ${line.title}${line.isDone ? ', done' : ''}: ${says}`}
      onClick={() => teardownChosen(boxId, step)}
    >
      <span className={styles['mark']} data-done={line.isDone} aria-hidden="true">
        {line.isDone && <Check size={12} />}
      </span>
      {says}
    </button>
  );
}
