import type { Problem } from '../../../shared/problem.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { QueueDelta, QueueView } from '../../../shared/runs/queue/queue-view.ts';
import { marksOf } from '../../../shared/runs/queue/read-queue-look.ts';
import type { OnboxScripts } from '../../onbox/onbox-scripts.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';
import { mapInTurns } from '../../streams/in-turns.ts';
import { lookAtQueue } from './look-at-queue.ts';

export interface QueueChange {
  readonly delta: QueueDelta;
  /** No process outlived its run: of one that was over before this look, which read all, a later one would bring the same. */
  readonly isSettled: boolean;
}

/** How far one queue was read: each look brings only what is new. */
export class QueueTrail {
  readonly #scripts: OnboxScripts;
  readonly #queue: string;
  /** SECURITY: takes secrets out of what stands on the box. */
  readonly #redact: (text: string) => string;
  #known = '';
  #at = 0;

  constructor(scripts: OnboxScripts, queue: string, redact: (text: string) => string) {
    this.#scripts = scripts;
    this.#queue = queue;
    this.#redact = redact;
  }

  /** What changed since `before`, which is what the looks so far came to. `run`: the newest that goes on with the queue. */
  async look(
    connection: SshConnection,
    run: string,
    before: QueueView,
    signal?: AbortSignal,
  ): Promise<Result<QueueChange, Problem>> {
    const looked = await lookAtQueue(connection, this.#scripts, {
      ...{ queue: this.#queue, run },
      ...(signal === undefined ? {} : { signal }),
      known: this.#known,
      from: this.#at,
    });
    if (!looked.ok) return looked;
    const { cells, sum, from, to, entries, slots, isPaused, isStopping } = looked.value;
    const { left, pruning } = looked.value;
    // It is shorter than what was read of it: somebody has edited it.
    const isAnew = from !== this.#at;
    this.#known = sum;
    this.#at = to;
    const shown =
      cells === null
        ? null
        : await mapInTurns(cells, ({ name, command, isCommented }) => ({
            name: this.#redact(name),
            command: this.#redact(command),
            isCommented,
          }));
    const marks = marksOf(entries, isAnew ? {} : before.marks);
    return ok({
      isSettled: left.length === 0,
      delta: {
        atMs: Date.now(),
        problem: null,
        ...(shown === null ? {} : { cells: shown }),
        ...(isAnew ? { isAnew } : {}),
        ...(entries.length === 0 ? {} : { marks }),
        ...(slots === before.slots ? {} : { slots }),
        ...(isPaused === before.isPaused ? {} : { isPaused }),
        ...(isStopping === before.isStopping ? {} : { isStopping }),
        ...(left.join() === before.left.join() ? {} : { left }),
        ...(pruning.join() === before.pruning.join() ? {} : { pruning }),
      },
    });
  }
}
