import type {
  Channel,
  IpcEvents,
  IpcOutputs,
  LeaseholdBridge,
  WindowCommand,
} from '../../shared/ipc/contract.ts';
import type { StreamName } from '../../shared/ipc/streams.ts';
import type { EventName } from '../../shared/ipc/names.ts';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';

type Answer = Result<unknown, Problem> | Promise<Result<unknown, Problem>>;

export interface FakeBridge extends LeaseholdBridge {
  /** Every call so far, in order. */
  readonly calls: readonly { readonly channel: Channel; readonly input: unknown }[];
  callsTo(channel: Channel): readonly unknown[];
  /** What the next calls to a channel answer. Without one, a channel answers `null`. */
  answer<C extends Channel>(
    channel: C,
    answer: Result<IpcOutputs[C], Problem> | Promise<Result<IpcOutputs[C], Problem>>,
  ): void;
  /** Streams answer this snapshot, numbered from 0, under a new subscription each time. */
  serve(stream: StreamName, state: unknown): void;
  /** Sends one batch to every open subscription of the stream; numbers follow each other unless given. */
  publish(stream: StreamName, deltas: readonly unknown[], firstSeq?: number): void;
  command(command: WindowCommand): void;
}

/** Stands where preload's bridge stands, at the process edge: the window behind it is the real one. */
export function createFakeBridge(): FakeBridge {
  const calls: { channel: Channel; input: unknown }[] = [];
  const answers = new Map<Channel, Answer>();
  const snapshots = new Map<StreamName, unknown>();
  const open = new Map<number, { readonly stream: StreamName; seq: number }>();
  const listeners = new Map<EventName, Set<(payload: never) => void>>();
  let lastSubscription = 0;

  function answerStream(channel: Channel, input: unknown): Answer | null {
    if (channel === 'stream:close') {
      open.delete((input as { subscription: number }).subscription);
      return ok(null);
    }
    if (channel !== 'stream:open' || answers.has(channel)) return null;
    const { stream } = input as { stream: StreamName };
    if (!snapshots.has(stream)) {
      return err({ code: 'no-such-box', message: `no ${stream} here`, nextStep: 'none' });
    }
    lastSubscription += 1;
    open.set(lastSubscription, { stream, seq: 0 });
    return ok({ subscription: lastSubscription, seq: 0, state: snapshots.get(stream) });
  }

  function emit<E extends EventName>(event: E, payload: IpcEvents[E]): void {
    for (const listener of listeners.get(event) ?? []) listener(payload as never);
  }

  return {
    calls,
    call: (channel, input) => {
      calls.push({ channel, input });
      const answer = answerStream(channel, input) ?? answers.get(channel) ?? ok(null);
      return Promise.resolve(answer) as never;
    },
    on: (event, listener) => {
      const known = listeners.get(event) ?? new Set();
      known.add(listener);
      listeners.set(event, known);
      return () => known.delete(listener);
    },
    callsTo: (channel) =>
      calls.filter((each) => each.channel === channel).map((each) => each.input),
    answer: (channel, answer) => void answers.set(channel, answer),
    serve: (stream, state) => void snapshots.set(stream, state),
    publish: (stream, deltas, firstSeq) => {
      for (const [subscription, reader] of open) {
        if (reader.stream !== stream) continue;
        const batch = { subscription, firstSeq: firstSeq ?? reader.seq + 1, deltas };
        reader.seq = batch.firstSeq + deltas.length - 1;
        emit('stream:batch', batch);
      }
    },
    command: (command) => emit('command', command),
  };
}
