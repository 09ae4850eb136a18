import { MAX_BOX_GPUS } from '../telemetry/gpu-facts.ts';
import type { GpuReading } from '../telemetry/gpu-reading.ts';
import type { GpuToolFailure } from './gpu-tool-failure.ts';
import { UnreadableLines } from './probe-output.ts';

/** What a piece of a stream of readings held, whichever tool prints it. */
export interface ReadingBatch {
  readonly readings: readonly GpuReading[];
  /** The first unreadable lines of this piece, each cut to a bounded length. */
  readonly unreadable: readonly string[];
  readonly unreadableCount: number;
  /** The tool's own reasons for not answering. They are events of the stream, not rows. */
  readonly failures: readonly GpuToolFailure[];
}

/** Reads a stream in pieces cut anywhere. */
export interface ReadingReader {
  push(chunk: string): ReadingBatch;
  end(): ReadingBatch;
}

export class BatchBuilder {
  readonly readings: GpuReading[] = [];
  readonly unreadable = new UnreadableLines();
  readonly failures: GpuToolFailure[] = [];

  build(): ReadingBatch {
    const { unreadable, failures } = this;
    const readings = this.readings.filter(({ index }) => {
      if (index < MAX_BOX_GPUS) return true;
      unreadable.add(`GPU ${String(index)}`);
      return false;
    });
    return { readings, unreadable: unreadable.lines, unreadableCount: unreadable.count, failures };
  }
}
