import { useState, type ReactNode } from 'react';
import { planRefOf } from '../../shared/plan/plan.ts';
import type { PlannedFile } from '../../shared/plan/planned-file.ts';
import type { Problem } from '../../shared/problem.ts';
import {
  canOverride,
  stillBlocking,
  type Overridden,
} from '../../shared/runs/launch/launch-plan.ts';
import type { PlannedShare, SweepLaunched, SweepPlan } from '../../shared/runs/sweep/sweep-plan.ts';
import { costWords } from '../../shared/runs/launch/outlook.ts';
import { sweepCostWords } from '../../shared/runs/sweep/sweep-outlook.ts';
import { CheckList } from '../box/runs/launch/check-list.tsx';
import { PlanParts, withOverride } from '../box/runs/launch/launch-plan-view.tsx';
import { PushBar } from '../box/runs/launch/planned-push.tsx';
import { RehearsalPart } from '../box/runs/launch/rehearsal-part.tsx';
import { call } from '../state/bridge.ts';
import { selectMeters, useMeter } from '../state/feeds.ts';
import { overlayOpened } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { useClock } from '../ui/clock.ts';
import { DialogFooter } from '../ui/dialog.tsx';
import { fromBeginning } from '../ui/dialog-step.ts';
import { formatCount } from '../ui/format.ts';
import { Glyph } from '../ui/glyph.tsx';
import { ProblemNote, Refusal } from '../ui/problem-note.tsx';
import { burnWords } from '../../shared/meter/money-words.ts';
import styles from './sweep-form.module.css';

interface SweepPlanViewProps {
  readonly plan: SweepPlan;
  readonly onBack: () => void;
  /** Asks every box once more. */
  readonly onAgain: () => void;
  readonly onLaunched: (sweepId: string) => void;
}

const NOTHING_OVERRIDDEN: Overridden = new Set();

/** Everything that a launch does on each box, before it does it. Nothing of it is there yet. */
export function SweepPlanView({ plan, onBack, onAgain, onLaunched }: SweepPlanViewProps) {
  const [isLaunching, setIsLaunching] = useState(false);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [launched, setLaunched] = useState<SweepLaunched | null>(null);
  const [overridden, setOverridden] = useState<Readonly<Record<string, Overridden>>>({});
  const isExpired = useClock((nowMs) => nowMs >= plan.plan.expiresAtMs);
  const overOf = (boxId: string): Overridden => overridden[boxId] ?? NOTHING_OVERRIDDEN;
  const reason = isLaunching ? null : whyNot({ plan, overOf, isExpired, refusal, launched });
  // All boxes get the same code: it is rehearsed once, below the first check that asks for it.
  const rehearsedFor = plan.shares.find((share) =>
    share.plan?.checks.some(({ id, answer }) => id === 'rehearsal' && answer === 'block'),
  )?.boxId;
  const begun = launched?.shares.filter(({ problem }) => problem === null).length ?? 0;

  async function launch(): Promise<void> {
    setIsLaunching(true);
    setRefusal(null);
    const answer = await call('runs:launch-sweep', {
      sweep: plan.sweepId,
      plan: planRefOf(plan.plan),
      overridden: Object.fromEntries(
        Object.entries(overridden).map(([boxId, ids]) => [boxId, [...ids]]),
      ),
    });
    setIsLaunching(false);
    if (!answer.ok) {
      setRefusal(answer.error);
      return;
    }
    setLaunched(answer.value);
    if (answer.value.shares.every(({ problem }) => problem === null)) onLaunched(plan.sweepId);
  }

  return (
    <div ref={fromBeginning} className={styles['form']}>
      <p>
        <b>Cost</b> {sweepCostWords(plan.shares.map((share) => share.plan?.outlook ?? null))}
      </p>
      {launched === null && plan.shares.length > 1 && (
        <p className={styles['muted']}>Nothing starts on any box before every box is clear.</p>
      )}
      {plan.shares.map((share) => (
        <Share
          key={share.boxId}
          share={share}
          file={plan.file}
          overridden={overOf(share.boxId)}
          outcome={launched?.shares.find(({ boxId }) => boxId === share.boxId)?.problem}
          isLaunching={isLaunching}
          rehearsal={
            share.boxId === rehearsedFor && (
              <RehearsalPart
                {...{ boxId: share.boxId, plan: plan.plan, sweep: plan.sweepId }}
                onPassed={onAgain}
              />
            )
          }
          onOverride={(id, isOver) =>
            setOverridden((all) => ({
              ...all,
              [share.boxId]: withOverride(all[share.boxId] ?? NOTHING_OVERRIDDEN, id, isOver),
            }))
          }
        />
      ))}
      <div role="status" className={styles['status']}>
        {isLaunching && (
          <p className={styles['line']}>
            <Glyph tone="wait" />
            Launching on {formatCount(plan.shares.length, 'box', 'boxes')}…
          </p>
        )}
        {!isLaunching && launched !== null && begun < launched.shares.length && (
          <p className={styles['line']}>
            <Glyph tone="warn" />
            Begun on {begun} of {formatCount(launched.shares.length, 'box', 'boxes')}.{' '}
            {launched.canRepeat && 'Trying again starts nothing twice.'}
          </p>
        )}
      </div>
      <Refusal problem={refusal} />
      <DialogFooter>
        {reason !== null && (
          <p className={styles['reason']}>
            <Glyph tone="warn" />
            <span>{reason}</span>
          </p>
        )}
        {begun === 0 && (
          <Button autoFocus disabled={isLaunching} onClick={onBack}>
            Back
          </Button>
        )}
        {reason !== null && begun === 0 && <Button onClick={onAgain}>Plan again</Button>}
        {begun > 0 && <Button onClick={() => onLaunched(plan.sweepId)}>Show the sweep</Button>}
        <Button
          look="primary"
          disabled={isLaunching || reason !== null}
          title={reason ?? undefined}
          onClick={() => void launch()}
        >
          {launchWords(isLaunching, launched)}
        </Button>
      </DialogFooter>
    </div>
  );
}

