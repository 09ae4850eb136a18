import type { PlanRef } from '../plan/plan.ts';
import { err, ok, type Result } from '../result.ts';
import type { GateState } from './gate.ts';

/** Why nothing is deleted on the box now, as a sentence. */
export type DeleteRefusal = string;

/**
 * The verb “delete on the box”: what every such call asks for. Only the gate gives one out, for one plan that was shown and only while no end of the box
 * is approved or under way, so that nobody says yes to a box that is being changed. No way around it compiles.
 */
export class DeletePass {
  readonly #digest: string;
  #isUsed = false;

  private constructor(digest: string) {
    this.#digest = digest;
  }

  static open({ kind }: GateState, { digest }: PlanRef): Result<DeletePass, DeleteRefusal> {
    switch (kind) {
      case 'shut':
        return ok(new DeletePass(digest));
      case 'approved':
        return err('Withdraw your approval first: it is for the box as you saw it.');
      case 'acting':
      case 'unconfirmed':
        return err('The end of this box is under way. Nothing is deleted on it now.');
      case 'gone':
        return err('This box is gone: there is nothing to delete.');
    }
  }

  /** True once, for what the plan has shown. */
  take(digest: string): boolean {
    if (this.#isUsed || digest !== this.#digest) return false;
    this.#isUsed = true;
    return true;
  }
}
