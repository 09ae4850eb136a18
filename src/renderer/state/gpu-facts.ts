import { gpuFactsStream, gpuMarksStream } from '../../shared/streams/gpu-facts-stream.ts';
import type { GpuFactsState } from '../../shared/telemetry/gpu-facts.ts';
import type { TelemetryMark } from '../../shared/telemetry/mark.ts';
import { useBoxFeed } from './box-feed.ts';
import type { Feed } from './stream-client.ts';

const FACTS = {
  stream: 'gpu-facts',
  kind: gpuFactsStream,
  fromWire: (wire: GpuFactsState) => wire,
} as const;

const MARKS = {
  stream: 'gpu-marks',
  kind: gpuMarksStream,
  fromWire: (wire: readonly TelemetryMark[]) => wire,
} as const;

/** What the slow probe of one box told last. */
export function useGpuFacts(boxId: string): Feed<GpuFactsState> {
  return useBoxFeed(boxId, FACTS);
}

/** What happened to one box in this session. */
export function useGpuMarks(boxId: string): Feed<readonly TelemetryMark[]> {
  return useBoxFeed(boxId, MARKS);
}
