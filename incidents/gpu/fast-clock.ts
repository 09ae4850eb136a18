import { mock } from 'node:test';

/** Not faked: real servers and programs need real moments. */
const realImmediate = globalThis.setImmediate;
const realNow = performance.now.bind(performance);

export const aMoment = (): Promise<void> =>
  new Promise((resolve) => {
    realImmediate(resolve);
  });

const REAL_PATIENCE_MS = 60_000;

/** Waits, by the real clock, for what a real program does. */
export async function untilReally(what: string, isSo: () => boolean): Promise<void> {
  const endMs = realNow() + REAL_PATIENCE_MS;
  while (!isSo()) {
    if (realNow() > endMs) throw new Error(`waited in vain: ${what}`);
    await aMoment();
  }
}

/** Time that passes when it is told to, for everything in this process that asks for it. Returns how to give it back. */
export function stopTheClock(): { pass(ms: number): void; restore(): void } {
  const startMs = Date.now();
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: startMs });
  const spy = mock.method(performance, 'now', () => Date.now() - startMs);
  return {
    pass: (ms) => mock.timers.tick(ms),
    restore: () => {
      spy.mock.restore();
      mock.timers.reset();
    },
  };
}
