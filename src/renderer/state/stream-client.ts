import type { LeaseholdBridge } from '../../shared/ipc/contract.ts';
import type { IpcStreams, StreamName } from '../../shared/ipc/streams.ts';
import type { Problem } from '../../shared/problem.ts';
import {
  foldBatch,
  type StreamBatch,
  type StreamCursor,
  type StreamKind,
  type StreamSnapshot,
} from '../../shared/streams/stream.ts';
import { callThrough } from './bridge.ts';

/** What a panel knows of a stream. After the first snapshot a feed stays `live` while it heals itself. */
export type Feed<State> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'live'; readonly state: State }
  | { readonly kind: 'failed'; readonly problem: Problem };

export const LOADING: Feed<never> = { kind: 'loading' };

export interface StreamSpec<N extends StreamName, State> {
  readonly stream: N;
  /** Which one of several: a box id, or '' where there is only one. */
  readonly key: string;
  readonly kind: StreamKind<State, IpcStreams[N]['delta']>;
  readonly fromWire: (wire: IpcStreams[N]['state']) => State;
}

export interface StreamClient {
  /** Feeds until the returned function is called. */
  readonly open: <N extends StreamName, State>(
    spec: StreamSpec<N, State>,
    onFeed: (feed: Feed<State>) => void,
  ) => () => void;
}

/** A second snapshot within this time means that the first one did not heal the gap; then asking slows down. */
const RESYNC_PAUSE_MS = 1000;
/** After a refusal: main may still be starting, or the box be added again. */
const RETRY_MS = 2000;

/**
 * The window's end of every stream: asks for a snapshot, folds the numbered deltas into it, and asks again when a
 * number is missing. One listener serves all streams; batches find their reader by the subscription's number.
 */
export function createStreamClient(bridge: LeaseholdBridge): StreamClient {
  const call = callThrough(bridge);
  const readers = new Map<number, (batch: StreamBatch<unknown>) => void>();
  // Main may send the first deltas before its answer to `stream:open` has arrived here.
  const early = new Map<number, StreamBatch<unknown>[]>();
  let opening = 0;

  bridge.on('stream:batch', (batch) => {
    const reader = readers.get(batch.subscription);
    if (reader !== undefined) reader(batch);
    else if (opening > 0) {
      early.set(batch.subscription, [...(early.get(batch.subscription) ?? []), batch]);
    }
  });

  async function subscribe(stream: StreamName, key: string) {
    opening += 1;
    const answer = await call('stream:open', { stream, key });
    opening -= 1;
    const missed = answer.ok ? (early.get(answer.value.subscription) ?? []) : [];
    if (answer.ok) early.delete(answer.value.subscription);
    if (opening === 0) early.clear();
    return { answer, missed };
  }

  function open<N extends StreamName, State>(
    spec: StreamSpec<N, State>,
    onFeed: (feed: Feed<State>) => void,
  ): () => void {
    let isClosed = false;
    let subscription: number | null = null;
    let cursor: StreamCursor<State> | null = null;
    let lastSyncMs = -Infinity;
    let timer: ReturnType<typeof setTimeout> | undefined;

    async function sync(): Promise<void> {
      lastSyncMs = Date.now();
      const { answer, missed } = await subscribe(spec.stream, spec.key);
      if (isClosed) {
        if (answer.ok) void call('stream:close', { subscription: answer.value.subscription });
        return;
      }
      if (!answer.ok) {
        onFeed({ kind: 'failed', problem: answer.error });
        timer = setTimeout(() => void sync(), RETRY_MS);
        return;
      }
      // The contract pairs each stream with its state; the channel's own type cannot follow the name.
      const snapshot = answer.value as StreamSnapshot<IpcStreams[N]['state']>;
      subscription = snapshot.subscription;
      cursor = { seq: snapshot.seq, state: spec.fromWire(snapshot.state) };
      readers.set(subscription, take);
      onFeed({ kind: 'live', state: cursor.state });
      for (const batch of missed) take(batch);
    }

    function take(batch: StreamBatch<unknown>): void {
      if (cursor === null || batch.subscription !== subscription) return;
      const deltas = batch.deltas as readonly IpcStreams[N]['delta'][];
      const next = foldBatch(spec.kind, cursor, { firstSeq: batch.firstSeq, deltas });
      if (next === 'gap') {
        resync();
      } else if (next !== cursor) {
        cursor = next;
        onFeed({ kind: 'live', state: next.state });
      }
    }

    function resync(): void {
      leave();
      const pauseMs = Math.max(0, lastSyncMs + RESYNC_PAUSE_MS - Date.now());
      if (pauseMs === 0) void sync();
      else timer = setTimeout(() => void sync(), pauseMs);
    }

    function leave(): void {
      if (subscription === null) return;
      readers.delete(subscription);
      void call('stream:close', { subscription });
      subscription = null;
    }

    void sync();
    return () => {
      isClosed = true;
      clearTimeout(timer);
      leave();
    };
  }

  return { open };
}
