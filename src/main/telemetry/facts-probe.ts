import { parseGpuFacts, type GpuFactsLook } from '../../shared/probes/gpu-facts.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';

/** A big box can take seconds to answer one query, and a sick driver hangs for 45 s and more (facts/nvidia.md §1.4). */
const LOOK_TIMEOUT_MS = 90_000;

export interface FactsLookOptions {
  readonly refused: readonly string[];
  /** Also what never changes while the driver runs. */
  readonly isFirst: boolean;
  /** nvidia-smi did not answer lately. */
  readonly isSuspect: boolean;
  readonly signal: AbortSignal;
}

/** One look of the slow probe, with the time at which it had answered. */
export async function lookAtFacts(
  connection: SshConnection,
  scripts: OnboxScripts,
  { refused, isFirst, isSuspect, signal }: FactsLookOptions,
): Promise<Result<GpuFactsLook & { readonly atMs: number }, Problem>> {
  const mark = newMark();
  const askedAtMs = Date.now();
  const ran = await scripts.run(
    connection,
    'gpu-facts.sh',
    {
      LEASEHOLD_MARK: mark,
      LEASEHOLD_REFUSED: refused.join(','),
      LEASEHOLD_STATIC: isFirst ? '1' : '0',
      LEASEHOLD_SUSPECT: isSuspect ? '1' : '0',
    },
    LOOK_TIMEOUT_MS,
    signal,
  );
  const answeredAtMs = Date.now();
  if (!ran.ok) {
    if (ran.error.code !== 'command-timeout') return ran;
    return err(problem('gpu-tool-hangs', 'nvidia-smi does not answer on this box.'));
  }
  const look = parseGpuFacts(ran.value.stdout, mark, { askedAtMs, answeredAtMs });
  if (look.hung.length > 0) {
    return err(
      problem('gpu-tool-hangs', 'nvidia-smi waits for a driver that does not answer.', {
        detail: `processes ${look.hung.join(', ')}`,
      }),
    );
  }
  if (!look.isWhole) {
    return err(
      problem('gpu-tool-failed', 'The check of the GPUs ended in the middle.', {
        detail: `${ran.value.stderr} ${look.unreadable.slice(0, 3).join(' ')}`,
      }),
    );
  }
  return ok({ ...look, atMs: answeredAtMs });
}
