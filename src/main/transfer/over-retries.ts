import { problem, type Problem, type ProblemCode } from '../../shared/problem.ts';
import { err, type Result } from '../../shared/result.ts';
import type { PullRetry } from '../../shared/transfer/pull.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

/** With these nothing is known of the box but that it is not heard: its link went, fell silent, or does not come about. */
const CUT: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'link-lost',
  'not-connected',
  'command-unknown',
  'connect-timeout',
  'unreachable',
  'no-way',
  'host-not-found',
  'proxy-timeout',
  'proxy-unreachable',
]);

export const isCut = ({ code }: Problem): boolean => CUT.has(code);

/** A network that comes back soon is not waited for long; one that stays away for a quarter of an hour wants a person. */
export const RETRY_WAITS_MS: readonly number[] = [
  1000, 2000, 5000, 10_000, 20_000, 40_000, 60_000, 120_000, 240_000, 300_000,
];

export interface Retrying<T> {
  readonly connection: SshConnection;
  /** The next one. */
  readonly connect: (signal: AbortSignal) => Promise<Result<SshConnection, Problem>>;
  readonly act: (connection: SshConnection) => Promise<Result<T, Problem>>;
  /** How far it is: whoever gets further begins to wait anew. */
  readonly mark: () => number;
  /** `goOn`: for who does not want to wait until then. */
  readonly onWait: (retry: PullRetry, goOn: () => void) => void;
  readonly signal: AbortSignal;
  readonly waitsMs?: readonly number[];
}

/** Does it, and again over a new connection where one was lost, each time after a longer wait, until it gets no further. */
export async function overRetries<T>(retrying: Retrying<T>): Promise<Result<T, Problem>> {
  const { connect, act, mark, onWait, signal, waitsMs = RETRY_WAITS_MS } = retrying;
  let done = await act(retrying.connection);
  let [tries, marked] = [0, mark()];
  while (!done.ok && isCut(done.error) && !signal.aborted) {
    if (mark() > marked) [tries, marked] = [0, mark()];
    const waitMs = waitsMs[tries];
    if (waitMs === undefined) return done;
    tries += 1;
    const untilMs = Date.now() + waitMs;
    const retry = {
      tries,
      ofTries: waitsMs.length,
      untilMs,
      because: done.error.message,
    };
    await waited(waitMs, signal, (goOn) => onWait(retry, goOn));
    if (signal.aborted) return err(problem('aborted', 'It was stopped.'));
    const opened = await connect(signal);
    done = opened.ok ? await act(opened.value) : opened;
  }
  return done;
}

/** Over when the time is, when it was stopped, or when somebody goes on. */
function waited(
  waitMs: number,
  signal: AbortSignal,
  onBegin: (goOn: () => void) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, waitMs);
    signal.addEventListener('abort', end);
    onBegin(end);
  });
}
