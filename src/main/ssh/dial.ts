import { connect as connectTcp, type Socket } from 'node:net';
import type { SshAddress } from '../../shared/boxes/address.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { toProblem } from './to-problem.ts';

const CONNECT_TIMEOUT_MS = 15_000;

/** TCP first and apart: its time is the round trip, and its errors are the network's own. */
export function dial(
  address: SshAddress,
  signal: AbortSignal,
): Promise<Result<{ socket: Socket; latencyMs: number }, Problem>> {
  return new Promise((resolve) => {
    const startedAtMs = performance.now();
    const socket = connectTcp({ host: address.host, port: address.port, noDelay: true });
    const finish = (result: Result<{ socket: Socket; latencyMs: number }, Problem>): void => {
      socket.removeAllListeners();
      socket.setTimeout(0);
      signal.removeEventListener('abort', onAbort);
      if (!result.ok) socket.destroy();
      resolve(result);
    };
    const onAbort = (): void => finish(err(problem('aborted', 'Connecting was stopped.')));
    socket.setTimeout(CONNECT_TIMEOUT_MS, () =>
      finish(err(toProblem({ code: 'ETIMEDOUT', message: 'connect timed out' }, address))),
    );
    socket.once('error', (cause) => finish(err(toProblem(cause, address))));
    socket.once('connect', () =>
      finish(ok({ socket, latencyMs: performance.now() - startedAtMs })),
    );
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}
