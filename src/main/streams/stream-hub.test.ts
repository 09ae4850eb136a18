import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { foldBatch, type StreamBatch, type StreamKind } from '../../shared/streams/stream.ts';
import { StreamHub } from './stream-hub.ts';

const sum: StreamKind<number, number> = { apply: (state, delta) => state + delta };
const CLIENT = 7;

function setUp(options: { isUrgent?: boolean; onOpened?: () => void } = {}) {
  const sent: StreamBatch<unknown>[] = [];
  const hub = new StreamHub(() => Date.now());
  const topic = hub.addTopic('settings', '', { kind: sum, initial: 0, ...options });
  hub.addClient(CLIENT, (batch) => sent.push(batch));
  const opened = hub.open(CLIENT, 'settings', '');
  if (!opened.ok) throw new Error(opened.error.message);
  return { hub, topic, sent, snapshot: opened.value };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('StreamHub', () => {
  it('sends the first change at once and the following ones together', () => {
    const { topic, sent, snapshot } = setUp();
    topic.publish(1);
    topic.publish(2);
    topic.publish(3);
    expect(sent).toEqual([{ subscription: snapshot.subscription, firstSeq: 1, deltas: [1] }]);
    vi.advanceTimersByTime(250);
    expect(sent[1]).toEqual({ subscription: snapshot.subscription, firstSeq: 2, deltas: [2, 3] });
    vi.advanceTimersByTime(10_000);
    expect(sent).toHaveLength(2);
  });

  it('sends what may not come late at once, with what was before it', () => {
    const { hub, topic, sent } = setUp();
    topic.publish(1);
    topic.publish(2);
    topic.publish(3, true);
    expect(sent.map(({ deltas }) => deltas)).toEqual([[1], [2, 3]]);
    hub.setPace(CLIENT, 'hidden');
    topic.publish(4, true);
    vi.advanceTimersByTime(10_000);
    expect(sent).toHaveLength(2);
  });

  it('makes a quiet stream wait for no busy one', () => {
    const { hub, topic, sent } = setUp();
    const quiet = hub.addTopic('notices', '', { kind: sum, initial: 0 });
    const opened = hub.open(CLIENT, 'notices', '');
    if (!opened.ok) throw new Error(opened.error.message);
    for (let i = 0; i < 20; i += 1) {
      topic.publish(1);
      vi.advanceTimersByTime(10);
    }
    quiet.publish(5);
    const { subscription } = opened.value;
    expect(sent.at(-1)).toEqual({ subscription, firstSeq: 1, deltas: [5] });
    quiet.publish(6);
    topic.publish(1);
    hub.close(CLIENT, subscription);
    hub.removeClient(CLIENT);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has a topic made once somebody opens it, and refuses what nobody makes', () => {
    const { hub } = setUp();
    const make = vi.fn((key: string) => {
      if (key === 'a') hub.addTopic('run-log', key, { kind: sum, initial: 5 });
    });
    hub.makeOnDemand('run-log', make);
    expect(hub.open(CLIENT, 'run-log', 'a')).toMatchObject({ ok: true, value: { state: 5 } });
    expect(hub.open(CLIENT, 'run-log', 'a')).toMatchObject({ ok: true });
    expect(hub.open(CLIENT, 'run-log', 'b')).toMatchObject({ ok: false });
    expect(make.mock.calls).toEqual([['a'], ['b']]);
  });

  it('tells the owner when somebody begins to watch, and whether anybody still does', () => {
    const onOpened = vi.fn();
    const { hub, topic, snapshot } = setUp({ onOpened });
    expect(onOpened).toHaveBeenCalledTimes(1);
    expect(topic.isWatched).toBe(true);
    hub.setPace(CLIENT, 'hidden');
    expect(topic.isWatched).toBe(false);
    hub.setPace(CLIENT, 'background');
    expect(topic.isWatched).toBe(true);
    hub.close(CLIENT, snapshot.subscription);
    expect(topic.isWatched).toBe(false);
  });

  it('sends at most four batches a second to a visible window and one to a covered one', () => {
    const { hub, topic, sent } = setUp();
    const publishForOneSecond = (): number => {
      const before = sent.length;
      for (let i = 0; i < 100; i += 1) {
        topic.publish(1);
        vi.advanceTimersByTime(10);
      }
      return sent.length - before;
    };
    publishForOneSecond();
    expect(publishForOneSecond()).toBe(4);
    hub.setPace(CLIENT, 'background');
    publishForOneSecond();
    expect(publishForOneSecond()).toBe(1);
  });

  it('keeps a reader exactly in step whatever the batching', () => {
    const { topic, sent, snapshot } = setUp();
    for (let i = 1; i <= 50; i += 1) {
      topic.publish(i);
      vi.advanceTimersByTime((i * 37) % 100);
    }
    vi.advanceTimersByTime(1000);
    let cursor = { seq: snapshot.seq, state: snapshot.state as number };
    for (const batch of sent) {
      const next = foldBatch(sum, cursor, batch as StreamBatch<number>);
      if (next === 'gap') throw new Error('gap');
      cursor = next;
    }
    expect(cursor).toEqual({ seq: 50, state: 1275 });
    expect(topic.state).toBe(1275);
  });

  it('sends nothing to a hidden window, and shows it the gap when it comes back', () => {
    const { hub, topic, sent, snapshot } = setUp();
    hub.setPace(CLIENT, 'hidden');
    topic.publish(5);
    vi.advanceTimersByTime(60_000);
    expect(sent).toEqual([]);
    hub.setPace(CLIENT, 'visible');
    expect(foldBatch(sum, { seq: snapshot.seq, state: 0 }, sent[0] as StreamBatch<number>)).toBe(
      'gap',
    );
    expect(hub.open(CLIENT, 'settings', '')).toMatchObject({
      ok: true,
      value: { seq: 1, state: 5 },
    });
  });

  it('tells a window that missed nothing while hidden nothing new', () => {
    const { hub, sent, snapshot } = setUp();
    hub.setPace(CLIENT, 'hidden');
    hub.setPace(CLIENT, 'visible');
    const cursor = { seq: snapshot.seq, state: 0 };
    expect(foldBatch(sum, cursor, sent[0] as StreamBatch<number>)).toBe(cursor);
  });

  it('delivers urgent streams at once, to a hidden window too', () => {
    const { hub, topic, sent } = setUp({ isUrgent: true });
    hub.setPace(CLIENT, 'hidden');
    topic.publish(1);
    topic.publish(2);
    expect(sent.map(({ deltas }) => deltas)).toEqual([[1], [2]]);
  });

  it('bounds what waits for a window and lets the reader see the loss', () => {
    const { topic, sent, snapshot } = setUp();
    for (let i = 0; i < 2500; i += 1) topic.publish(1);
    vi.advanceTimersByTime(250);
    const cursor = foldBatch(sum, { seq: snapshot.seq, state: 0 }, sent[0] as StreamBatch<number>);
    if (cursor === 'gap') throw new Error('the first batch has no gap');
    expect(sent[1]?.deltas.length).toBeLessThanOrEqual(2000);
    expect(foldBatch(sum, cursor, sent[1] as StreamBatch<number>)).toBe('gap');
  });

  it('forgets the subscriptions of a window that reloads or goes', () => {
    const { hub, topic, sent } = setUp();
    hub.resetClient(CLIENT);
    topic.publish(1);
    hub.open(CLIENT, 'settings', '');
    topic.publish(2);
    vi.advanceTimersByTime(1000);
    expect(sent.map(({ firstSeq }) => firstSeq)).toEqual([2]);
    hub.removeClient(CLIENT);
    topic.publish(3);
    vi.advanceTimersByTime(1000);
    expect(sent).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('refuses a stream that does not exist (any more)', () => {
    const { hub } = setUp();
    expect(hub.open(CLIENT, 'readings', 'gone')).toMatchObject({ ok: false });
    hub.removeTopic('settings', '');
    expect(hub.open(CLIENT, 'settings', '')).toMatchObject({ ok: false });
  });
});
