import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { PushRequest } from '../../shared/runs/launch/run-request.ts';
import { pushesStream } from '../../shared/streams/runs-stream.ts';
import type { BoxChange, ByBox } from '../../shared/streams/meter-stream.ts';
import type { PushProgress } from '../../shared/transfer/push-progress.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';
import { CodePusher, type FoundPush, type KeptPush } from './code-pusher.ts';
import type { LocalHashes } from './local-hashes.ts';
import { isCut } from './over-retries.ts';

/** A new log-in over a network that has just come back. */
const RESUME_TIMEOUT_MS = 60_000;

/** On which connection it goes on after a push. */
export interface Pushed {
  readonly on: SshConnection;
  readonly close: () => void;
}

export interface BoxPushesOptions {
  readonly hub: StreamHub;
  readonly scripts: OnboxScripts;
  /** Of the files of this computer; absent: of this session alone. */
  readonly hashes?: LocalHashes;
}

/** The pushes that are under way, one for each box (stream `pushes`). */
export class BoxPushes {
  readonly #hub: StreamHub;
  readonly #pusher: CodePusher;
  readonly #topic: Topic<ByBox<PushProgress>, BoxChange<PushProgress>>;
  readonly #underWay = new Map<string, AbortController>();

  constructor({ hub, scripts, hashes }: BoxPushesOptions) {
    this.#hub = hub;
    this.#pusher = new CodePusher(scripts, hashes);
    this.#topic = hub.addTopic('pushes', '', {
      kind: pushesStream,
      initial: { boxes: {} },
    });
  }

  /** Compares the folder with what the box has. Changes nothing on either side. */
  plan(
    connection: SshConnection,
    push: PushRequest,
    folder: string,
  ): Promise<Result<FoundPush, Problem>> {
    return this.#pusher.plan(connection, push, folder);
  }

  /** Sends what was planned; over a new connection goes on where one is lost, once. Null: nothing is to be sent. */
  async push(
    boxId: string,
    connection: SshConnection,
    kept: KeptPush | null,
  ): Promise<Result<Pushed, Problem>> {
    if (kept === null) return ok({ on: connection, close: () => undefined });
    if (this.#underWay.has(boxId)) {
      return err(problem('code-not-sent', 'Code is on its way to this box already.'));
    }
    const stopper = new AbortController();
    this.#underWay.set(boxId, stopper);
    try {
      return await this.#push(boxId, connection, kept, stopper.signal);
    } finally {
      this.#underWay.delete(boxId);
      this.#topic.publish({ boxId, value: null });
    }
  }

  /** What has arrived by then is not sent twice. */
  stop(boxId: string): void {
    this.#underWay.get(boxId)?.abort();
  }

  /** For quitting. */
  close(): void {
    for (const stopper of this.#underWay.values()) stopper.abort();
    this.#hub.removeTopic('pushes', '');
  }

  async #push(
    boxId: string,
    connection: SshConnection,
    kept: KeptPush,
    signal: AbortSignal,
  ): Promise<Result<Pushed, Problem>> {
    const onProgress = (value: PushProgress): void => this.#topic.publish({ boxId, value });
    const options = { signal, onProgress };
    const first = await this.#pusher.push(connection, kept, options);
    if (first.ok) return ok({ on: connection, close: () => undefined });
    if (signal.aborted) return err(cancelled());
    if (!isCut(first.error)) return first;
    const opened = await withinTime(signal, (within) => connection.openAnother(within));
    if (signal.aborted) {
      if (opened.ok) opened.value.close();
      return err(cancelled());
    }
    if (!opened.ok) return err(cutOff(opened.error));
    const fresh = opened.value;
    const again = await this.#pusher.push(fresh, kept, options, true);
    if (again.ok) return ok({ on: fresh, close: () => fresh.close() });
    fresh.close();
    if (signal.aborted) return err(cancelled());
    return isCut(again.error) ? err(cutOff(again.error)) : again;
  }
}

/** Ends with `signal` too. The oldest runtime has no AbortSignal.any. */
async function withinTime<T>(
  signal: AbortSignal,
  act: (within: AbortSignal) => Promise<T>,
): Promise<T> {
  const stopper = new AbortController();
  const stop = (): void => stopper.abort();
  const timer = setTimeout(stop, RESUME_TIMEOUT_MS);
  signal.addEventListener('abort', stop);
  try {
    return await act(stopper.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

function cancelled(): Problem {
  return problem('code-not-sent', 'The push was cancelled. Nothing was started.', {
    nextStep: 'Plan again to go on: what has arrived is not sent twice.',
  });
}

function cutOff(because: Problem): Problem {
  return problem(
    'code-not-sent',
    `The connection was lost while the code was sent. Nothing was started. ${because.message}`,
    {
      nextStep: 'Plan again when the box is connected: what has arrived is not sent twice.',
    },
  );
}
