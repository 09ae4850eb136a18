import { setImmediate } from 'node:timers/promises';
import {
  NO_RUN_METRICS,
  runMetricsStream,
  type MetricsReading,
  type RunMetrics,
  type RunMetricsDelta,
} from '../../shared/runs/progress/run-metrics.ts';
import { LogMetricsReader } from '../../shared/runs/progress/log-metrics.ts';
import { newMark } from '../onbox/onbox-scripts.ts';
import type { Topic } from '../streams/stream-hub.ts';
import type { FollowedLogOptions } from './followed-log.ts';
import { FollowedFiles } from './followed-files.ts';
import { atMost, logKey, logValues, readLogBytes } from './log-bytes.ts';

/** What is read of the log before the part that is shown: of a usual training all of it. */
const EARLY_BYTES = 8 * 1024 * 1024;
/** Read at a time, and how long others have their turn then: a flood of lines must not hold up all that main does. */
const MAX_TURN_CHARS = 16 * 1024;
const TURN_MS = 20;
/** What waits for its turn, and for the part before it. No trainer prints so fast; of a flood the rest is not read. */
const MAX_WAITING_CHARS = 1024 * 1024;
const PUBLISH_MS = 400;

export interface FollowedMetricsOptions extends FollowedLogOptions {
  readonly onOpened: () => void;
}

interface Piece {
  readonly text: string;
  readonly atMs: number | null;
}

/**
 * What the log of one run says of its training (stream `run-metrics`). Read here in main, of the bytes that the followed log
 * receives anyway: a window gets some thousand points instead of a log of megabytes, keeps its frames, and a run that it does
 * not show can be compared.
 */
