import { problem, type Problem } from '../problem.ts';
import { err, ok, type Result } from '../result.ts';
import { isUnderWay, type GateState } from './gate.ts';

/** What a verb does to a box that it does not end: it ends work there, or it deletes. */
export interface Change {
  readonly does: 'end-work' | 'delete';
  /** What alone it is done to: a run, a session, or the digest of the plan that was shown. */
  readonly about: string;
}

/** What a pass is judged by. */
export interface PassGround {
  readonly gate: GateState;
  /** Its end took no machine away: it was only stopped, or only a job of it was ended. */
  readonly isLeft: boolean;
  /** Why the evidence could not be read; null: `gate` is by the evidence. */
  readonly unread: Problem | null;
}

/** What a pass asks anew when it is taken: hours of judging may lie between, in which another Leasehold ends the box. */
interface PassJudge {
  readonly ground: () => Result<PassGround, Problem>;
  /** Is told once that the evidence could not be read, where the pass is judged without it. */
  readonly onUnread: (why: Problem) => void;
}

/**
 * What every verb asks for that ends work on a box or deletes there. Only the gate gives one out, for one thing that was shown, and never while a yes
 * stands: nobody says yes to a box that is being changed. No way around it compiles.
 */
export class ChangePass {
  readonly #judge: PassJudge;
  readonly #change: Change;
  #isTaken = false;
  #isTold = false;
  #whyNot: Problem = NOT_SHOWN;

  private constructor(judge: PassJudge, change: Change) {
    this.#judge = judge;
    this.#change = change;
  }

  static open(judge: PassJudge, change: Change): Result<ChangePass, Problem> {
    const pass = new ChangePass(judge, change);
    const whyNot = pass.#whyRefused();
    return whyNot === null ? ok(pass) : err(whyNot);
  }

  /** True once, and for that alone. */
  take(does: Change['does'], about: string): boolean {
    if (this.#isTaken) return false;
    if (does !== this.#change.does) return false;
    if (about !== this.#change.about) return false;
    const whyNot = this.#whyRefused();
    if (whyNot !== null) {
      this.#whyNot = whyNot;
      return false;
    }
    this.#isTaken = true;
    return true;
  }

  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Whether it was taken, and for a verb of this kind. */
  isTakenTo(does: Change['does']): boolean {
    return this.#isTaken && this.#change.does === does;
  }

  /** Why a verb does nothing that it could not take the pass for. */
  get whyNot(): Problem {
    return this.#whyNot;
  }

  #whyRefused(): Problem | null {
    const { does } = this.#change;
    const now = this.#judge.ground();
    if (!now.ok) return now.error;
    const { gate, isLeft, unread } = now.value;
    // A run that burns money does not wait for evidence that nobody can read: what is known without it still refuses while a yes stands.
    if (unread !== null && does === 'delete') return unread;
    if (unread !== null && !this.#isTold) {
      this.#isTold = true;
      this.#judge.onUnread(unread);
    }
    const { kind } = gate;
    if (kind === 'approved') return WITHDRAW_FIRST;
    if (kind === 'acting' && !gate.isAnswered) return ORDER_GOES_OUT;
    // Work that runs on can be ended: nothing rests on it any more, and calling the end off for it would be a lie.
    if (isUnderWay(gate) && does === 'delete') return NOTHING_DELETED;
    if (kind === 'gone' && !isLeft) return GONE;
    // Started again it runs and costs like any other; what is at its address by now only a person can say.
    return kind === 'gone' && does === 'delete' ? SAY_BACK_FIRST : null;
  }
}

const NOT_SHOWN = problem(
  'plan-gone',
  'This is not what was shown last, or it was done already. Nothing was done.',
);

const refusal = (message: string, nextStep: string): Problem =>
  problem('teardown-refused', message, { nextStep });

const WITHDRAW_FIRST = refusal(
  'Withdraw your approval first: it is for the box as you saw it.',
  'Choose “Withdraw approval” on the Teardown tab of the box.',
);
const ORDER_GOES_OUT = refusal(
  'The end of this box is under way.',
  'Wait until its Teardown tab says what came of that. Work that runs on can then be ended in the window.',
);
const NOTHING_DELETED = refusal(
  'The end of this box is under way. Nothing is deleted on it now.',
  'If it was not ended after all, say so on its Teardown tab.',
);
const SAY_BACK_FIRST = refusal(
  'The end of this box is confirmed. Nothing is deleted on it until you say that it is back.',
  'Choose “This box is back…” on its Teardown tab.',
);
const GONE = refusal(
  'This box is gone: nothing on it can be changed.',
  'If a machine is at its address again, say so on its page in the archive.',
);
