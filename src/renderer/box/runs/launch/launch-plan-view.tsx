import { useId, useState, type ReactNode } from 'react';
import { planRefOf } from '../../../../shared/plan/plan.ts';
import type { Problem } from '../../../../shared/problem.ts';
import {
  canOverride,
  stillBlocking,
  type Detacher,
  type LaunchPlan,
  type PlannedNotices,
  type Overridden,
} from '../../../../shared/runs/launch/launch-plan.ts';
import type { LaunchedRuns } from '../../../../shared/runs/launch/launched-run.ts';
import { TRACKER_WORDS } from '../../../../shared/runs/launch/needs-form.ts';
import {
  beforehandWords,
  costWords,
  type Outlook,
} from '../../../../shared/runs/launch/outlook.ts';
import { call } from '../../../state/bridge.ts';
import { overlayOpened } from '../../../state/view.ts';
import { Button } from '../../../ui/button.tsx';
import { useClock } from '../../../ui/clock.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DialogFooter } from '../../../ui/dialog.tsx';
import { fromBeginning } from '../../../ui/dialog-step.ts';
import { formatCount } from '../../../ui/format.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import { Refusal } from '../../../ui/problem-note.tsx';
import { PlannedFiles } from '../planned-files.tsx';
import { CheckList } from './check-list.tsx';
import { PushBar, PushPart } from './planned-push.tsx';
import { RehearsalPart } from './rehearsal-part.tsx';
import { PlannedCells } from './queue/planned-cells.tsx';
import styles from './launch.module.css';

interface LaunchPlanViewProps {
  readonly boxId: string;
  readonly plan: LaunchPlan;
  readonly isUp: boolean;
  readonly onBack: () => void;
  /** Asks the box once more for the same request. */
  readonly onAgain: () => void;
  readonly onLaunched: (runs: LaunchedRuns) => void;
}

const NOTHING_OVERRIDDEN: Overridden = new Set();

const DETACHED_WORDS: Readonly<Record<Detacher, string>> = {
  tmux: 'In a tmux session of its own on the box.',
  setsid: 'In a session of its own on the box (setsid), because there is no tmux.',
  nohup: 'With nohup, because the box has neither tmux nor setsid.',
};

/** Everything that a launch does, before it does it. Nothing of it is on the box yet. */
export function LaunchPlanView(props: LaunchPlanViewProps) {
  const { boxId, plan, isUp, onBack, onAgain, onLaunched } = props;
  const [isLaunching, setIsLaunching] = useState(false);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [overridden, setOverridden] = useState<Overridden>(NOTHING_OVERRIDDEN);
  const reasonId = useId();
  const isExpired = useClock((nowMs) => nowMs >= plan.plan.expiresAtMs);
  const reason = isLaunching ? null : whyNot({ plan, overridden, isUp, isExpired, refusal });

  async function launch(): Promise<void> {
    setIsLaunching(true);
    const answer = await call('runs:launch', {
      boxId,
      plan: planRefOf(plan.plan),
      overridden: [...overridden],
    });
    setIsLaunching(false);
    if (answer.ok) onLaunched(answer.value);
    else setRefusal(answer.error);
  }

  return (
    <div ref={fromBeginning} className={styles['form']}>
      <CheckList
        checks={plan.checks}
        overridden={overridden}
        onSendSecret={() => overlayOpened({ kind: 'send-secret', boxId })}
        onOverride={(id, isOver) => setOverridden((before) => withOverride(before, id, isOver))}
        rehearsal={<RehearsalPart {...{ boxId }} plan={plan.plan} onPassed={onAgain} />}
      />
      <PlanParts plan={plan} />
      <div role="status" className={styles['status']}>
        {isLaunching && (
          <p className={styles['line']} ref={intoView}>
            <Glyph tone="wait" />
            Launching: writing the files, starting the run, reading it back from the box…
          </p>
        )}
      </div>
      {isLaunching && plan.push !== null && <PushBar boxId={boxId} />}
      <Refusal problem={refusal} />
      <DialogFooter>
        {reason !== null && (
          <p id={reasonId} className={styles['reason']}>
            <Glyph tone="warn" />
            <span>{reason}</span>
          </p>
        )}
        <Button autoFocus disabled={isLaunching} onClick={onBack}>
          Back
        </Button>
        {reason !== null && (
          <Button disabled={!isUp} onClick={onAgain}>
            Plan again
          </Button>
        )}
        <Button
          look="primary"
          disabled={isLaunching || reason !== null}
          aria-describedby={reason === null ? undefined : reasonId}
          title={reason ?? undefined}
          onClick={() => void launch()}
        >
          {isLaunching ? 'Launching…' : 'Launch'}
        </Button>
      </DialogFooter>
    </div>
  );
}