function launchWords(isLaunching: boolean, launched: SweepLaunched | null): string {
  if (isLaunching) return 'Launching…';
  return launched === null ? 'Launch' : 'Try the others again';
}

interface Readiness {
  readonly plan: SweepPlan;
  readonly overOf: (boxId: string) => Overridden;
  readonly isExpired: boolean;
  readonly refusal: Problem | null;
  readonly launched: SweepLaunched | null;
}

/** Null: it may be launched. */
function whyNot({ plan, overOf, isExpired, refusal, launched }: Readiness): string | null {
  if (launched !== null) {
    return launched.canRepeat
      ? null
      : 'This plan cannot be used again. Run the cells again from the sweep.';
  }
  const unasked = plan.shares.filter((share) => share.plan === null);
  if (unasked.length > 0) {
    return `${unasked.map(({ place }) => place).join(', ')} can’t take part. Go back, or plan again.`;
  }
  const blocked = plan.shares.filter(
    (share) => share.plan !== null && stillBlocking(share.plan, overOf(share.boxId)).length > 0,
  );
  if (blocked.length > 0) {
    const where = blocked.map(({ place }) => place).join(', ');
    const all = blocked.flatMap((share) =>
      share.plan === null ? [] : stillBlocking(share.plan, overOf(share.boxId)),
    );
    return all.every(canOverride)
      ? `Checks block the launch on ${where}. Fix them and plan again, or choose to launch anyway.`
      : `Checks block the launch on ${where}. Fix them, then plan again.`;
  }
  if (refusal !== null) return 'This plan cannot be used again.';
  return isExpired ? 'This plan is too old: the boxes may have changed since.' : null;
}

interface ShareProps {
  readonly share: PlannedShare;
  /** What every box gets. */
  readonly file: PlannedFile;
  readonly overridden: Overridden;
  /** Undefined: nothing was tried; null: it has begun. */
  readonly outcome: Problem | null | undefined;
  readonly isLaunching: boolean;
  readonly rehearsal: ReactNode;
  readonly onOverride: (id: string, isOver: boolean) => void;
}

function Share({
  share,
  file,
  overridden,
  outcome,
  isLaunching,
  rehearsal,
  onOverride,
}: ShareProps) {
  const { boxId, place, cells, plan, problem } = share;
  // Null for a moment only: the box has just been asked, so that it is seen to run.
  const burn = useMeter(selectMeters)[boxId]?.burnPerHour ?? null;
  return (
    <section className={styles['share']} aria-label={place}>
      <div className={styles['shareHead']}>
        <h3>{place}</h3>
        <span className={styles['muted']}>
          {formatCount(cells, 'cell')}
          {plan !== null
            ? ` · ${costWords(plan.outlook)}`
            : burn !== null && ` · ${burnWords(burn)}`}
        </span>
        {outcome === null && (
          <span className={styles['line']}>
            <Glyph tone="ok" /> Begun
          </span>
        )}
      </div>
      {problem !== null && <ProblemNote problem={problem} />}
      {outcome !== null && outcome !== undefined && <Refusal problem={outcome} />}
      {plan !== null && (
        <>
          <CheckList
            checks={plan.checks}
            overridden={overridden}
            onSendSecret={() => overlayOpened({ kind: 'send-secret', boxId })}
            onOverride={onOverride}
            rehearsal={rehearsal}
          />
          <details className={styles['more']}>
            <summary>Everything that is done on {place}</summary>
            <div className={styles['form']}>
              <PlanParts plan={{ ...plan, files: [file, ...plan.files] }} />
            </div>
          </details>
          {isLaunching && plan.push !== null && <PushBar boxId={boxId} />}
        </>
      )}
    </section>
  );
}
