import type { PlanRef } from '../../shared/plan/plan.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type {
  LaunchPlan,
  PreflightCheck,
  Overridden,
} from '../../shared/runs/launch/launch-plan.ts';
import { withEndNow } from '../../shared/runs/launch/checks/need-checks.ts';
import type { KnownBox } from '../../shared/runs/launch/known-box.ts';
import {
  type LaunchedRun,
  type LaunchedRuns,
  type ResultList,
} from '../../shared/runs/launch/launched-run.ts';
import type { RunRequest } from '../../shared/runs/launch/run-request.ts';
import type { QueueRequest } from '../../shared/runs/queue/queue-cell.ts';
import type { ChangePass } from '../../shared/teardown/change-pass.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { PlanKeeper } from '../plan/plan-keeper.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { carryOut } from './carry-out.ts';
import { endRun } from './end-run.ts';
import type { BoxPushes } from '../transfer/box-pushes.ts';
import { placeOfResults } from '../../shared/transfer/result-root.ts';
import { listResults } from './list-results.ts';
import { makePlan } from './make-plan.ts';
import type { Notices } from './notices.ts';
import { planOf, type PlannedLaunch } from './plan-of.ts';
import { declineResume } from './resume/decline-resume.ts';
import { sayMachineGone, seenAlive } from './resume/machine-gone.ts';
import { planResume } from './resume/plan-resume.ts';
import { rehearsalIn, type WantedRehearsal } from './request/rehearse.ts';
import type { RunWatch } from './run-watch.ts';

export interface RunLauncherOptions {
  readonly roster: Pick<BoxRoster, 'connectionOf' | 'boxOf'>;
  /** What is known of a box without asking it. */
  readonly knownBox: (boxId: string) => KnownBox;
  readonly scripts: OnboxScripts;
  readonly watch: Pick<
    RunWatch,
    'look' | 'runOf' | 'aliveOn' | 'expect' | 'hasBegun' | 'resultsListed'
  >;
  readonly pushes: Pick<BoxPushes, 'plan' | 'push'>;
  /** Absent: nothing is armed beside a run. */
  readonly notices?: Pick<Notices, 'arm'>;
  /** What else is known of cells before a queue goes on with them. `queue`: the run whose folder holds it. */
  readonly checksOfCells?: (
    queue: string,
    names: readonly string[],
  ) => Promise<readonly PreflightCheck[]>;
  /** Seconds; a test has less time. */
  readonly graceS?: number;
}

/** Launches runs on boxes, and ends them: what was shown is all that is done, and once. */
export class RunLauncher {
  readonly #options: RunLauncherOptions;
  readonly #plans = new PlanKeeper<PlannedLaunch>();

  constructor(options: RunLauncherOptions) {
    this.#options = options;
  }