/** What is launched over, with this one or without it. */
export function withOverride(before: Overridden, id: string, isOver: boolean): Overridden {
  const others = [...before].filter((each) => each !== id);
  return new Set(isOver ? [...others, id] : others);
}

interface PlanPartsProps {
  readonly plan: Omit<LaunchPlan, 'plan'>;
}

/** What runs, what is sent, what is put where, and how it is started and ended. */
export function PlanParts({ plan }: PlanPartsProps) {
  return (
    <>
      <Request plan={plan} />
      {plan.push !== null && <PushPart push={plan.push} />}
      <WherePart outlook={plan.outlook} />
      <section className={styles['part']} aria-label="How it is started">
        <h3>How it is started</h3>
        <p className={styles['muted']}>
          {DETACHED_WORDS[plan.detacher]} It goes on without the connection and is lost when the box
          restarts. This is the exact command:
        </p>
        <CommandLine text={plan.startLine} />
      </section>
      {plan.reboot !== undefined && <RebootPart line={plan.reboot} />}
      <section className={styles['part']} aria-label="What is put on the box">
        <h3>What is put on the box</h3>
        <p className={styles['muted']}>
          Into <code className="selectable">{plan.folder}</code>, the folder of this run, from which
          any computer can tell how the run stands.
        </p>
        <PlannedFiles files={plan.files} />
      </section>
      {plan.notices !== undefined && <NoticesPart notices={plan.notices} />}
      <section className={styles['part']} aria-label="How to end it by hand">
        <h3>How to end it by hand</h3>
        <p className={styles['muted']}>
          Leasehold ends it with “End run…”. Without Leasehold, in a terminal of the box:
        </p>
        <CommandLine text={plan.byHand} />
      </section>
    </>
  );
}

/** What is armed once the run has begun. */
function NoticesPart({ notices: { end, line } }: { readonly notices: PlannedNotices }) {
  return (
    <section className={styles['part']} aria-label="Notifications">
      <h3>Notifications</h3>
      <p className={styles['muted']}>
        Set up once the run has begun. If that fails you are told, and the run goes on.
      </p>
      {end !== null && (
        <>
          <p>
            When the run ends, the box posts to <code className="selectable">{end.to.host}</code>.
            It waits for at most {formatCount(end.maxHours / 24, 'day')}.
          </p>
          <PlannedFiles files={[end.waiter]} />
        </>
      )}
      {line !== null && (
        <p>
          At the first line with <code className="selectable">{line.text}</code> in{' '}
          <code className="selectable">{line.path}</code>, which Leasehold checks once a minute.
        </p>
      )}
    </section>
  );
}

/** What is written outside of the run folder, and what becomes of it. */
function RebootPart({ line }: { readonly line: string }) {
  return (
    <section className={styles['part']} aria-label="How it starts again after a restart">
      <h3>How it starts again after a restart</h3>
      <p className={styles['muted']}>
        This becomes the first line of{' '}
        <abbr title="The list of commands that cron, a service of the box, runs for you">
          your crontab
        </abbr>{' '}
        on the box. Nothing else in it is changed: it is compared byte for byte before and after.
      </p>
      <CommandLine text={line} />
      <p className={styles['muted']}>
        After a restart the cells that have not finished run, by the very job.sh, once the folder,
        its disk and the GPUs of the cells are there. After half an hour without them nothing
        starts. The checks are not made again, and a paused queue stays paused.
      </p>
      <p className={styles['muted']}>
        The line is taken out when the queue is over, is stopped or ended, or when you decline to
        resume it.
      </p>
    </section>
  );
}

interface Readiness {
  readonly plan: LaunchPlan;
  readonly overridden: Overridden;
  readonly isUp: boolean;
  readonly isExpired: boolean;
  readonly refusal: Problem | null;
}

