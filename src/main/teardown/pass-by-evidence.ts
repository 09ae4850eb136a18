import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import { ChangePass, type Change, type PassGround } from '../../shared/teardown/change-pass.ts';
import { isUnderWay, SHUT, stepGate, type GateState } from '../../shared/teardown/gate.ts';
import { resumedBy, type KeptStep, type TeardownRecords } from './teardown-records.ts';

/**
 * SECURITY: the pass for the command line, which has no gate but what the evidence says. A yes is in the memory of a window alone; the look before the
 * end of the box finds what was changed since, and ends that yes.
 */
export function passByEvidence(
  records: Pick<TeardownRecords, 'newest'>,
  boxId: string,
  change: Change,
  onUnread: (why: Problem) => void,
): Result<ChangePass, Problem> {
  const ground = (): Result<PassGround, Problem> => {
    const newest = records.newest(boxId);
    return ok({
      ...groundBy(newest.ok ? newest.value : null),
      unread: newest.ok ? null : newest.error,
    });
  };
  return ChangePass.open({ ground, onUnread }, change);
}

function groundBy(newest: KeptStep | null): Omit<PassGround, 'unread'> {
  if (newest === null) return { gate: SHUT, isLeft: false };
  const { step } = newest;
  const isLeft = step.step === 'gone' && (step.aim === 'stopped' || step.ends === false);
  return { gate: gateBy(newest), isLeft };
}

function gateBy(newest: KeptStep): GateState {
  const next = stepGate(SHUT, resumedBy(newest));
  const gate = next.ok ? next.value : SHUT;
  // A window may be at it right now.
  return isUnderWay(gate) ? { ...gate, kind: 'acting', isAnswered: false } : gate;
}
