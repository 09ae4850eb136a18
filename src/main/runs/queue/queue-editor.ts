import { problem, type Problem } from '../../../shared/problem.ts';
import { err, type Result } from '../../../shared/result.ts';
import type { LaunchedRuns } from '../../../shared/runs/launch/launched-run.ts';
import type { BoxRoster } from '../../boxes/box-roster.ts';
import type { OnboxScripts } from '../../onbox/onbox-scripts.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';
import type { RunWatch } from '../run-watch.ts';
import { addCells, wishOfQueue, type AddedCells, type QueueWish } from './change-queue.ts';

export interface QueueEditorOptions {
  readonly roster: Pick<BoxRoster, 'connectionOf'>;
  readonly scripts: OnboxScripts;
  readonly watch: Pick<RunWatch, 'look' | 'runOf' | 'lookAtQueue'>;
}

/** What a person asks of a queue that is on a box. Each answer comes after the box was looked at again. */
export class QueueEditor {
  readonly #options: QueueEditorOptions;

  constructor(options: QueueEditorOptions) {
    this.#options = options;
  }

  wish(boxId: string, id: string, wish: QueueWish): Promise<Result<LaunchedRuns, Problem>> {
    return this.#change(boxId, id, (connection) =>
      wishOfQueue(connection, this.#options.scripts, id, wish),
    );
  }

  async add(boxId: string, id: string, cells: AddedCells): Promise<Result<LaunchedRuns, Problem>> {
    const run = this.#options.watch.runOf(boxId, id);
    if (run?.queue === undefined) {
      return err(problem('run-not-listed', 'The box does not list this queue.'));
    }
    const queue = { id: run.queue.id, cellResults: run.cellResults };
    return this.#change(boxId, id, (connection) =>
      addCells(connection, this.#options.scripts, queue, cells),
    );
  }

  async #change(
    boxId: string,
    id: string,
    act: (connection: SshConnection) => Promise<Result<null, Problem>>,
  ): Promise<Result<LaunchedRuns, Problem>> {
    const { roster, watch } = this.#options;
    const connection = roster.connectionOf(boxId);
    if (connection === null) return err(problem('not-connected', 'The box is not connected.'));
    const done = await act(connection);
    await watch.lookAtQueue(boxId, id);
    const looked = await watch.look(boxId);
    return done.ok ? looked : done;
  }
}
