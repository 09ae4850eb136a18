import { DmonCycles, type DmonCycle } from '../../shared/probes/dmon-cycles.ts';
import type { GpuToolFailure } from '../../shared/probes/gpu-tool-failure.ts';
import type { ReadingBatch } from '../../shared/probes/reading-batch.ts';
import type { ReadingsCycle } from '../../shared/streams/readings-stream.ts';
import type { SourcePlan } from '../../shared/telemetry/source-plan.ts';
import type { Log } from '../log/log.ts';
import type { ExitStatus } from '../ssh/exit-status.ts';
import { inSlices, Slices } from '../streams/in-slices.ts';

/** A second is usual; a looped query on a big box takes some. */
export const SILENT_AFTER_MS = 15_000;

export interface ShortQuestion {
  /** Every card that had a row in this run. */
  readonly seen: ReadonlySet<number>;
  readonly sinceMs: number;
}

/** What could not be read so far. */
export interface UnreadSoFar {
  readonly count: number;
  /** The newest ones. */
  readonly samples: readonly string[];
}

const MAX_SAMPLES = 5;
/** Of nothing but short lines, some two milliseconds of main. A tool prints 8 cards a second in a thirtieth of that. */
const PIECE_CHARS = 16 * 1024;

interface StreamListener {
  readonly log: Log;
  readonly onReadings: (cycle: ReadingsCycle) => void;
  readonly onLive: (unreadable: UnreadSoFar, sinceMs: number) => void;
  readonly onSilent: () => void;
  /** A card came, went, or stopped to say anything. */
  readonly onChange: () => void;
  readonly isShort: (question: ShortQuestion) => boolean;
  readonly onShort: () => void;
}

/** One run of a stream, from its start to its end. */
export class StreamRun {
  readonly #plan: SourcePlan;
  readonly #listener: StreamListener;
  readonly #cycles = new DmonCycles();
  #unreadable: UnreadSoFar = { count: 0, samples: [] };
  #liveSinceMs: number | null = null;
  /** Which cards answered in the cycle before, and with anything at all. */
  #answering: readonly number[] = [];
  readonly #seen = new Set<number>();
  failure: GpuToolFailure | null = null;
  stopped: 'silent' | 'short' | null = null;

  constructor(plan: SourcePlan, listener: StreamListener) {
    this.#plan = plan;
    this.#listener = listener;
  }

  get hasBegun(): boolean {
    return this.#liveSinceMs !== null;
  }

  async follow(remote: {
    stdout(): AsyncGenerator<string, void>;
    readonly exited: Promise<ExitStatus>;
  }): Promise<ExitStatus> {
    const reader = this.#plan.openReader();
    let heardMs = performance.now();
    const listen = (): void => {
      const leftMs = heardMs + SILENT_AFTER_MS - performance.now();
      if (leftMs > 0) {
        watchdog = setTimeout(listen, leftMs);
        return;
      }
      this.stopped = 'silent';
      this.#listener.onSilent();
    };
    let watchdog = setTimeout(listen, SILENT_AFTER_MS);
    // What has come already is there at once, and two megabytes of it would be one turn.
    const slices = new Slices();
    try {
      for await (const text of remote.stdout()) {
        heardMs = performance.now();
        for (let at = 0; at < text.length && this.stopped === null; at += PIECE_CHARS) {
          const batch = reader.push(text.slice(at, at + PIECE_CHARS));
          await this.#take(batch, this.#cycles.push(batch.readings));
          const others = slices.next();
          if (others !== null) await others;
        }
        if (this.stopped !== null) break;
      }
      const rest = reader.end();
      await this.#take(rest, [...this.#cycles.push(rest.readings), ...this.#cycles.end()]);
    } finally {
      clearTimeout(watchdog);
    }
    return remote.exited;
  }

  async #take(batch: ReadingBatch, whole: readonly DmonCycle[]): Promise<void> {
    const { log, onLive, onReadings } = this.#listener;
    if (batch.unreadableCount > 0) this.#unreadable = withMore(this.#unreadable, batch);
    this.failure = batch.failures.at(-1) ?? this.failure;
    if (batch.unreadableCount > 0) log.warn('unreadable GPU lines', { lines: batch.unreadable });
    const atMs = Date.now();
    if (whole.length > 0 && (this.#liveSinceMs === null || batch.unreadableCount > 0)) {
      this.#liveSinceMs ??= atMs;
      onLive(this.#unreadable, this.#liveSinceMs);
    }
    // A tool tells one a second. A box may tell a thousand at once.
    await inSlices(whole, (readings) => {
      this.#compare(readings);
      onReadings({ atMs, readings });
    });
    if (batch.failures.length > 0) this.#listener.onChange();
  }

  #compare(readings: ReadingsCycle['readings']): void {
    const before = this.#answering;
    const answering: number[] = [];
    for (const { index, powerW, smPct, temperatureC } of readings) {
      this.#seen.add(index);
      if (powerW !== null || smPct !== null || temperatureC !== null) answering.push(index);
    }
    const isSame =
      answering.length === before.length && answering.every((index, i) => index === before[i]);
    if (before.length > 0 && !isSame) this.#listener.onChange();
    this.#answering = answering;
    if (this.#listener.isShort({ seen: this.#seen, sinceMs: this.#liveSinceMs ?? Infinity })) {
      this.stopped = 'short';
      this.#listener.onShort();
    }
  }
}

function withMore(
  { count, samples }: UnreadSoFar,
  { unreadable, unreadableCount }: ReadingBatch,
): UnreadSoFar {
  return {
    count: count + unreadableCount,
    samples: [...samples, ...unreadable].slice(-MAX_SAMPLES),
  };
}
