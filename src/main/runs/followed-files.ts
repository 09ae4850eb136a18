import { problem, type Problem, type ProblemCode } from '../../shared/problem.ts';
import type { ResultFile } from '../../shared/runs/launch/launched-run.ts';
import { CsvMetricsReader } from '../../shared/runs/metric-files/csv-metrics.ts';
import { readScalarEvent } from '../../shared/runs/metric-files/event-scalars.ts';
import {
  likelySource,
  metricSourcesOf,
  NO_METRIC_FILES,
  sourceId,
  type MetricFileChange,
  type MetricFileReading,
  type MetricFiles,
  type MetricSource,
} from '../../shared/runs/metric-files/metric-file.ts';
import { TfRecordReader } from '../../shared/runs/metric-files/tf-records.ts';
import { LogMetricsReader } from '../../shared/runs/progress/log-metrics.ts';
import type { SeriesChange } from '../../shared/runs/progress/metric-series.ts';
import { SeriesSet } from '../../shared/runs/progress/series-set.ts';
import type { ResultPlace } from '../../shared/transfer/result-root.ts';
import type { Connections } from '../boxes/box-roster.ts';
import { newMark, noInput, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import { listResults } from './list-results.ts';
import { atMost, readLogBytes, type LogBegin } from './log-bytes.ts';

/** Listing a folder of results may cost a box seconds; what is new at the end of one file, next to nothing. */
const LIST_EVERY_MS = 30_000;
const READ_EVERY_MS = 3000;
const PART_BYTES = 1024 * 1024;
/** Of one source. Scalars of a long training take some MB; what is longer holds pictures. */
const MAX_BYTES = 64 * 1024 * 1024;
/** As result-file.sh ends. */
const SHRUNK = 3;

export interface FollowedFilesOptions {
  readonly boxId: string;
  readonly roster: Connections;
  readonly scripts: OnboxScripts;
  readonly redact: (text: string) => string;
  /** Null: nobody knows it. */
  readonly placeOf: () => Promise<ResultPlace | null>;
  /** Nothing writes there any more, as far as is known. */
  readonly isOver: () => boolean;
  readonly isWatched: () => boolean;
  /** Whether the log itself has figures: then no other source is read by itself. */
  readonly logHasSeries: () => boolean;
  readonly onListed: (files: readonly ResultFile[]) => void;
  readonly onChange: () => void;
}

/** How far a file was read, and by what. */
interface FollowedFile {
  at: number;
  /** Which file that is, as the box tells it; "-": not known. */
  which: string;
  /** Of those that had its name before. */
  readBefore: number;
  reader: FileReader;
}

/** Reads the bytes of one file as they come. */
interface FileReader {
  readonly take: (bytes: Buffer) => void;
  readonly damagedAt: () => number | null;
}

const NOTHING_READ: MetricFileReading = {
  ...{ read: 0, bytes: 0, change: null, isCut: false, damagedAt: null, problem: null },
};

/** The box has answered, though with no list. One that broke off (`results-not-whole`) is no answer. */
const ANSWERS: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'results-not-read',
  'results-not-there',
]);

/** Figures that a run writes into its results folder: which files there are, and one of them, followed by its bytes. */
export class FollowedFiles {
  readonly #options: FollowedFilesOptions;
  readonly #stopper = new AbortController();
  #sources: readonly MetricSource[] = [];
  #listedMs = -Infinity;
  /** It was listed after the last byte was written there. */
  #isListedLast = false;
  /** What the person chose; undefined: nothing. Null: the log. */
  #wanted: string | null | undefined;
  #series: SeriesSet;
  #jsonl: LogMetricsReader | null = null;
  #files = new Map<string, FollowedFile>();
  /** What became of them, the last of it. */
  #changed: MetricFileChange | null = null;
  #state: MetricFiles = NO_METRIC_FILES;
  #isNew = false;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #isDone = false;

  constructor(options: FollowedFilesOptions) {
    this.#options = options;
    this.#series = new SeriesSet(options.redact);
  }

  get state(): MetricFiles {
    return this.#state;
  }

