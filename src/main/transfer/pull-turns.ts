import { problem, type Problem } from '../../shared/problem.ts';
import { err, type Result } from '../../shared/result.ts';
import type { PullProgress } from '../../shared/transfer/pull.ts';
import type { AskedPull } from './paused-pulls.ts';

export interface UnderWay {
  readonly stopper: AbortController;
  /** Gives way to a person's. */
  readonly isRound: boolean;
  readonly ended: Promise<void>;
  /** A person's: what it takes to go on with it later; null: nothing is known of it yet. */
  asked: AskedPull | null;
  progress: PullProgress | null;
}

/** One pull of a box at a time. */
export class PullTurns {
  readonly #underWay = new Map<string, UnderWay>();
  readonly #onOver: (boxId: string) => void;

  constructor(onOver: (boxId: string) => void) {
    this.#onOver = onOver;
  }

  get all(): Iterable<readonly [string, UnderWay]> {
    return this.#underWay;
  }

  of(boxId: string): UnderWay | undefined {
    return this.#underWay.get(boxId);
  }

  has(boxId: string): boolean {
    return this.#underWay.has(boxId);
  }

  /** Refused while another one is under way. */
  async alone<T>(
    boxId: string,
    isRound: boolean,
    act: (signal: AbortSignal) => Promise<Result<T, Problem>>,
  ): Promise<Result<T, Problem>> {
    if (this.#underWay.has(boxId)) {
      return err(problem('results-not-pulled', 'Results of this box are on their way already.'));
    }
    const stopper = new AbortController();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    this.#underWay.set(boxId, { stopper, isRound, ended, asked: null, progress: null });
    try {
      return await act(stopper.signal);
    } finally {
      this.#underWay.delete(boxId);
      this.#onOver(boxId);
      end();
    }
  }
}
