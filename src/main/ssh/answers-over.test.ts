import { Duplex } from 'node:stream';
import type { Client } from 'ssh2';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answersOver } from './answers-over.ts';

// What real servers do when they are asked is tried in link-wake.test.ts; here is what depends on the very second.
describe('answersOver', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  function ask() {
    const stream = new Duplex({ read: () => undefined, write: (_c, _e, done) => done() });
    stream.resume();
    const callbacks: ((refused?: unknown) => void)[] = [];
    let pings = 0;
    const client = { _callbacks: callbacks, _protocol: { ping: () => (pings += 1) } };
    const answered = answersOver(
      client as unknown as Client,
      stream,
      new Promise((resolve) => stream.once('close', resolve)),
    );
    return { stream, callbacks, answered, pings: () => pings };
  }

  afterEach(() => expect(vi.getTimerCount()).toBe(0));

  it('takes yes and no for an answer', async () => {
    for (const refused of [undefined, true]) {
      const { stream, callbacks, answered, pings } = ask();
      callbacks[0]?.(refused);
      expect(await answered).toBe(true);
      expect(pings()).toBe(1);
      expect(stream.listenerCount('data')).toBe(0);
    }
  });

  it('says no after five seconds in which nothing came, however late the answer is', async () => {
    const { stream, answered } = ask();
    let said: boolean | null = null;
    void answered.then((is) => (said = is));
    for (let i = 0; i < 3; i += 1) {
      await vi.advanceTimersByTimeAsync(4000);
      stream.push('readings that stand before the answer');
    }
    await vi.advanceTimersByTimeAsync(4999);
    expect(said).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(said).toBe(false);
    expect(stream.listenerCount('data')).toBe(0);
  });

  it('says no at once when the connection ends', async () => {
    const ending = ask();
    ending.stream.destroy();
    expect(await ending.answered).toBe(false);
    const told = ask();
    told.callbacks[0]?.(new Error('No response from server'));
    expect(await told.answered).toBe(false);
  });

  it('asks nothing where nothing can be sent any more', async () => {
    const stream = new Duplex({ read: () => undefined, write: (_c, _e, done) => done() });
    stream.end();
    expect(await answersOver({} as unknown as Client, stream, new Promise(() => undefined))).toBe(
      false,
    );
  });
});
