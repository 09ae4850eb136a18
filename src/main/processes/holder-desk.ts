import { parseEndedProcesses, parseGpuHolders } from '../../shared/probes/gpu-holders.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { EndProcessesInput } from '../../shared/telemetry/end-processes-input.ts';
import type {
  EndedProcess,
  EndReport,
  GpuHolder,
  HoldersLook,
} from '../../shared/telemetry/gpu-holders.ts';
import { changeBox } from '../ssh/change-box.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { newMark, type OnboxScripts, type OnboxValues } from '../onbox/onbox-scripts.ts';

/** Three questions to nvidia-smi and fuser, each bounded on the box. */
const LOOK_TIMEOUT_MS = 90_000;

/** A process that saves its state on TERM needs a moment; a person waits for this. */
const WAIT_S = { TERM: 10, KILL: 5 } as const;
const END_MARGIN_MS = 20_000;

export interface HolderDeskOptions {
  readonly connectionOf: (boxId: string) => SshConnection | null;
  readonly scripts: OnboxScripts;
}

interface Remembered {
  readonly bootId: string | null;
  readonly holders: readonly GpuHolder[];
}

/** Finds who holds a box's GPUs, and ends those that a person names (U11). */
export class HolderDesk {
  readonly #options: HolderDeskOptions;
  /** SECURITY: what main itself has listed is all that it ends; the window only points at it. */
  readonly #listed = new Map<string, Remembered>();

  constructor(options: HolderDeskOptions) {
    this.#options = options;
  }

  async look(boxId: string): Promise<Result<HoldersLook, Problem>> {
    const connection = this.#options.connectionOf(boxId);
    return connection === null ? notConnected() : this.#lookOver(boxId, connection);
  }

  async end(boxId: string, wanted: EndProcessesInput): Promise<Result<EndReport, Problem>> {
    const connection = this.#options.connectionOf(boxId);
    if (connection === null) return notConnected();
    const listed = this.#listed.get(boxId);
    if (listed === undefined || !wanted.processes.every((each) => mayEnd(listed, each))) {
      return err(
        problem(
          'process-not-listed',
          'One of these processes is not what was listed. None was ended.',
        ),
      );
    }
    const ended = await this.#end(boxId, connection, wanted, listed.bootId ?? '');
    if (!ended.ok) return ended;
    const after = await this.look(boxId);
    return ok({
      signal: wanted.signal,
      processes: ended.value,
      after: after.ok ? after.value : null,
    });
  }

  async #lookOver(boxId: string, connection: SshConnection): Promise<Result<HoldersLook, Problem>> {
    const mark = newMark();
    const values = { LEASEHOLD_MARK: mark };
    const { scripts } = this.#options;
    const ran = await scripts.run(connection, 'gpu-holders.sh', values, LOOK_TIMEOUT_MS);
    if (!ran.ok) return ran;
    const { look, bootId, isWhole } = parseGpuHolders(ran.value.stdout, mark, Date.now());
    if (!isWhole) {
      return err(
        problem('command-not-run', 'The search for who holds the GPUs ended in the middle.', {
          detail: ran.value.stderr.slice(0, 500),
        }),
      );
    }
    this.#listed.set(boxId, { bootId, holders: look.kind === 'known' ? look.holders : [] });
    return ok(look);
  }

  #end(
    boxId: string,
    connection: SshConnection,
    { signal, processes }: EndProcessesInput,
    bootId: string,
  ): Promise<Result<readonly EndedProcess[], Problem>> {
    const mark = newMark();
    const values: OnboxValues = {
      LEASEHOLD_MARK: mark,
      LEASEHOLD_BOOT: bootId,
      LEASEHOLD_PROCESSES: processes.map((each) => `${each.pid}:${each.startTicks}`).join(' '),
      LEASEHOLD_SIGNAL: signal,
      LEASEHOLD_WAIT: String(WAIT_S[signal]),
    };
    const timeoutMs = WAIT_S[signal] * 1000 + END_MARGIN_MS;
    return changeBox(connection, {
      run: (on) => this.#options.scripts.run(on, 'end-processes.sh', values, timeoutMs),
      judge: ({ stdout, stderr }) => {
        const ended = parseEndedProcesses(stdout, mark);
        if (ended !== null) return ok(ended);
        const detail = stderr.slice(0, 500);
        return err(
          problem('command-unknown', 'The box did not say what became of them.', { detail }),
        );
      },
      // Where the answer was lost, the process table still tells who is left.
      reread: async (fresh, because) => {
        const looked = await this.#lookOver(boxId, fresh);
        if (!looked.ok) return looked;
        const look = looked.value;
        if (look.kind === 'unknown') return err(because);
        return ok(processes.map((each) => standingOf(each, look.holders)));
      },
    });
  }
}

type Named = EndProcessesInput['processes'][number];

function mayEnd({ holders }: Remembered, named: Named): boolean {
  return holders.some((holder) => isSame(holder, named) && holder.guard === null);
}

function isSame({ pid, startTicks }: GpuHolder, named: Named): boolean {
  return pid === named.pid && startTicks === named.startTicks;
}

function standingOf(named: Named, holders: readonly GpuHolder[]): EndedProcess {
  const left = holders.find((holder) => isSame(holder, named));
  const isLeft = left !== undefined && left.guard !== 'zombie';
  return { pid: named.pid, outcome: isLeft ? 'left' : 'ended', state: left?.state ?? null };
}

function notConnected(): Result<never, Problem> {
  return err(problem('not-connected', 'The box is not connected.'));
}