export class FollowedMetrics {
  readonly #options: FollowedMetricsOptions;
  readonly #topic: Topic<RunMetrics, RunMetricsDelta>;
  /** Made when there is something to read: by then its run is listed. */
  #made: LogMetricsReader | null = null;
  readonly #files: FollowedFiles;
  #reading: MetricsReading = NO_RUN_METRICS.reading;
  #isNew = false;
  #waiting: Piece[] = [];
  #waitingChars = 0;
  /** What comes waits until the part before it is read. */
  #isReadingEarly = false;
  #turn: NodeJS.Timeout | undefined;
  #early: Promise<void> | null = null;
  readonly #stopper = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FollowedMetricsOptions) {
    this.#options = options;
    this.#topic = options.hub.addTopic('run-metrics', this.#key, {
      kind: runMetricsStream,
      initial: NO_RUN_METRICS,
      onOpened: () => {
        options.onOpened();
        this.#files.look();
      },
    });
    this.#files = new FollowedFiles({
      ...options,
      placeOf: () => options.resultsOf(),
      isOver: () => options.isOver() || this.#reading.state === 'whole',
      isWatched: () => this.#topic.isWatched,
      logHasSeries: () => this.#reader.hasSeries || this.#isReadingEarly,
      onChange: () => this.#soon(),
    });
  }

  get isWatched(): boolean {
    return this.#topic.isWatched;
  }

  /** The followed log begins at this byte. */
  begin(from: number): void {
    if (from === 0) return;
    this.#isReadingEarly = true;
    this.#early = this.#readEarly(from).finally(() => {
      this.#isReadingEarly = false;
      this.#goOn();
    });
  }

  /** The figures come from there from now on; null: from the log. */
  choose(source: string | null): void {
    this.#files.choose(source);
  }

  /** The link is up. */
  look(): void {
    this.#files.look();
  }

  /** What the followed log received. */
  take(text: string, atMs: number | null): void {
    const from = Math.max(0, this.#waitingChars + text.length - MAX_WAITING_CHARS);
    this.skip(from);
    this.#waiting.push({ text: from === 0 ? text : text.slice(from), atMs });
    this.#waitingChars += text.length - from;
    // Not in the turn in which the same text is looked through for secrets.
    this.#turn ??= setTimeout(() => this.#goOn(), 0);
  }

  is(state: MetricsReading['state']): void {
    if (state === this.#reading.state) return;
    this.#reading = { ...this.#reading, state };
    if (this.#turn === undefined) this.#goOn();
  }

  /** The log is another one. */
  startAgain(): void {
    this.#made = null;
    this.#waiting = [];
    this.#waitingChars = 0;
    this.#reading = { ...NO_RUN_METRICS.reading, state: this.#reading.state };
    this.#isNew = true;
    this.#soon();
  }

  get #reader(): LogMetricsReader {
    const { redact, progressOf } = this.#options;
    return (this.#made ??= new LogMetricsReader(redact, progressOf()));
  }

  async close(): Promise<void> {
    this.#stopper.abort();
    await this.#files.close();
    clearTimeout(this.#timer);
    clearTimeout(this.#turn);
    this.#options.hub.removeTopic('run-metrics', this.#key);
    await this.#early;
    clearTimeout(this.#timer);
    clearTimeout(this.#turn);
  }

  get #key(): string {
    return logKey(this.#options.boxId, this.#options.log);
  }

  /** The part of the log before the one that is shown; where that fails, what was read of it counts. */
  async #readEarly(until: number): Promise<void> {
    const { roster, boxId, log, scripts } = this.#options;
    const from = Math.max(0, until - EARLY_BYTES);
    let at = from;
    // Of this log: where it becomes another one meanwhile, that has a reader of its own.
    const reader = this.#reader;
    const connection = roster.connectionOf(boxId);
    if (connection !== null) {
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      const mark = newMark();
      const { signal } = this.#stopper;
      await scripts.follow(connection, 'run-log.sh', logValues(mark, log, { from, until }), {
        read: (stdout) =>
          readLogBytes(atMost(stdout, until - from), mark, {
            begin: () => undefined,
            take: async (piece) => {
              at += piece.length;
              const text = decoder.decode(piece, { stream: true });
              for (let done = 0; done < text.length; done += MAX_TURN_CHARS) {
                reader.take(text.slice(done, done + MAX_TURN_CHARS), null);
                await setImmediate();
              }
              this.#soon();
            },
          }),
        signal,
      });
    }
    if (reader !== this.#reader) return;
    this.#reading = { ...this.#reading, skippedAtBegin: from + (until - at) };
  }

  /** Reads some of what waits, and leaves the rest to the next turn. */
  #goOn(): void {
    this.#turn = undefined;
    this.#soon();
    if (this.#isReadingEarly) return;
    let room = MAX_TURN_CHARS;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { text, atMs } = next;
      this.#reader.take(text.slice(0, room), atMs);
      this.#waitingChars -= Math.min(room, text.length);
      if (text.length >= room) {
        this.#waiting.unshift({ text: text.slice(room), atMs });
        this.#turn = setTimeout(() => this.#goOn(), TURN_MS);
        return;
      }
      room -= text.length;
    }
    if (this.#reading.state === 'whole') this.#reader.end(null);
  }

  /** So many characters came too fast to be read. */
  skip(count: number): void {
    if (count === 0) return;
    const { skippedInFlood } = this.#reading;
    this.#reading = { ...this.#reading, skippedInFlood: skippedInFlood + count };
  }

  #soon(): void {
    if (this.#stopper.signal.aborted) return;
    this.#timer ??= setTimeout(() => this.#publish(), PUBLISH_MS);
  }

  #publish(): void {
    this.#timer = undefined;
    const before = this.#topic.state;
    this.#files.settle();
    const files = this.#files.state;
    const ofFile = this.#files.takeChange();
    if (ofFile.isNew && files.source === null) this.#reader.retell();
    const { changes: logged, leftOut, ...said } = this.#reader.takeChange() ?? {};
    // How far it is, the log says also where its figures are not shown.
    const isLog = files.source === null;
    const shown = isLog
      ? { ...(logged && { changes: logged }), ...(leftOut !== undefined && { leftOut }) }
      : {
          ...(ofFile.changes.length > 0 && { changes: ofFile.changes }),
          ...(ofFile.leftOut !== before.leftOut && { leftOut: ofFile.leftOut }),
        };
    const cleared = {
      ...(this.#isNew && { position: null }),
      ...((ofFile.isNew || (this.#isNew && isLog)) && ({ isNew: true, leftOut: 0 } as const)),
    };
    this.#isNew = false;
    const change = { ...cleared, ...said, ...shown };
    const isNews = this.#reading !== before.reading || files !== before.files;
    if (Object.keys(change).length === 0 && !isNews) return;
    this.#topic.publish({ ...change, reading: this.#reading, files });
  }
}
