import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { PushRequest } from '../../shared/runs/launch/run-request.ts';
import { pushesStream } from '../../shared/streams/runs-stream.ts';
import type { BoxChange, ByBox } from '../../shared/streams/meter-stream.ts';
import type { PushProgress } from '../../shared/transfer/push-progress.ts';
import type { MeasuredPush } from '../../shared/transfer/push-rate.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';
import { CodePusher, type FoundPush, type KeptPush } from './code-pusher.ts';
import type { LocalHashes } from './local-hashes.ts';
import { measureSending } from './measured-pushes.ts';
import { isCut, overRetries, RETRY_WAITS_MS } from './over-retries.ts';

/** A new log-in over a network that has just come back. */
const RESUME_TIMEOUT_MS = 60_000;
/** Most networks are there again at once. */
const WAITS_MS = [0, ...RETRY_WAITS_MS];
const STAGES: readonly PushProgress['stage'][] = ['looking', 'sending', 'placing', 'checking'];
const NOTHING_SENT: PushProgress = {
  stage: 'looking',
  ...{ doneFiles: 0, doneBytes: 0, files: 0, bytes: 0, isResumed: false },
};

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
  /** What a push took that has arrived. */
  readonly onMeasured: (boxId: string, push: MeasuredPush) => void;
  /** Between two tries; a test waits less. */
  readonly waitsMs?: readonly number[];
}

/** The pushes that are under way, one for each box (stream `pushes`). */
export class BoxPushes {
  readonly #hub: StreamHub;
  readonly #pusher: CodePusher;
  readonly #onMeasured: BoxPushesOptions['onMeasured'];
  readonly #waitsMs: readonly number[];
  readonly #topic: Topic<ByBox<PushProgress>, BoxChange<PushProgress>>;
  readonly #underWay = new Map<string, AbortController>();

  constructor({ hub, scripts, hashes, onMeasured, waitsMs = WAITS_MS }: BoxPushesOptions) {
    this.#hub = hub;
    this.#waitsMs = waitsMs;
    this.#onMeasured = onMeasured;
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

  /** Sends what was planned; goes on over a new connection where one is lost, as often as it gets further. Null: nothing is to be sent. */
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
    first: SshConnection,
    kept: KeptPush,
    signal: AbortSignal,
  ): Promise<Result<Pushed, Problem>> {
    let on = first;
    const close = (): void => {
      if (on !== first) on.close();
    };
    let [furthest, newest] = [0, NOTHING_SENT];
    const measure = measureSending((push) => this.#onMeasured(boxId, push));
    const onProgress = (value: PushProgress): void => {
      measure(value);
      // The last stages move no bytes, and are some way, too.
      furthest = Math.max(furthest, value.doneBytes + STAGES.indexOf(value.stage));
      newest = value;
      this.#topic.publish({ boxId, value });
    };
    const pushed = await overRetries<null>({
      connection: first,
      connect: async () => {
        const opened = await withinTime(signal, (within) => first.openAnother(within));
        close();
        if (opened.ok) on = opened.value;
        return opened;
      },
      act: (connection) =>
        this.#pusher.push(connection, kept, { signal, onProgress }, connection !== first),
      mark: () => furthest,
      onWait: (retry) =>
        this.#topic.publish({ boxId, value: { ...newest, stage: 'waiting', retry } }),
      signal,
      waitsMs: this.#waitsMs,
    });
    if (pushed.ok && !signal.aborted) return ok({ on, close });
    close();
    if (pushed.ok || signal.aborted) return err(cancelled());
    return err(isCut(pushed.error) ? cutOff(pushed.error) : pushed.error);
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
