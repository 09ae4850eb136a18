import { useState } from 'react';
import { useNow } from './clock.ts';

/** How many bytes had come by then. */
export interface ByteSample {
  readonly atMs: number;
  readonly bytes: number;
}

export interface TransferRate {
  /** Over the last seconds; null: too little has been seen of it. */
  readonly bytesPerSecond: number | null;
  /** For how long nothing has come; null: bytes come. */
  readonly stillMs: number | null;
}

/** Long enough that a rate does not jump with each file, and short enough that a slower link shows. */
const WINDOW_MS = 10_000;
/** Less than this says nothing about a rate. */
const LEAST_MS = 1000;
const STILL_AFTER_MS = 5000;

/** Those that the rate is taken from: the newest before the window holds what came since then. */
export function withSample(
  samples: readonly ByteSample[],
  sample: ByteSample,
): readonly ByteSample[] {
  const last = samples.at(-1);
  // A clock that was set back, or a transfer that began again, makes what was seen before worthless.
  if (last !== undefined && (sample.atMs < last.atMs || sample.bytes < last.bytes)) return [sample];
  const inside = samples.findIndex(({ atMs }) => sample.atMs - atMs < WINDOW_MS);
  return [...(inside === -1 ? samples.slice(-1) : samples.slice(Math.max(0, inside - 1))), sample];
}

export function judgeRate(samples: readonly ByteSample[], nowMs: number): TransferRate {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return { bytesPerSecond: null, stillMs: null };
  const untilMs = Math.max(nowMs, last.atMs);
  const quietMs = untilMs - last.atMs;
  const seenMs = untilMs - first.atMs;
  return {
    bytesPerSecond: seenMs < LEAST_MS ? null : ((last.bytes - first.bytes) * 1000) / seenMs,
    stillMs: quietMs >= STILL_AFTER_MS ? quietMs : null,
  };
}

/** The rate of what has come so far, looked at once a second while it is shown. */
export function useTransferRate(bytes: number): TransferRate {
  const nowMs = useNow();
  const [samples, setSamples] = useState<readonly ByteSample[]>([]);
  const last = samples.at(-1);
  if (last === undefined || (last.bytes !== bytes && last.atMs !== nowMs)) {
    setSamples(withSample(samples, { atMs: nowMs, bytes }));
  }
  return judgeRate(samples, nowMs);
}
