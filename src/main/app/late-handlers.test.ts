import { describe, expect, it, vi } from 'vitest';
import { ok } from '../../shared/result.ts';
import type { FoundationHandlers } from './foundation-handlers.ts';
import { withLateHandlers, type LateHandlers } from './late-handlers.ts';

const early = { 'app:quit': vi.fn(() => ok(null)) } as unknown as FoundationHandlers;

describe('handlers that come later', () => {
  it('answer early channels without loading anything', async () => {
    const load = vi.fn();
    const handlers = withLateHandlers(early, load);
    await handlers['app:quit']({}, 1);
    expect(early['app:quit']).toHaveBeenCalledWith({}, 1);
    expect(load).not.toHaveBeenCalled();
  });

  it('load with the first message, which reaches the handler of its own channel', async () => {
    const connect = vi.fn(() => ok(null));
    const late = { 'link:connect': connect } as unknown as LateHandlers;
    const handlers = withLateHandlers(early, () => Promise.resolve(late));
    expect(await handlers['link:connect']({ boxId: 'box' }, 7)).toEqual(ok(null));
    expect(connect).toHaveBeenCalledWith({ boxId: 'box' }, 7);
  });

  it('fail with what loading failed with', async () => {
    const handlers = withLateHandlers(early, () => Promise.reject(new Error('no engine')));
    await expect(handlers['link:connect']({ boxId: 'box' }, 7)).rejects.toThrow('no engine');
  });
});