  /** Looks at the box and answers everything that a launch would do. Changes nothing there. */
  plan(
    boxId: string,
    request: RunRequest,
    queue: QueueRequest | null = null,
  ): Promise<Result<LaunchPlan, Problem>> {
    return this.#withBox(boxId, async (connection) => {
      const { scripts, pushes, knownBox } = this.#options;
      const known = knownBox(boxId);
      const made = await makePlan(connection, { scripts, pushes, request, queue, known });
      return made.ok ? this.#keep(boxId, made.value) : made;
    });
  }

  /** The same for going on after a run that is over, with its queue or by its command. */
  planResume(boxId: string, id: string): Promise<Result<LaunchPlan, Problem>> {
    return this.#withBox(boxId, async (connection) => {
      const { scripts, knownBox, roster, watch } = this.#options;
      const planned = await planResume(connection, scripts, knownBox(boxId), {
        id,
        place: roster.boxOf(boxId)?.name ?? null,
        hasBegun: (queue) => watch.hasBegun(boxId, queue),
      });
      if (!planned.ok) return planned;
      const { queue, checks } = planned.value;
      if (queue === undefined) return this.#keep(boxId, planned.value);
      const names = queue.shown.cells.map(({ name }) => name);
      const more = await this.#options.checksOfCells?.(queue.id, names);
      return this.#keep(boxId, { ...planned.value, checks: [...(more ?? []), ...checks] });
    });
  }

  /** That run is not offered again, from any computer. Read back from the box. */
  declineResume(boxId: string, id: string): Promise<Result<LaunchedRuns, Problem>> {
    return this.#withBox(boxId, async (connection) => {
      const declined = await declineResume(connection, this.#options.scripts, id);
      const looked = await this.#options.watch.look(boxId);
      return declined.ok ? looked : declined;
    });
  }

  async #keep(boxId: string, planned: PlannedLaunch): Promise<Result<LaunchPlan, Problem>> {
    const shown = planOf(planned, await this.#options.scripts.textOf('run-launch.sh'));
    return ok({ ...shown, plan: this.#plans.keep(boxId, planned, JSON.stringify(shown)) });
  }

  /** What must have passed on this computer before the launch that was shown; refused where the request names nothing, or pushes no code. */
  rehearsalOf(boxId: string, shown: PlanRef): Result<WantedRehearsal, Problem> {
    const planned = this.#plans.peek(boxId, shown);
    return planned.ok ? rehearsalIn(planned.value.request) : planned;
  }

  /** A person says that the machine which launched that run is gone for good. Refused where a box that is connected shows it alive. */
  machineGone(boxId: string, id: string, machine: string): Promise<Result<LaunchedRuns, Problem>> {
    return this.#withBox(boxId, async (connection) => {
      const { scripts, watch, roster } = this.#options;
      const alive = watch.aliveOn(id);
      const said =
        alive === null
          ? await sayMachineGone(connection, scripts, id, machine)
          : err(seenAlive(roster.boxOf(alive)?.name ?? machine));
      const looked = await watch.look(boxId);
      return said.ok ? looked : said;
    });
  }

  /** Launches what the plan has shown, over these blocks; answers after the run was read back. */
  launch(
    boxId: string,
    shown: PlanRef,
    overridden: Overridden = new Set(),
  ): Promise<Result<LaunchedRuns, Problem>> {
    return this.#withBox(boxId, async (connection) => {
      const launched = await this.#plans.carryOut<Result<null, Problem>>(boxId, shown, (planned) =>
        this.carryOut(boxId, connection, planned, overridden),
      );
      const looked = await this.#options.watch.look(boxId);
      if (!launched.ok) return launched;
      return launched.value.ok ? looked : launched.value;
    });
  }

  /** Does what was planned on that box, as `carryOut` says; then arms what was shown beside it. */
  async carryOut(
    boxId: string,
    connection: SshConnection,
    planned: PlannedLaunch,
    overridden: Overridden,
  ): Promise<Result<Result<null, Problem>, Problem>> {
    const { scripts, pushes, watch, knownBox } = this.#options;
    const options = { scripts, pushes, seen: watch };
    const now = { ...planned, checks: withEndNow(planned.checks, knownBox(boxId)) };
    const done = await carryOut(options, boxId, connection, now, overridden);
    if (done.ok && done.value.ok) await this.#options.notices?.arm(boxId, planned);
    return done;
  }

  /** Ends exactly that run; says so only when the box has nothing of it left. */
  end(boxId: string, id: string, pass: ChangePass): Promise<Result<LaunchedRuns, Problem>> {
    return this.#withBox(boxId, async (connection) => {
      const { scripts, graceS } = this.#options;
      const ended = await endRun(connection, scripts, { id, pass }, graceS);
      const looked = await this.#options.watch.look(boxId);
      return ended.ok ? looked : ended;
    });
  }

  /** Which files lie where its results were to be. */
  results(boxId: string, id: string): Promise<Result<ResultList, Problem>> {
    return this.#withBox(boxId, async (connection) => {
      const run = await this.#find(boxId, id);
      if (!run.ok) return run;
      const listed = await listResults(
        connection,
        this.#options.scripts,
        placeOfResults(run.value),
      );
      if (listed.ok) this.#options.watch.resultsListed(boxId, id, listed.value.files);
      return listed;
    });
  }

  /** Nothing that was shown can be launched any more. */
  close(): void {
    this.#plans.close();
  }

  async #find(boxId: string, id: string): Promise<Result<LaunchedRun, Problem>> {
    const { watch } = this.#options;
    if (watch.runOf(boxId, id) === null) {
      const looked = await watch.look(boxId);
      if (!looked.ok) return looked;
    }
    const run = watch.runOf(boxId, id);
    return run === null
      ? err(problem('run-not-listed', 'The box does not list this run.'))
      : ok(run);
  }

  #withBox<T>(
    boxId: string,
    act: (connection: SshConnection) => Promise<Result<T, Problem>>,
  ): Promise<Result<T, Problem>> {
    const connection = this.#options.roster.connectionOf(boxId);
    return connection === null
      ? Promise.resolve(err(problem('not-connected', 'The box is not connected.')))
      : act(connection);
  }
}
