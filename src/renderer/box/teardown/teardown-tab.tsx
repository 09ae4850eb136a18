import { Check } from 'lucide-react';
import { openBlockers } from '../../../shared/teardown/inspection.ts';
import {
  DOING_WORDS,
  holdsUp,
  isStoppable,
  type TeardownDoing,
  type TeardownView,
} from '../../../shared/teardown/teardown-view.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { call } from '../../state/bridge.ts';
import { useProfile } from '../../state/profiles.ts';
import { teardownChosen } from '../../state/view.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { LoadingState } from '../../ui/panel-state.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { TransferBar } from '../../ui/transfer-bar.tsx';
import { ActStep } from './act-step.tsx';
import { ApproveStep } from './approve-step.tsx';
import { CostStep } from './cost-step.tsx';
import { BlockerList } from './blocker-list.tsx';
import { LeftList } from './left-list.tsx';
import { lookWords } from './look-words.ts';
import { ReceiptStep } from './receipt-step.tsx';
import { SecretsStep } from './secrets-step.tsx';
import { RunResults, RunToPull } from './results-step.tsx';
import {
  blockersOf,
  inspectionOf,
  stepLines,
  STEP_TITLES,
  type TeardownStepId,
} from './teardown-steps.ts';
import { useAccount, type AccountAsked } from './use-account.ts';
import { useShownStep } from './use-shown-step.ts';
import { useAsking, useTeardown } from './use-teardown.ts';
import { Verdict } from './verdict.tsx';
import { WaitingCost } from './waiting-cost.tsx';
import styles from './teardown.module.css';

/** The way to the end of a box, a step after the other. Leaving it half-way leaves everything as it is. */
export function TeardownTab({ entry }: { readonly entry: BoxEntry }) {
  const view = useTeardown(entry.box.id);
  if (view === null) return <LoadingState title="Opening…" />;
  return <Wizard key={entry.box.id} entry={entry} view={view} />;
}

interface WizardProps {
  readonly entry: BoxEntry;
  readonly view: TeardownView;
}

function Wizard({ entry, view }: WizardProps) {
  const step = useShownStep(view);
  const asked = useAccount(entry.box.id, view.provider);
  return (
    <div className={styles['wizard']}>
      <nav aria-label="Steps of the teardown">
        <ol className={styles['steps']}>
          {stepLines(view).map(({ id, title, says, isDone }, at) => (
            <li key={id}>
              <button
                type="button"
                className={styles['step']}
                aria-current={id === step ? 'step' : undefined}
                onClick={() => teardownChosen(entry.box.id, id)}
              >
                <span className={styles['mark']} data-done={isDone} aria-hidden="true">
                  {isDone ? <Check size={13} /> : String(at + 1)}
                </span>
                <span>
                  <span className={styles['stepTitle']}>
                    {title}
                    <span className="sr-only">{isDone ? ', done: ' : ': '}</span>
                  </span>
                  <span className={styles['note']}>{says}</span>
                </span>
              </button>
            </li>
          ))}
        </ol>
      </nav>
      <section className={styles['content']} aria-label={STEP_TITLES[step]}>
        <Verdict view={view} profile={useProfile(entry.box.platform)} />
        <Stoppable doing={view.doing} {...{ step }} boxId={entry.box.id} />
        <StepBody {...{ step, entry, view, asked }} />
        <OnwardButton {...{ step, view }} boxId={entry.box.id} />
      </section>
    </div>
  );
}

interface OnwardButtonProps {
  readonly boxId: string;
  readonly step: TeardownStepId;
  readonly view: TeardownView;
}

/** From a step that is settled to the one after it, so that nobody comes to the approval past what it covers. */
function OnwardButton({ boxId, step, view }: OnwardButtonProps) {
  const lines = stepLines(view);
  const at = lines.findIndex(({ id }) => id === step);
  const next = lines[at + 1];
  if (view.gate.kind !== 'shut' || step === 'approve') return null;
  // Where none is left it has a way on of its own, which says that the person has seen it.
  if (step === 'secrets' && view.secrets.look?.found.length === 0) return null;
  if (lines[at]?.isDone !== true || next === undefined) return null;
  return (
    <div className={styles['buttons']}>
      <Button look="primary" onClick={() => teardownChosen(boxId, next.id)}>
        Next: {next.title}
      </Button>
    </div>
  );
}

interface StoppableProps {
  readonly boxId: string;
  readonly step: TeardownStepId;
  readonly doing: TeardownDoing | null;
}

/** What a person may have to wait for for hours, on whatever step they are. */
function Stoppable({ boxId, step, doing }: StoppableProps) {
  if (doing === null || !holdsUp(doing) || !isStoppable(doing.kind)) return null;
  // There it has a bar of its own.
  if (doing.kind === 'reading-copies' && step === 'proven') return null;
  return (
    <div className={styles['buttons']}>
      <p className={styles['note']}>Being done: {DOING_WORDS[doing.kind]}.</p>
      <Button size="small" onClick={() => void call('teardown:stop', { boxId })}>
        Stop
      </Button>
    </div>
  );
}

interface StepBodyProps extends WizardProps {
  readonly step: TeardownStepId;
  readonly asked: AccountAsked;
}

