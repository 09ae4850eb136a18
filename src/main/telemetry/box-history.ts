import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { ReadingsCycle } from '../../shared/streams/readings-stream.ts';
import { BucketFold } from '../../shared/telemetry/bucket-fold.ts';
import { gpuKeyOf, type GpuKey } from '../../shared/telemetry/gpu-facts.ts';
import type { GapReason, HistoryGap } from '../../shared/telemetry/history.ts';
import type { BoxBucket } from '../../shared/telemetry/history-codec.ts';
import type { TelemetryMark } from '../../shared/telemetry/mark.ts';
import type { Metric } from '../../shared/telemetry/reading-ring.ts';
import { addThrottleSample, type ThrottleSpan } from '../../shared/telemetry/throttle.ts';
import type {
  HistoryBatch,
  HistoryGpu,
  HistoryRecord,
  HistoryTable,
  StoredStepS,
} from '../storage/history-table.ts';
import { decoded, joined, packHour, record, toHours } from './history-records.ts';
import { Silence } from './silence.ts';

/**
 * What waits for the disk, or stays in memory for a box that is not stored: a day of minutes and as many 10-second
 * records as their tier holds. The oldest go.
 */
const MAX_UNSAVED: Readonly<Record<StoredStepS, number>> = { 10: 360, 60: 1440, 3600: 48 };
const MAX_SESSION_ENTRIES = 2000;

/** A sample of the last second of a minute may still be on its way. */
const LATE_SAMPLE_MS = 5000;

/** Records between which everything else gets its turn: each lot takes some milliseconds to decode. */
const READ_AT_ONCE: Readonly<Record<StoredStepS, number>> = { 10: 60, 60: 4, 3600: 200 };

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface SlotSpan extends ThrottleSpan {
  readonly slot: number;
}

/** Which card has which index now, and what it is called. */
export interface KnownCard {
  readonly uuid: string | null;
  readonly name: string | null;
}

export interface BoxHistoryOptions {
  readonly table: HistoryTable;
  /** The box's number in the table; null: nothing is kept beyond this session. */
  readonly box: number | null;
  readonly known: readonly HistoryGpu[];
  /** When the newest record of earlier sessions ends; null: there is none. */
  readonly lastStoredMs: number | null;
}

/** One box's GPU history: folds samples into buckets, keeps what is not on the disk yet, and reads both as one. */
export class BoxHistory {
  readonly #options: BoxHistoryOptions;
  readonly #gpus = new Map<GpuKey, HistoryGpu>();
  readonly #dirtyGpus = new Set<GpuKey>();
  #ten: BucketFold | null = null;
  #tensOfMinute: BoxBucket[] = [];
  /** Of the finished tens: a sample is folded once, and a minute is made of six folds. */
  #minute: BucketFold | null = null;
  #unsaved: HistoryRecord[] = [];
  #gaps: HistoryGap[] = [];
  #unsavedGaps: HistoryGap[] = [];
  #marks: TelemetryMark[] = [];
  #unsavedMarks: TelemetryMark[] = [];
  readonly #spans = new Map<number, readonly ThrottleSpan[]>();
  readonly #dirtySpans = new Map<string, SlotSpan>();
  #lastSampleMs: number | null;
  readonly #silence = new Silence('app-closed');
  #rolledToS: number | null = null;

  constructor(options: BoxHistoryOptions) {
    this.#options = options;
    for (const gpu of options.known) this.#gpus.set(gpu.gpu, gpu);
    this.#lastSampleMs = options.lastStoredMs;
  }

  get box(): number | null {
    return this.#options.box;
  }

