import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LeaseholdBridge } from '../../shared/ipc/contract.ts';
import { err, ok } from '../../shared/result.ts';
import type { StreamBatch } from '../../shared/streams/stream.ts';
import { createStreamClient, type Feed } from './stream-client.ts';

/** A bridge whose answers come when the test says so. */
function scriptedBridge() {
  const opens: ((answer: unknown) => void)[] = [];
  const closed: number[] = [];
  let send: (batch: StreamBatch<unknown>) => void = () => undefined;
  const bridge = {
    call: (channel: string, input: { subscription: number }) => {
      if (channel === 'stream:open') return new Promise((resolve) => opens.push(resolve));
      closed.push(input.subscription);
      return Promise.resolve(ok(null));
    },
    on: (_event: string, listener: typeof send) => {
      send = listener;
      return () => undefined;
    },
  } as unknown as LeaseholdBridge;
  return {
    bridge,
    opens,
    closed,
    send: (subscription: number, firstSeq: number, ...deltas: number[]) =>
      send({ subscription, firstSeq, deltas }),
    answer: async (index: number, subscription: number, seq: number, state: number[]) => {
      opens[index]?.(ok({ subscription, seq, state }));
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

/** A stream whose state is the list of all numbers seen; `key` and name do not matter here. */
const spec = {
  stream: 'notices',
  key: '',
  kind: { apply: (state: readonly number[], delta: number) => [...state, delta] },
  fromWire: (wire: readonly number[]) => wire,
} as never;

function openNumbers(bridge: LeaseholdBridge) {
  const feeds: Feed<readonly number[]>[] = [];
  const close = createStreamClient(bridge).open<'notices', readonly number[]>(spec, (feed) =>
    feeds.push(feed),
  );
  const last = () => {
    const feed = feeds.at(-1);
    return feed?.kind === 'live' ? feed.state : feed?.kind;
  };
  return { feeds, close, last };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('createStreamClient', () => {
  it('folds deltas into the snapshot, one feed per batch', async () => {
    const main = scriptedBridge();
    const { feeds, last } = openNumbers(main.bridge);
    await main.answer(0, 5, 10, [1]);
    main.send(5, 11, 2, 3);
    expect(last()).toEqual([1, 2, 3]);
    expect(feeds).toHaveLength(2);
  });

  it('keeps batches that overtake the answer, and counts none of them twice', async () => {
    const main = scriptedBridge();
    const { last } = openNumbers(main.bridge);
    main.send(5, 10, 1);
    main.send(5, 11, 2);
    main.send(99, 1, 77);
    await main.answer(0, 5, 10, [1]);
    expect(last()).toEqual([1, 2]);
  });

  it('does not disturb its readers with a batch that changes nothing', async () => {
    const main = scriptedBridge();
    const { feeds } = openNumbers(main.bridge);
    await main.answer(0, 5, 10, [1]);
    main.send(5, 10, 1);
    main.send(5, 11);
    expect(feeds).toHaveLength(1);
  });

  it('heals a gap with a new snapshot and shows the old state meanwhile', async () => {
    const main = scriptedBridge();
    const { feeds, last } = openNumbers(main.bridge);
    await main.answer(0, 5, 10, [1]);
    await vi.advanceTimersByTimeAsync(5000);
    main.send(5, 13, 4);
    expect(main.opens).toHaveLength(2);
    expect(main.closed).toEqual([5]);
    expect(last()).toEqual([1]);
    main.send(5, 14, 5);
    await main.answer(1, 6, 14, [1, 2, 3, 4, 5]);
    main.send(6, 15, 6);
    expect(last()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(feeds.every(({ kind }) => kind === 'live')).toBe(true);
  });

  it('treats an empty batch with a later number as a gap: a hidden window missed something', async () => {
    const main = scriptedBridge();
    openNumbers(main.bridge);
    await main.answer(0, 5, 10, [1]);
    await vi.advanceTimersByTimeAsync(5000);
    main.send(5, 14);
    expect(main.opens).toHaveLength(2);
  });

  it('asks slower when a snapshot did not heal the gap', async () => {
    const main = scriptedBridge();
    openNumbers(main.bridge);
    await main.answer(0, 5, 10, [1]);
    main.send(5, 13, 4);
    expect(main.opens).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(999);
    expect(main.opens).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(main.opens).toHaveLength(2);
  });

  it('says why a stream cannot be opened, and tries again', async () => {
    const main = scriptedBridge();
    const { feeds, last } = openNumbers(main.bridge);
    const problem = { code: 'no-such-box', message: 'gone', nextStep: 'choose another' } as const;
    main.opens[0]?.(err(problem));
    await vi.advanceTimersByTimeAsync(0);
    expect(feeds).toEqual([{ kind: 'failed', problem }]);
    await vi.advanceTimersByTimeAsync(2000);
    await main.answer(1, 5, 0, []);
    expect(last()).toEqual([]);
  });

  it('turns a bridge that throws into a failed feed', async () => {
    const bridge = {
      call: () => Promise.reject(new Error('main is gone')),
      on: () => () => undefined,
    } as unknown as LeaseholdBridge;
    const { feeds, close } = openNumbers(bridge);
    await vi.advanceTimersByTimeAsync(0);
    expect(feeds).toMatchObject([{ kind: 'failed', problem: { code: 'internal' } }]);
    close();
  });

  it('stays silent after it was closed and gives the subscription back', async () => {
    const main = scriptedBridge();
    const { feeds, close } = openNumbers(main.bridge);
    await main.answer(0, 5, 10, [1]);
    close();
    main.send(5, 11, 2);
    expect(main.closed).toEqual([5]);
    expect(feeds).toHaveLength(1);
  });

  it('gives back a subscription whose answer came after closing', async () => {
    const main = scriptedBridge();
    const { feeds, close } = openNumbers(main.bridge);
    close();
    await main.answer(0, 5, 10, [1]);
    expect(main.closed).toEqual([5]);
    expect(feeds).toEqual([]);
  });

  it('does not retry after it was closed', async () => {
    const main = scriptedBridge();
    const { close } = openNumbers(main.bridge);
    main.opens[0]?.(err({ code: 'no-such-box', message: 'gone', nextStep: 'none' }));
    await vi.advanceTimersByTimeAsync(0);
    close();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(main.opens).toHaveLength(1);
  });
});
