import { randomUUID } from 'node:crypto';
import { judgePlan, type Plan, type PlanRef, type PlanRefusal } from '../../shared/plan/plan.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { sha256 } from '../storage/sha256.ts';

interface Kept<T> {
  readonly plan: Plan;
  /** Null: it has expired, and what was secret in it is dropped. */
  content: T | null;
  readonly timer: NodeJS.Timeout;
}

/** Long enough to read what is shown, and to answer the telephone in between. */
const LASTS_MS = 30 * 60_000;

/**
 * SECURITY: what main itself has shown is all that it does; the window only points at it. One plan for each box (or whatever it
 * is about), the newest.
 */
export class PlanKeeper<T> {
  readonly #kept = new Map<string, Kept<T>>();
  readonly #lastsMs: number;
  #isClosed = false;

  constructor(lastsMs = LASTS_MS) {
    this.#lastsMs = lastsMs;
  }

  /** `shown`: all that the person sees of it. */
  keep(about: string, content: T, shown: string): Plan {
    const digest = sha256(shown);
    const plan = { id: randomUUID(), digest, expiresAtMs: Date.now() + this.#lastsMs };
    this.#put(about, plan, content);
    return plan;
  }

  /** What stands in it, for what may be done more than once. */
  peek(about: string, shown: PlanRef): Result<T, Problem> {
    const { plan, content } = this.#kept.get(about) ?? { plan: null, content: null };
    const refusal = judgePlan(plan, shown, Date.now());
    if (refusal !== null) return err(refused(refusal));
    return content === null ? err(refused('expired')) : ok(content);
  }

  /** Does it, once: nobody else gets it meanwhile, nor afterwards. What was not done may be tried again until it expires. */
  async carryOut<R>(
    about: string,
    shown: PlanRef,
    act: (content: T) => Promise<Result<R, Problem>>,
  ): Promise<Result<R, Problem>> {
    const taken = this.peek(about, shown);
    if (!taken.ok) return taken;
    const kept = this.#kept.get(about);
    this.forget(about);
    const done = await act(taken.value);
    const isNewest = !this.#kept.has(about);
    if (!done.ok && isNewest && kept !== undefined) this.#put(about, kept.plan, taken.value);
    return done;
  }

  forget(about: string): void {
    clearTimeout(this.#kept.get(about)?.timer);
    this.#kept.delete(about);
  }

  /** Nothing is kept from now on, also what fails only then. */
  close(): void {
    this.#isClosed = true;
    for (const about of [...this.#kept.keys()]) this.forget(about);
  }

  #put(about: string, plan: Plan, content: T): void {
    this.forget(about);
    if (this.#isClosed) return;
    const leftMs = Math.max(0, plan.expiresAtMs - Date.now());
    const kept: Kept<T> = {
      plan,
      content,
      timer: setTimeout(() => (kept.content = null), leftMs),
    };
    kept.timer.unref();
    this.#kept.set(about, kept);
  }
}

const REFUSALS: Readonly<Record<PlanRefusal, () => Problem>> = {
  gone: () =>
    problem(
      'plan-gone',
      'This is not what was shown last, or it was done already. Nothing was done.',
    ),
  expired: () => problem('plan-expired', 'This was shown too long ago. Nothing was done.'),
  changed: () => problem('plan-changed', 'It would not be what you looked at. Nothing was done.'),
};

const refused = (because: PlanRefusal): Problem => REFUSALS[because]();