  get gpus(): readonly HistoryGpu[] {
    return [...this.#gpus.values()];
  }

  /** The newest sample that earlier sessions left. */
  get lastStoredMs(): number | null {
    return this.#options.lastStoredMs;
  }

  /** Something waits for the disk. */
  get isDue(): boolean {
    return this.batch() !== null;
  }

  add({ atMs, readings }: ReadingsCycle, cardAt: (index: number) => KnownCard): void {
    this.#endGap(atMs);
    const startMs = Math.floor(atMs / 60_000) * 60_000;
    if (this.#minute?.startMs !== startMs) this.#beginMinute(startMs);
    const tenMs = Math.floor(atMs / 10_000) * 10_000;
    if (this.#ten?.startMs !== tenMs) {
      this.#endTen();
      this.#ten = new BucketFold(tenMs);
    }
    for (const reading of readings) {
      const { slot } = this.#gpuAt(reading.index, cardAt(reading.index));
      this.#ten.add(slot, reading);
      if (reading.throttleBits !== null) this.addThrottle(slot, atMs, reading.throttleBits);
    }
  }

  /** Why no samples come, from this moment on; see `Silence`. */
  explainSilence(reason: GapReason, atMs: number, coversMs?: number): void {
    this.#silence.explain(reason, atMs, this.#lastSampleMs, coversMs);
  }

  slotOf(index: number, card: KnownCard): number {
    return this.#gpuAt(index, card).slot;
  }

  addThrottle(slot: number, atMs: number, bits: number, isAnew = false): void {
    const spans = addThrottleSample(this.#spans.get(slot) ?? [], atMs, bits, isAnew);
    this.#spans.set(slot, spans.slice(-MAX_SESSION_ENTRIES));
    // A change touches two: the end of the one before and the new one.
    for (const span of spans.slice(-2)) {
      this.#dirtySpans.set(`${String(slot)} ${String(span.fromMs)}`, { slot, ...span });
    }
  }

  addMarks(marks: readonly TelemetryMark[]): void {
    this.#marks = [...this.#marks, ...marks].slice(-MAX_SESSION_ENTRIES);
    this.#unsavedMarks = [...this.#unsavedMarks, ...marks].slice(-MAX_SESSION_ENTRIES);
  }

  /** Ends a minute that is over although no further sample came, as when the link went. */
  settle(nowMs: number): void {
    if (this.#minute !== null && nowMs >= this.#minute.startMs + 60_000 + LATE_SAMPLE_MS) {
      this.#endMinute();
    }
  }

  /** Ends the running minute, so that it can be kept: the box goes, or Leasehold does. */
  finish(): void {
    this.#endMinute();
  }

  /** What to write now; null: nothing. */
  batch(): HistoryBatch | null {
    const { box } = this;
    const isNothing =
      this.#unsaved.length + this.#unsavedGaps.length + this.#unsavedMarks.length === 0;
    if (box === null || isNothing) return null;
    return {
      box,
      records: this.#unsaved,
      gpus: [...this.#dirtyGpus].flatMap((key) => this.#gpus.get(key) ?? []),
      gaps: this.#unsavedGaps,
      throttle: [...this.#dirtySpans.values()],
      marks: this.#unsavedMarks,
    };
  }

  /** The batch is on the disk. */
  saved(batch: HistoryBatch): void {
    this.#unsaved = this.#unsaved.filter((record) => !batch.records.includes(record));
    this.#unsavedGaps = this.#unsavedGaps.filter((gap) => !batch.gaps.includes(gap));
    this.#unsavedMarks = this.#unsavedMarks.filter((mark) => !batch.marks.includes(mark));
    for (const { gpu } of batch.gpus) this.#dirtyGpus.delete(gpu);
    for (const [key, span] of this.#dirtySpans) {
      if (batch.throttle.includes(span)) this.#dirtySpans.delete(key);
    }
  }

  /** Folds the oldest finished hour that still is minutes, and packs those. False: there was nothing to do. */
  rollUp(nowMs: number): Result<boolean, Problem> {
    const { table } = this.#options;
    const { box } = this;
    const thisHourS = Math.floor(nowMs / 3_600_000) * 3600;
    if (box === null || this.#rolledToS === thisHourS) return ok(false);
    const newest = this.#rolledToS === null ? table.newest(box, 3600) : ok(null);
    if (!newest.ok) return newest;
    const fromS = this.#rolledToS ?? (newest.value === null ? 0 : newest.value + 3600);
    const range = { fromMs: fromS * 1000, toMs: thisHourS * 1000 - 1, afterS: fromS - 1 };
    const first = table.read(box, 60, range, 1);
    if (!first.ok) return first;
    const [oldest] = first.value;
    if (oldest === undefined) {
      this.#rolledToS = thisHourS;
      return ok(false);
    }
    const beginS = Math.max(fromS, Math.floor(oldest.startS / 3600) * 3600);
    const done = packHour(table, box, beginS);
    if (!done.ok) return done;
    this.#rolledToS = beginS + 3600;
    return ok(true);
  }

  /** Every bucket of a stored tier in the range, oldest first, from disk and memory. */
  async buckets(
    stepS: StoredStepS,
    range: Range,
    metrics: readonly Metric[],
  ): Promise<Result<readonly BoxBucket[], Problem>> {
    const stored = await this.#stored(stepS, range, metrics);
    if (!stored.ok) return stored;
    const recent = this.#inMemory(stepS, metrics);
    const all = stepS === 3600 ? await this.#withYoungHour(stored.value, range, metrics) : stored;
    if (!all.ok) return all;
    return ok(
      joined(all.value, recent).filter(
        ({ startMs }) => startMs + stepS * 1000 > range.fromMs && startMs <= range.toMs,
      ),
    );
  }

  gaps(range: Range, nowMs: number): Result<readonly HistoryGap[], Problem> {
    const stored = this.#fromTable((table, box) => table.gaps(box, range));
    if (!stored.ok) return stored;
    const all = [...stored.value, ...this.#gaps, ...this.#gapsUntil(nowMs)];
    const byStart = new Map(all.map((gap) => [gap.fromMs, gap]));
    return ok(
      [...byStart.values()]
        .filter(({ fromMs, toMs }) => toMs >= range.fromMs && fromMs <= range.toMs)
        .sort((a, b) => a.fromMs - b.fromMs),
    );
  }

  throttle(range: Range): Result<readonly SlotSpan[], Problem> {
    const stored = this.#fromTable((table, box) => table.throttle(box, range));
    if (!stored.ok) return stored;
    const inMemory = [...this.#spans].flatMap(([slot, spans]) =>
      spans.map((span) => ({ slot, ...span })),
    );
    const spans = new Map(
      [...stored.value, ...inMemory].map((span) => [
        `${String(span.slot)} ${String(span.fromMs)}`,
        span,
      ]),
    );
    return ok(
      [...spans.values()]
        .filter(({ fromMs, toMs }) => toMs >= range.fromMs && fromMs <= range.toMs)
        .sort((a, b) => a.fromMs - b.fromMs),
    );
  }

  marks(range: Range): Result<readonly TelemetryMark[], Problem> {
    const stored = this.#fromTable((table, box) => table.marks(box, range));
    if (!stored.ok) return stored;
    const unsaved = this.box === null ? this.#marks : this.#unsavedMarks;
    const recent = unsaved.filter(({ atMs }) => atMs >= range.fromMs && atMs <= range.toMs);
    return ok([...stored.value, ...recent].sort((a, b) => a.atMs - b.atMs));
  }

  #fromTable<T>(
    read: (table: HistoryTable, box: number) => Result<{ readonly rows: readonly T[] }, Problem>,
  ): Result<readonly T[], Problem> {
    const { box } = this;
    if (box === null) return ok([]);
    const listed = read(this.#options.table, box);
    return listed.ok ? ok(listed.value.rows) : listed;
  }

  #gpuAt(index: number, { uuid, name }: KnownCard): HistoryGpu {
    const key = gpuKeyOf(index, uuid);
    const known = this.#gpus.get(key);
    if (known?.index === index && known.name === name) return known;
    const gpu = { slot: known?.slot ?? this.#nextSlot(), gpu: key, index, name };
    this.#gpus.set(key, gpu);
    this.#dirtyGpus.add(key);
    return gpu;
  }

  #nextSlot(): number {
    return this.gpus.reduce((next, { slot }) => Math.max(next, slot + 1), 0);
  }

  #beginMinute(startMs: number): void {
    this.#endMinute();
    this.#minute = new BucketFold(startMs);
  }

  #endTen(): void {
    if (this.#ten !== null) {
      this.#tensOfMinute.push(this.#ten.bucket());
      this.#minute?.addFold(this.#ten);
    }
    this.#ten = null;
  }

  #endMinute(): void {
    this.#endTen();
    const minute = this.#minute;
    const tens = this.#tensOfMinute;
    this.#minute = null;
    this.#tensOfMinute = [];
    if (minute === null) return;
    this.#keep(record(60, minute.startMs, [minute.bucket()]));
    this.#keep(record(10, minute.startMs, tens));
  }

  #keep(made: HistoryRecord): void {
    this.#unsaved.push(made);
    const ofTier = this.#unsaved.filter(({ stepS }) => stepS === made.stepS);
    const [oldest] = ofTier;
    if (ofTier.length > MAX_UNSAVED[made.stepS] && oldest !== undefined) {
      this.#unsaved = this.#unsaved.filter((each) => each !== oldest);
    }
  }

  #endGap(atMs: number): void {
    const gaps = this.#gapsUntil(atMs);
    this.#gaps = [...this.#gaps, ...gaps].slice(-MAX_SESSION_ENTRIES);
    this.#unsavedGaps = [...this.#unsavedGaps, ...gaps].slice(-MAX_SESSION_ENTRIES);
    this.#lastSampleMs = atMs;
    this.#silence.end();
  }

  #gapsUntil(atMs: number): readonly HistoryGap[] {
    const last = this.#lastSampleMs;
    return last === null ? [] : this.#silence.gaps(last, atMs);
  }

