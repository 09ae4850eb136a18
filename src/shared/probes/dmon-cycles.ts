import type { GpuReading } from '../telemetry/gpu-reading.ts';

/** One row per GPU that answered in this sample. */
export type DmonCycle = readonly GpuReading[];

/**
 * Groups rows into cycles. dmon prints the GPUs of a cycle in the order of their indices, so a row whose index is not
 * above the one before it starts a new cycle. A cycle is given out as soon as the highest index of the cycle before has
 * come: waiting for the next cycle would show every sample one second late.
 */
export class DmonCycles {
  #open: GpuReading[] = [];
  /** The index of the row before; -1 before the first row. */
  #previous = -1;
  /** The highest index of the last full cycle; null until one is known. */
  #highest: number | null = null;

  /** The cycles that these rows complete, oldest first. */
  push(readings: readonly GpuReading[]): readonly DmonCycle[] {
    const complete: DmonCycle[] = [];
    for (const reading of readings) {
      if (reading.index <= this.#previous) {
        // The cycle before ended here, whatever it held: a GPU came or went.
        this.#highest = this.#previous;
        this.#close(complete);
      }
      this.#open.push(reading);
      this.#previous = reading.index;
      if (reading.index === this.#highest) this.#close(complete);
    }
    return complete;
  }

  /** The stream is over: what has begun is all that will come. */
  end(): readonly DmonCycle[] {
    const complete: DmonCycle[] = [];
    this.#close(complete);
    this.#previous = -1;
    this.#highest = null;
    return complete;
  }

  #close(complete: DmonCycle[]): void {
    if (this.#open.length > 0) complete.push(this.#open);
    this.#open = [];
  }
}
