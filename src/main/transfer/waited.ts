import { setTimeout as waitFor } from 'node:timers/promises';

/** Over early where the signal is. */
export async function waited(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return;
  await waitFor(ms, undefined, { signal }).catch((cause: unknown) => {
    if (!signal.aborted) throw cause;
  });
}