  async #stored(
    stepS: StoredStepS,
    range: Range,
    metrics: readonly Metric[],
  ): Promise<Result<readonly BoxBucket[], Problem>> {
    const { box } = this;
    if (box === null) return ok([]);
    const buckets: BoxBucket[] = [];
    const limit = READ_AT_ONCE[stepS];
    const rolledToS = this.#rolledToS;
    let afterS = -Infinity;
    for (;;) {
      const read = this.#options.table.read(box, stepS, { ...range, afterS }, limit);
      if (!read.ok) return read;
      for (const each of read.value) buckets.push(...decoded(each, metrics));
      const last = read.value.at(-1);
      if (last === undefined || read.value.length < limit) return ok(buckets);
      afterS = last.startS;
      await nextTurn();
      // The hour was packed meanwhile: its minutes stand in a record that begins before those that were read.
      if (this.#rolledToS !== rolledToS) return this.#stored(stepS, range, metrics);
    }
  }

  #inMemory(stepS: StoredStepS, metrics: readonly Metric[]): readonly BoxBucket[] {
    const finished = this.#unsaved
      .filter((each) => each.stepS === stepS)
      .flatMap((each) => decoded(each, metrics));
    const running = stepS === 10 ? this.#ten : stepS === 60 ? this.#runningMinute() : null;
    return [
      ...finished,
      ...(stepS === 10 ? this.#tensOfMinute : []),
      ...(running === null ? [] : [running.bucket()]),
    ];
  }

  #runningMinute(): BucketFold | null {
    if (this.#minute === null || this.#ten === null) return this.#minute;
    const minute = new BucketFold(this.#minute.startMs);
    minute.addFold(this.#minute);
    minute.addFold(this.#ten);
    return minute;
  }

  /** The hours that were not folded yet, made from their minutes. */
  async #withYoungHour(
    hours: readonly BoxBucket[],
    range: Range,
    metrics: readonly Metric[],
  ): Promise<Result<readonly BoxBucket[], Problem>> {
    const last = hours.at(-1);
    const fromMs = last === undefined ? range.fromMs : last.startMs + 3_600_000;
    const minutes = await this.buckets(60, { fromMs, toMs: range.toMs }, metrics);
    return minutes.ok ? ok(joined(hours, toHours(minutes.value))) : minutes;
  }
}