  /** Reads on, where somebody looks and the link is up. */
  look(): void {
    clearTimeout(this.#timer);
    const { roster, boxId, isWatched } = this.#options;
    const isUp = roster.connectionOf(boxId) !== null;
    if (this.#stopper.signal.aborted || !isWatched() || !isUp) return;
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = null;
      if (!this.#isDone) this.#timer = setTimeout(() => this.look(), READ_EVERY_MS);
    });
  }

  /** Null: the log. One that is not listed changes nothing. */
  choose(id: string | null): void {
    if (id !== null && !this.#sources.some((source) => sourceId(source) === id)) return;
    this.#wanted = id;
    this.#take(id);
    this.#isDone = false;
    this.look();
  }

  /** A log that begins to tell figures late is what a person expects to see, unless they chose something else. */
  settle(): void {
    if (this.#wanted === undefined && this.#options.logHasSeries()) this.#take(null);
  }

  /** What is new of the source since the last time; `isNew`: it is another one than before. */
  takeChange(): {
    readonly isNew: boolean;
    readonly changes: readonly SeriesChange[];
    readonly leftOut: number;
  } {
    const { isNew, series, jsonl } = {
      isNew: this.#isNew,
      series: this.#series,
      jsonl: this.#jsonl,
    };
    this.#isNew = false;
    if (jsonl === null) return { isNew, changes: series.takeChanges(), leftOut: series.leftOut };
    const { changes = [] } = jsonl.takeChange() ?? {};
    return { isNew, changes, leftOut: jsonl.leftOut };
  }

  async close(): Promise<void> {
    this.#stopper.abort();
    clearTimeout(this.#timer);
    await this.#looking;
    clearTimeout(this.#timer);
  }

  async #lookOnce(): Promise<void> {
    const { placeOf, isOver, logHasSeries } = this.#options;
    // Asked before: what was written until its end is there by then.
    const wasOver = isOver();
    const place = await placeOf();
    this.#isDone = place === null;
    if (place === null) return;
    const now = performance.now();
    if (now - this.#listedMs >= LIST_EVERY_MS || (wasOver && !this.#isListedLast)) {
      this.#listedMs = now;
      this.#isListedLast = (await this.#list(place)) && wasOver;
    }
    if (this.#wanted === undefined && this.#state.source === null && !logHasSeries()) {
      const likely = likelySource(this.#sources);
      if (likely !== null) this.#take(sourceId(likely));
    }
    const isRead = await this.#read(place);
    this.#isDone = this.#isListedLast && isRead;
  }

  /** Whether the box has answered. */
  async #list(place: ResultPlace): Promise<boolean> {
    const { roster, boxId, scripts } = this.#options;
    const connection = roster.connectionOf(boxId);
    if (connection === null) return false;
    const listed = await listResults(connection, scripts, place, {
      signal: this.#stopper.signal,
    });
    // A folder that is not there yet has no figures; what else is the matter, the list of results says.
    if (!listed.ok) return ANSWERS.has(listed.error.code);
    this.#options.onListed(listed.value.files);
    const { redact } = this.#options;
    // SECURITY: a path in which a secret stands is told to no window.
    const found = metricSourcesOf(listed.value.files).filter(({ path }) => redact(path) === path);
    // A file that was renamed while it was read is written on, or begun anew under its name: it is read on either way.
    const gone = this.#sources.filter(
      (each) =>
        sourceId(each) === this.#state.source &&
        this.#readSum() > 0 &&
        !found.some((other) => sourceId(other) === sourceId(each)),
    );
    this.#sources = [...found, ...gone];
    this.#change({ sources: this.#sources.map(({ files: _, ...source }) => source) });
    return true;
  }

  #take(id: string | null): void {
    if (id === this.#state.source) return;
    this.#series = new SeriesSet(this.#options.redact);
    this.#jsonl = null;
    this.#files = new Map();
    this.#changed = null;
    this.#isNew = true;
    this.#change({ source: id, reading: id === null ? null : NOTHING_READ });
  }

  /** Whether all of the source was read. */
  async #read(place: ResultPlace): Promise<boolean> {
    const id = this.#state.source;
    const source = this.#sources.find((each) => sourceId(each) === id);
    if (source === undefined) return true;
    for (const file of source.files) {
      for (;;) {
        const left = MAX_BYTES - this.#readSum();
        if (this.#state.source !== id || this.#stopper.signal.aborted) return false;
        const more =
          left > 0 ? await this.#readPart(place, source, file, Math.min(PART_BYTES, left)) : 'end';
        if (this.#state.source !== id) return false;
        const found = more === 'end' || more === 'more' ? null : more;
        this.#tell(source, found);
        if (found !== null) return false;
        if (more === 'end') break;
      }
    }
    return true;
  }

  /** "more": there is more behind it. */
  async #readPart(
    { folder, results }: ResultPlace,
    { kind }: MetricSource,
    file: string,
    most: number,
  ): Promise<'more' | 'end' | Problem> {
    const { roster, boxId, scripts } = this.#options;
    const connection = roster.connectionOf(boxId);
    if (connection === null) return 'end';
    const known: FollowedFile = this.#files.get(file) ?? {
      ...{ at: 0, which: '-', readBefore: 0 },
      reader: this.#readerOf(kind),
    };
    this.#files.set(file, known);
    const mark = newMark();
    let begun: LogBegin = { from: 0, size: 0 };
    const files = this.#files;
    const ran = await scripts.stream(
      connection,
      'result-file.sh',
      {
        LEASEHOLD_MARK: mark,
        LEASEHOLD_FOLDER: folder,
        LEASEHOLD_RESULTS: results,
        LEASEHOLD_FILE: file,
        LEASEHOLD_FROM: String(known.at),
        LEASEHOLD_MOST: String(most),
        LEASEHOLD_WHICH: known.which,
      },
      noInput(),
      {
        read: (stdout) =>
          readLogBytes(atMost(stdout, most), mark, {
            begin: (at) => {
              begun = at;
            },
            take: (piece) => {
              // Another source was chosen meanwhile.
              if (files !== this.#files) return;
              known.at += piece.length;
              known.reader.take(piece);
            },
          }),
        signal: this.#stopper.signal,
        timeoutMs: 60_000,
      },
    );
    if (!ran.ok) return ran.error;
    const { end } = ran.value;
    if (end.kind === 'exited' && end.code === SHRUNK) {
      // Written anew, or gone: what was read of it counts no more.
      const isRead = known.at > 0;
      const { source } = this.#state;
      if (isRead) {
        this.#state = { ...this.#state, source: null };
        this.#take(source);
        this.#changed = 'begun-anew';
      }
      return 'end';
    }
    if (end.kind !== 'exited' || end.code !== 0) {
      return problem('results-not-read', 'This file could not be read to its end.');
    }
    if (files !== this.#files) return 'end';
    known.which = begun.which ?? '-';
    if (known.at < begun.size) return 'more';
    if (begun.isRenamed !== true) return 'end';
    // Read to its end: what began under its name goes on after it.
    if (kind === 'jsonl') known.reader.take(Buffer.from('\n'));
    this.#files.set(file, {
      ...{ at: 0, which: '-', readBefore: known.readBefore + known.at },
      reader: this.#readerOf(kind),
    });
    this.#changed = 'renamed';
    return 'more';
  }

  #readerOf(kind: MetricSource['kind']): FileReader {
    const { redact } = this.#options;
    if (kind === 'tensorboard') {
      const records = new TfRecordReader((record) => {
        const event = readScalarEvent(record);
        if (event === null) return;
        for (const { tag, value } of event.values) {
          this.#series.add(tag, event.step, event.wallMs, value);
        }
      });
      return { take: (bytes) => records.take(bytes), damagedAt: () => records.damagedAt };
    }
    const decoder = new TextDecoder('utf-8');
    const text = (bytes: Buffer): string => decoder.decode(bytes, { stream: true });
    if (kind === 'jsonl') {
      const reader = (this.#jsonl ??= new LogMetricsReader(redact));
      return { take: (bytes) => reader.take(text(bytes), null), damagedAt: () => null };
    }
    const reader = new CsvMetricsReader(this.#series);
    return { take: (bytes) => reader.take(text(bytes)), damagedAt: () => null };
  }

  #readSum(): number {
    return [...this.#files.values()].reduce((sum, { at, readBefore }) => sum + readBefore + at, 0);
  }

  #tell(source: MetricSource, found: Problem | null): void {
    const read = this.#readSum();
    const damaged = [...this.#files.values()].map(({ reader }) => reader.damagedAt());
    this.#change({
      reading: {
        read,
        bytes: Math.max(read, source.bytes),
        change: this.#changed,
        isCut: read >= MAX_BYTES,
        damagedAt: damaged.find((at) => at !== null) ?? null,
        problem: found,
      },
    });
  }

  #change(part: Partial<MetricFiles>): void {
    this.#state = { ...this.#state, ...part };
    this.#options.onChange();
  }
}
