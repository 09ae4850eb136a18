import type { GpuFactsState } from '../telemetry/gpu-facts.ts';
import type { TelemetryMark } from '../telemetry/mark.ts';
import type { StreamKind } from './stream.ts';

export const gpuFactsStream: StreamKind<GpuFactsState, GpuFactsState> = {
  apply: (_old, next) => next,
};

/** A card in trouble repeats itself; older marks are in the history. */
export const MAX_LIVE_MARKS = 500;

/** The marks of this session, oldest first. */
export const gpuMarksStream: StreamKind<readonly TelemetryMark[], readonly TelemetryMark[]> = {
  apply: (marks, more) => [...marks, ...more].slice(-MAX_LIVE_MARKS),
};