function StepBody({ step, entry, view, asked }: StepBodyProps) {
  const { box, link } = entry;
  const { gate, doing, receipt } = view;
  const profile = useProfile(box.platform);
  const inspection = inspectionOf(gate);
  const isUp = link.kind === 'up';
  const isBusy = holdsUp(doing);
  const shared = { boxId: box.id, isBusy };
  if (step === 'costs')
    return <CostStep {...{ boxId: box.id, profile, asked }} provider={view.provider} />;
  if (gate.kind === 'gone') return <ReceiptStep {...{ box, gate, receipt }} />;
  if (gate.kind === 'acting' || gate.kind === 'unconfirmed') {
    return <ActStep {...{ box, profile, gate, view }} />;
  }
  switch (step) {
    case 'inventory':
    case 'pulled':
      return (
        <>
          <Look {...shared} doing={doing} atMs={inspection?.atMs ?? null} isUp={isUp} />
          {inspection !== null && (
            <>
              <BlockerList {...shared} blockers={blockersOf(inspection, step)} />
              {inspection.runs.length > 0 && (
                <ul className={styles['runs']} aria-label="Results on the box">
                  {inspection.runs.map((run) =>
                    step === 'pulled' ? (
                      <RunToPull key={run.path} {...{ boxId: box.id, run, isUp }} />
                    ) : (
                      <RunResults key={run.path} run={run} />
                    ),
                  )}
                </ul>
              )}
            </>
          )}
        </>
      );
    case 'proven':
      return (
        <>
          <p className={styles['lead']}>
            Every copy on this computer is read again, byte by byte, and compared with the hashes in
            the evidence log, whose own chain is checked first.
          </p>
          <Prove {...shared} doing={doing} isUp={isUp} />
          {inspection !== null && (
            <BlockerList {...shared} blockers={blockersOf(inspection, 'proven')} />
          )}
        </>
      );
    case 'left':
      return (
        <LeftList
          inspection={inspection}
          none="Nothing was left with a reason, and no loss was accepted."
        />
      );
    case 'secrets':
      return <SecretsStep {...{ boxId: box.id, profile, doing, isUp }} secrets={view.secrets} />;
    case 'approve':
      if (gate.kind === 'approved') return <ActStep {...{ box, profile, gate, view }} />;
      return inspection === null ? (
        <Look {...shared} doing={doing} atMs={null} isUp={isUp} />
      ) : (
        <ApproveStep
          {...{ box, profile, inspection, isBusy }}
          isOpen={openBlockers(inspection).length === 0}
        />
      );
    case 'gone':
      return (
        <p className={styles['lead']}>
          Nothing has been started. After your approval, this step follows the end of the box and
          keeps its receipt.
        </p>
      );
  }
}

interface LookProps {
  readonly boxId: string;
  readonly isBusy: boolean;
  readonly isUp: boolean;
  readonly doing: TeardownDoing | null;
  readonly atMs: number | null;
}

/** What the answer rests on is as old as the last look. */
function Look({ boxId, isBusy, isUp, doing, atMs }: LookProps) {
  const { refusal, ask } = useAsking();
  return (
    <>
      <div className={styles['look']}>
        <p className={styles['lead']}>
          {doing?.kind === 'inspecting' ? (
            lookWords(doing)
          ) : atMs === null ? (
            'Leasehold looks for what is running on the box and what its runs have left there. It changes nothing.'
          ) : (
            <>
              Checked <Age atMs={atMs} />
            </>
          )}
        </p>
        <Button
          look={atMs === null ? 'primary' : 'plain'}
          size={atMs === null ? 'medium' : 'small'}
          disabled={isBusy || doing?.kind === 'inspecting' || !isUp}
          {...(!isUp && { title: 'Connect to the box first' })}
          onClick={() => ask(call('teardown:inspect', { boxId }))}
        >
          {doing?.kind === 'inspecting'
            ? 'Checking…'
            : atMs === null
              ? 'Check the box'
              : 'Check again'}
        </Button>
      </div>
      <Refusal problem={refusal} />
    </>
  );
}

function Prove({ boxId, isBusy, isUp, doing }: Omit<LookProps, 'atMs'>) {
  const { refusal, ask } = useAsking();
  if (doing?.kind === 'reading-copies') {
    return (
      <>
        <TransferBar
          label="Copies read again"
          stage="Reading the copies again…"
          isMoving
          progress={doing}
          stop="Stop"
          onStop={() => void call('teardown:stop', { boxId })}
        />
        <WaitingCost boxId={boxId} doneBytes={doing.doneBytes} bytes={doing.bytes} />
      </>
    );
  }
  return (
    <>
      <div className={styles['buttons']}>
        <Button
          look="primary"
          disabled={isBusy || !isUp}
          {...(!isUp && { title: 'Connect to the box first' })}
          onClick={() => ask(call('teardown:read-copies', { boxId }))}
        >
          {isBusy ? 'Checking…' : 'Read the copies again'}
        </Button>
        {doing?.kind === 'inspecting' && <p className={styles['note']}>{lookWords(doing)}</p>}
      </div>
      <Refusal problem={refusal} />
    </>
  );
}
