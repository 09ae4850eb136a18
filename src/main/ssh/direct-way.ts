import type { SshAddress } from '../../shared/boxes/address.ts';
import { problem, type Reach } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { dial, type DialFailure } from './dial.ts';
import { toProblem } from './to-problem.ts';
import type { OpenWay } from './way.ts';

/** TCP first and apart: its time is the round trip, and its errors are the network's own. */
export const directWay =
  (address: SshAddress): OpenWay =>
  async (signal) => {
    const dialled = await dial(address, signal);
    if (!dialled.ok) {
      return err(
        signal.aborted
          ? problem('aborted', 'Connecting was stopped.')
          : { ...toProblem(dialled.error, address), reach: reachOf(dialled.error) },
      );
    }
    const { socket, latencyMs } = dialled.value;
    return ok({
      stream: socket,
      latencyMs,
      isDirect: true,
      close: () => undefined,
      explain: (seen) => seen,
    });
  };

/** Only what the address itself did counts as its answer. A name that nobody knows may be known in another network. */
const reachOf = ({ code }: DialFailure): Reach =>
  code === 'ECONNREFUSED' || code === 'ETIMEDOUT' ? 'no-answer' : 'no-way';