/** Null: it may be launched. A plan is handed out once, so that what was refused needs a new one. */
function whyNot({ plan, overridden, isUp, isExpired, refusal }: Readiness): string | null {
  const blocking = stillBlocking(plan, overridden);
  if (!isUp) return 'The box is not connected.';
  if (blocking.length > 0) {
    const it = blocking.length === 1 ? 'it' : 'them';
    const what = `${formatCount(blocking.length, 'check')} ${blocking.length === 1 ? 'blocks' : 'block'} the launch.`;
    return blocking.every(canOverride)
      ? `${what} Fix ${it} and plan again, or choose to launch anyway.`
      : `${what} Fix ${it}, then plan again.`;
  }
  if (refusal !== null) return 'This plan cannot be used again.';
  return isExpired ? 'This plan is too old: the box may have changed since.' : null;
}

function Request({ plan }: PlanPartsProps) {
  const { request, queue, after, outlook } = plan;
  const names = Object.keys(request.env);
  return (
    <section className={styles['part']} aria-label="What runs">
      <h3>What runs</h3>
      {queue !== undefined && <PlannedCells queue={queue} />}
      <dl className={styles['facts']}>
        <Row name="Name">{request.name}</Row>
        {after !== undefined && (
          <Row name="Goes on after">
            <code className="selectable">{after}</code>, by the same job.sh
          </Row>
        )}
        {queue === undefined && (
          <Row name="Command">
            <pre className="selectable" tabIndex={0} aria-label="Command">
              {request.command}
            </pre>
          </Row>
        )}
        <Row name="Folder">
          <code className="selectable">{request.folder}</code>
        </Row>
        {request.activate !== null && (
          <Row name="Run before it">
            <code className="selectable">{request.activate}</code>
          </Row>
        )}
        {names.length > 0 && (
          <Row name="Environment">
            <code className="selectable">{names.join(', ')}</code>
          </Row>
        )}
        {(request.fetch ?? []).map(({ into, run }) => (
          <Row key={`${into} ${run}`} name="Fetched first">
            into <code className="selectable">{into}</code>:{' '}
            <code className="selectable">{run}</code>
          </Row>
        ))}
        {request.smoke !== undefined && (
          <Row name="Smoke command">
            <code className="selectable">{request.smoke}</code>
          </Row>
        )}
        {request.secrets !== undefined && (
          <Row name="Secrets">
            <code className="selectable">{request.secrets.join(', ')}</code>, read on the box when
            it starts
          </Row>
        )}
        {request.tracker !== undefined && (
          <Row name="Tracker">{TRACKER_WORDS[request.tracker]}</Row>
        )}
        {beforehandWords(outlook, request).map(([name, words]) => (
          <Row key={name} name={name}>
            {words}
          </Row>
        ))}
        <Row name="Cost">{costWords(outlook)}</Row>
        <Row name="Results">
          {request.results === null ? (
            'no folder given'
          ) : (
            <code className="selectable">{request.results}</code>
          )}
        </Row>
        <Row name="Succeeded when">
          {queue !== undefined ? (
            'every cell exits with code 0'
          ) : request.successLine === null ? (
            'it exits with code 0'
          ) : (
            <>
              it exits with code 0 and its log says{' '}
              <code className="selectable">{request.successLine}</code>
            </>
          )}
        </Row>
      </dl>
    </section>
  );
}

/** Where it all lies and whether it stays there; and what the platform's profile adds to the run. */
function WherePart({ outlook: { lands, settings } }: { readonly outlook: Outlook }) {
  return (
    <>
      <section className={styles['part']} aria-label="Where it is stored">
        <h3>Where it is stored</h3>
        <dl className={styles['facts']}>
          {lands.map(({ what, path, stays }) => (
            <Row key={`${what} ${path}`} name={what}>
              <code className="selectable">{path}</code>
              <br />
              <span className={styles['muted']}>{stays}</span>
            </Row>
          ))}
        </dl>
      </section>
      {settings !== null && (settings.used.length > 0 || settings.unused.length > 0) && (
        <section className={styles['part']} aria-label={`From the profile of ${settings.of}`}>
          <h3>From the profile of {settings.of}</h3>
          <ul className={styles['settings']}>
            {settings.used.map(({ name, what }) => (
              <li key={name}>{what}</li>
            ))}
            {settings.unused.map(({ name, because }) => (
              <li key={name} className={styles['muted']}>
                Not used: <code>{name}</code>. {because}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function CommandLine({ text }: { readonly text: string }) {
  return (
    <div className={styles['command']}>
      <code className="selectable">{text}</code>
      <CopyButton text={text} label="Copy" />
    </div>
  );
}

/** In a small window the foot of the plan is out of sight when something comes there. */
function intoView(line: HTMLElement | null): void {
  line?.scrollIntoView({ block: 'nearest' });
}
