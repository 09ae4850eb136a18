import { noSuchBox } from '../../shared/boxes/no-such-box.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { ReadingsCycle } from '../../shared/streams/readings-stream.ts';
import type { SparkMinute } from '../../shared/streams/sparks-stream.ts';
import { NO_GPU_FACTS, type GpuFactsState } from '../../shared/telemetry/gpu-facts.ts';
import type { BoxBucket } from '../../shared/telemetry/history-codec.ts';
import { csvHeader, csvLines } from '../../shared/telemetry/history-csv.ts';
import type { HistoryExport, HistoryQuery } from '../../shared/telemetry/history-requests.ts';
import type { ExportOutcome, HistoryAnswer } from '../../shared/telemetry/history.ts';
import type { TelemetryMark } from '../../shared/telemetry/mark.ts';
import type { Log } from '../log/log.ts';
import type { HistoryTable } from '../storage/history-table.ts';
import type { RefusalsTable } from '../storage/refusals-table.ts';
import { Source, type OfBox } from '../streams/source.ts';
import type { StreamHub } from '../streams/stream-hub.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { BoxHistory } from './box-history.ts';
import { lastStored } from './history-records.ts';
import { BoxTelemetry, type BoxTelemetryOptions } from './box-telemetry.ts';
import { writeLines } from './history-export.ts';
import { exportPoints, queryHistory } from './history-query.ts';
import { HistoryWriter } from './history-writer.ts';
import { RefusalMemory } from './refusal-memory.ts';

export interface TelemetryOptions {
  readonly hub: StreamHub;
  readonly table: HistoryTable;
  readonly refusals: RefusalsTable;
  readonly scripts: OnboxScripts;
  readonly log: Log;
  readonly onProblem: (problem: Problem) => void;
}

/** The GPUs of all boxes: what they do now, and what they did. */
export class Telemetry {
  readonly readings = new Source<OfBox<ReadingsCycle>>();
  /** What the slow probe says, or why it could not. */
  readonly facts = new Source<OfBox<GpuFactsState>>();
  readonly #options: TelemetryOptions;
  readonly #boxes = new Map<string, BoxTelemetry>();
  readonly #writer: HistoryWriter;

  constructor(options: TelemetryOptions) {
    this.#options = options;
    const { table, log, onProblem } = options;
    this.#writer = new HistoryWriter({ table, log, onProblem, boxes: () => this.#histories() });
  }

  /** Reads a box's GPUs while its link is up, until it is closed. */
  follow(
    options: Pick<BoxTelemetryOptions, 'boxId' | 'log' | 'onChange'>,
  ): Pick<BoxTelemetry, 'useConnection' | 'close'> {
    const { boxId } = options;
    const history = this.#openHistory(boxId);
    const { hub, scripts } = this.#options;
    const refusals = this.#refusalsOf(boxId);
    const telemetry = new BoxTelemetry({
      ...options,
      hub,
      scripts,
      history,
      refusals,
      onReadings: (value) => this.readings.tell({ boxId, value }),
      onFacts: (value) => this.facts.tell({ boxId, value }),
    });
    this.#boxes.set(boxId, telemetry);
    this.#writer.start();
    return {
      useConnection: (connection, link) => telemetry.useConnection(connection, link),
      close: () => {
        this.#boxes.delete(boxId);
        telemetry.close();
        this.#writer.finish(history);
        this.#writer.dropOrphans();
        if (this.#boxes.size === 0) this.#writer.pause();
      },
    };
  }

  /** What happened to a box, for the axis of its charts. */
  mark(boxId: string, marks: readonly TelemetryMark[]): void {
    this.#boxes.get(boxId)?.addMarks(marks);
  }

  /** What the slow probe said last of a box. */
  factsOf(boxId: string): GpuFactsState {
    return this.#boxes.get(boxId)?.facts ?? NO_GPU_FACTS;
  }

  async query(query: HistoryQuery): Promise<Result<HistoryAnswer, Problem>> {
    const box = this.#boxes.get(query.boxId);
    if (box === undefined) return noSuchBox();
    const answer = await queryHistory(box, query, Date.now());
    return answer.ok ? ok({ ...answer.value, isKept: this.#writer.isKept }) : answer;
  }

  /** The load of a box, minute by minute, as earlier sessions and this one kept it. */
  async loadByMinute(boxId: string, fromMs: number, toMs: number): Promise<readonly SparkMinute[]> {
    const history = this.#boxes.get(boxId)?.history;
    if ((history?.lastStoredMs ?? -Infinity) < fromMs) return [];
    const read = await history?.buckets(60, { fromMs, toMs }, ['smPct']);
    if (read === undefined) return [];
    if (!read.ok) {
      this.#options.log.warn(read.error.message, { code: read.error.code });
      return [];
    }
    return read.value.map(({ startMs, gpus }) => ({
      minute: startMs / 60_000,
      smPct: meanOfMeans(gpus),
    }));
  }

  /** Writes every stored point of the range to `file`. */
  async exportCsv(request: HistoryExport, file: string): Promise<Result<ExportOutcome, Problem>> {
    const box = this.#boxes.get(request.boxId);
    if (box === undefined) return noSuchBox();
    const points = await exportPoints(box, request, Date.now());
    if (!points.ok) return points;
    const { tier, gpus } = points.value;
    const { metrics } = request;
    function* lines(): Generator<string, void> {
      for (const gpu of gpus) yield* csvLines(gpu, metrics, tier);
    }
    const written = await writeLines(file, csvHeader(metrics, tier), lines());
    return written.ok ? ok({ kind: 'saved', file, tier, ...written.value }) : written;
  }

  /** Writes what is not on the disk yet; for quitting. */
  close(): void {
    this.#writer.close();
  }

  #refusalsOf(boxId: string): RefusalMemory {
    const { refusals, log } = this.#options;
    const said = <T>(done: Result<T, Problem>): T | null => {
      if (done.ok) return done.value;
      log.warn(done.error.message, { code: done.error.code });
      return null;
    };
    return new RefusalMemory(boxId, {
      read: (id, driver) => said(refusals.read(id, driver)),
      write: (id, driver, refused) => said(refusals.write(id, driver, refused)),
    });
  }

  *#histories(): Generator<BoxHistory, void> {
    for (const { history } of this.#boxes.values()) yield history;
  }

  /** A history that cannot be opened is one that begins now: the charts work, and the problem is said. */
  #openHistory(boxId: string): BoxHistory {
    const { table, log } = this.#options;
    const nothing = { table, box: null, known: [], lastStoredMs: null };
    const box = table.boxOf(boxId);
    if (!box.ok || box.value === null) {
      if (!box.ok) log.warn(box.error.message, { code: box.error.code });
      return new BoxHistory(nothing);
    }
    const known = table.gpus(box.value);
    const newest = lastStored(table, box.value);
    for (const failed of [known, newest]) {
      if (failed.ok) continue;
      log.warn(failed.error.message, { code: failed.error.code });
      return new BoxHistory(nothing);
    }
    if (!known.ok || !newest.ok) return new BoxHistory(nothing);
    return new BoxHistory({
      table,
      box: box.value,
      known: known.value.rows,
      lastStoredMs: newest.value,
    });
  }
}

function meanOfMeans(gpus: BoxBucket['gpus']): number | null {
  const means = gpus.flatMap(({ values }) => values.smPct?.mean ?? []);
  return means.length === 0 ? null : means.reduce((sum, mean) => sum + mean, 0) / means.length;
}
