import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem } from '../../shared/problem.ts';
import { useFleet } from '../state/feeds.ts';
import { LOADING } from '../state/stream-client.ts';
import { firstPictureReady } from './first-picture.ts';

interface FakeFont {
  readonly status: string;
  readonly loaded: Promise<unknown>;
}

let isReady: boolean;

async function wait(fonts: readonly FakeFont[]): Promise<void> {
  Object.defineProperty(document, 'fonts', { value: fonts, configurable: true });
  void firstPictureReady().then(() => (isReady = true));
  await vi.advanceTimersByTimeAsync(0);
}

const fleetIsKnown = (): void => useFleet.setState({ kind: 'live', state: { entries: [] } }, true);

beforeEach(() => {
  vi.useFakeTimers();
  isReady = false;
  useFleet.setState(LOADING, true);
});
afterEach(() => {
  Reflect.deleteProperty(document, 'fonts');
  vi.useRealTimers();
});

describe('the first picture', () => {
  it('waits for the fleet, and leaves no timer behind', async () => {
    await wait([]);
    expect(isReady).toBe(false);
    fleetIsKnown();
    await vi.advanceTimersByTimeAsync(0);
    expect(isReady).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for the fonts that were asked for, and for no others', async () => {
    let loaded = (): void => undefined;
    const loading = new Promise<void>((resolve) => (loaded = resolve));
    await wait([
      { status: 'loading', loaded: loading },
      { status: 'unloaded', loaded: new Promise(() => undefined) },
    ]);
    fleetIsKnown();
    await vi.advanceTimersByTimeAsync(0);
    expect(isReady).toBe(false);
    loaded();
    await vi.advanceTimersByTimeAsync(0);
    expect(isReady).toBe(true);
  });

  it('does without a font that fails and a fleet that fails', async () => {
    await wait([{ status: 'loading', loaded: Promise.reject(new Error('no such file')) }]);
    useFleet.setState({ kind: 'failed', problem: problem('internal', 'x') }, true);
    await vi.advanceTimersByTimeAsync(0);
    expect(isReady).toBe(true);
  });

  it('does without the fleet when main says nothing for a second', async () => {
    await wait([]);
    await vi.advanceTimersByTimeAsync(999);
    expect(isReady).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isReady).toBe(true);
  });
});
