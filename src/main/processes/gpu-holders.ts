import { parseEndedProcesses, parseGpuHolders } from '../../shared/probes/gpu-holders.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { processRefIn, type ProcessRef } from '../../shared/runs/process-ref.ts';
import type { EndProcessesInput } from '../../shared/telemetry/end-processes-input.ts';
import type { ChangePass } from '../../shared/teardown/change-pass.ts';
import type {
  EndedProcess,
  EndSignal,
  EndReport,
  ListedHolders,
} from '../../shared/telemetry/gpu-holders.ts';
import type { Connections } from '../boxes/box-roster.ts';
import { PlanKeeper } from '../plan/plan-keeper.ts';
import { changeBox } from '../ssh/change-box.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { newMark, type OnboxScripts, type OnboxValues } from '../onbox/onbox-scripts.ts';

/** Three questions to nvidia-smi and fuser, each bounded on the box. */
const LOOK_TIMEOUT_MS = 90_000;

/** A process that saves its state on TERM needs a moment; a person waits for this. */
const WAIT_S = { TERM: 10, KILL: 5 } as const;
const END_MARGIN_MS = 20_000;

export interface GpuHoldersOptions {
  readonly roster: Connections;
  readonly scripts: OnboxScripts;
}

/** Who may be ended, as they were listed. */
type Listed = readonly ProcessRef[];

/** Finds who holds a box's GPUs, and ends those that a person names (U11). */
export class GpuHolders {
  readonly #options: GpuHoldersOptions;
  readonly #plans = new PlanKeeper<Listed>();

  constructor(options: GpuHoldersOptions) {
    this.#options = options;
  }

  async look(boxId: string): Promise<Result<ListedHolders, Problem>> {
    const connection = this.#options.roster.connectionOf(boxId);
    return connection === null ? notConnected() : this.#lookOver(boxId, connection);
  }

  /** SECURITY: ends those of the plan that are named. */
  async end(
    boxId: string,
    wanted: EndProcessesInput,
    pass: ChangePass,
  ): Promise<Result<EndReport, Problem>> {
    const connection = this.#options.roster.connectionOf(boxId);
    if (connection === null) return notConnected();
    const ended = await this.#plans.carryOut(boxId, wanted.plan, (listed) => {
      const processes = listed.filter(({ pid }) => wanted.pids.includes(pid));
      const isEach = wanted.pids.every((pid) => processes.some((each) => each.pid === pid));
      if (!isEach) return Promise.resolve(err(notListed()));
      return pass.take('end-work', wanted.plan.digest)
        ? this.#end(connection, wanted.signal, processes)
        : Promise.resolve(err(pass.whyNot));
    });
    if (!ended.ok) return ended;
    const after = await this.look(boxId);
    return ok({
      signal: wanted.signal,
      processes: ended.value,
      after: after.ok ? after.value : null,
    });
  }

  async #lookOver(
    boxId: string,
    connection: SshConnection,
  ): Promise<Result<ListedHolders, Problem>> {
    const mark = newMark();
    const values = { LEASEHOLD_MARK: mark };
    const { scripts } = this.#options;
    const ran = await scripts.run(connection, 'gpu-holders.sh', values, LOOK_TIMEOUT_MS);
    if (!ran.ok) return ran;
    const { look, isWhole } = parseGpuHolders(ran.value.stdout, mark, Date.now());
    if (!isWhole) {
      return err(
        problem('command-not-run', 'The search for who holds the GPUs ended in the middle.', {
          detail: ran.value.stderr,
        }),
      );
    }
    const mayEnd = look.kind === 'known' ? look.holders.filter(({ guard }) => guard === null) : [];
    const listed = mayEnd.flatMap((holder) => processRefIn(holder) ?? []);
    return ok({ ...look, plan: this.#plans.keep(boxId, listed, JSON.stringify(look)) });
  }

  /** Nothing that was listed can be ended any more. */
  close(): void {
    this.#plans.close();
  }

  #end(
    connection: SshConnection,
    signal: EndSignal,
    processes: Listed,
  ): Promise<Result<readonly EndedProcess[], Problem>> {
    const mark = newMark();
    const send = (on: SshConnection, what: EndSignal | '0') => {
      const values: OnboxValues = {
        LEASEHOLD_MARK: mark,
        LEASEHOLD_BOOT: processes[0]?.bootId ?? '',
        LEASEHOLD_PROCESSES: processes.map((each) => `${each.pid}:${each.startTicks}`).join(' '),
        LEASEHOLD_SIGNAL: what,
        LEASEHOLD_WAIT: String(WAIT_S[signal]),
      };
      const timeoutMs = WAIT_S[signal] * 1000 + END_MARGIN_MS;
      return this.#options.scripts.run(on, 'end-processes.sh', values, timeoutMs);
    };
    return changeBox(connection, {
      run: (on) => send(on, signal),
      judge: ({ stdout, stderr }) => {
        const ended = parseEndedProcesses(stdout, mark);
        if (ended !== null) return ok(ended);
        return err(
          problem('command-unknown', 'The box did not say what became of them.', {
            detail: stderr,
          }),
        );
      },
      // By the process table: one that let go of its GPU may run on.
      reread: async (fresh, because) => {
        const looked = await send(fresh, '0');
        if (!looked.ok) return looked;
        const seen = parseEndedProcesses(looked.value.stdout, mark);
        return seen === null ? err(because) : ok(seen.map(afterLostAnswer));
      },
    });
  }
}

/** Whether it heard our signal, nobody knows any more; whether it is still there, the box does. */
function afterLostAnswer(seen: EndedProcess): EndedProcess {
  if (seen.outcome === 'gone' || seen.outcome === 'other') return { ...seen, outcome: 'ended' };
  return seen.outcome === 'denied' ? { ...seen, outcome: 'left' } : seen;
}

function notListed(): Problem {
  return problem(
    'process-not-listed',
    'One of these processes is not what was listed. None was ended.',
  );
}

function notConnected(): Result<never, Problem> {
  return err(problem('not-connected', 'The box is not connected.'));
}
