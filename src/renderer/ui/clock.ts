import { useMemo, useSyncExternalStore } from 'react';

// One clock for all ages and countdowns of the window: they tick together, and a hidden window ticks not at all.

const TICK_MS = 1000;
const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}

function start(): void {
  stop();
  if (listeners.size > 0 && document.visibilityState === 'visible') {
    timer = setInterval(tick, TICK_MS);
  }
}

function stop(): void {
  clearInterval(timer);
  timer = undefined;
}

function visibilityChanged(): void {
  if (document.visibilityState === 'visible') tick();
  start();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    nowMs = Date.now();
    document.addEventListener('visibilitychange', visibilityChanged);
    start();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener('visibilitychange', visibilityChanged);
    stop();
  };
}

/**
 * Derives something from the time that passes; the component renders again only when it comes out differently. `select`
 * must return a primitive.
 */
export function useClock<T extends string | number | boolean | null>(
  select: (nowMs: number) => T,
): T {
  return useSyncExternalStore(subscribe, () => select(nowMs));
}

/** The same of what has parts, as plain data: another object only when something of it comes out differently. */
export function useClockParts<T>(select: (nowMs: number) => T): T {
  const written = useClock((nowMs) => JSON.stringify(select(nowMs)));
  return useMemo(() => JSON.parse(written) as T, [written]);
}

/** The time, once a second. */
export function useNow(): number {
  return useClock((now) => now);
}
