import { problem, type Problem } from '../../shared/problem.ts';
import type { ResultFile, RunLog } from '../../shared/runs/launch/launched-run.ts';
import { firstErrorIn } from '../../shared/runs/launch/log-lines.ts';
import { MAX_LOG_CHARS, runLogStream, type RunLogDelta } from '../../shared/streams/runs-stream.ts';
import type { ResultPlace } from '../../shared/transfer/result-root.ts';
import type { Connections } from '../boxes/box-roster.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import { nextTurn } from '../streams/in-turns.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';
import { FollowedMetrics } from './followed-metrics.ts';
import {
  LOG_ENDS,
  logKey,
  logValues,
  readLogBytes,
  type LogBegin,
  type LogName,
} from './log-bytes.ts';
import { RedactedLine } from './redacted-line.ts';

/** What is read of a log that was not followed before. */
const FIRST_BYTES = 128 * 1024;
/** What comes is gathered so long; and after a quiet time only as long as what comes with it. */
const FLUSH_MS = 150;
const FIRST_FLUSH_MS = 10;
/**
 * Of a flood only the end goes to the window, which keeps some thousand rows and shows some fifty: splitting and copying all of it
 * costs frames. What comes at once and then no more is whole.
 */
const SENT_CHARS_PER_S = 128 * 1024;
const SENT_AT_ONCE_CHARS = 2 * MAX_LOG_CHARS;
const SENT_AT_LEAST_CHARS = 16 * 1024;
/** A line that is longer goes on before its end, but for these last ones: a secret may have come only in part. */
const LONG_LINE_CHARS = 4096;
const HELD_CHARS = 1024;
/** Looked through for secrets and errors at a time: some milliseconds, after which others have their turn. */
const TURN_CHARS = 32 * 1024;
/** Who looks away for a moment does not lose the place. */
const LOOK_EVERY_MS = 2000;
const RETRY_MS = 3000;
const NOTES = {
  shrunk: 'the log became shorter or was replaced, and is read again from its beginning',
  rotated:
    'the log was renamed on the box and read to its end; the one that began under its name follows',
  renamed:
    'the log was renamed or deleted on the box; the run goes on writing into it, and it is read on there',
} as const;

const NO_LOG: RunLog = { text: '', bytes: 0, isCut: false, state: 'opening', problem: null };

export interface FollowedLogOptions {
  readonly boxId: string;
  readonly log: LogName;
  /** Where its results lie; null: nowhere, or nobody knows. */
  readonly resultsOf: () => Promise<ResultPlace | null>;
  /** What lies among its results, each time that they were looked through for figures. */
  readonly onListed: (files: readonly ResultFile[]) => void;
  /** The first line that told of an error while it was followed. */
  readonly onError: (text: string, atMs: number) => void;
  /** It is over, as far as it was listed; of a cell, only its log tells. */
  readonly isOver: () => boolean;
  readonly hub: StreamHub;
  readonly roster: Connections;
  readonly scripts: OnboxScripts;
  /** How the log tells how far it is, as its run's request said. */
  readonly progressOf: () => readonly string[];
  /** SECURITY: takes secrets out of what the box wrote. */
  readonly redact: (text: string) => string;
}

/** The log of one run or cell, followed while somebody looks at it and the link is up, from where it was read to. */
export class FollowedLog {
  readonly #options: FollowedLogOptions;
  readonly #topic: Topic<RunLog, RunLogDelta>;
  /** Read of the bytes that come here anyway, and followed for its own sake as well. */
  readonly #metrics: FollowedMetrics;
  /** The byte to go on from; null: it was never read. */
  #at: number | null = null;
  /** What the file had when the box began to send it: nobody knows when that was written. */
  #oldUntil = 0;
  #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #pending = '';
  #pendingBytes = 0;
  /** Something before what is pending came too fast, and was let go. */
  #hasGap = false;
  #hasError = false;
  /** What the last flush kept back: half a line, in which half a secret may stand. */
  #held = '';
  readonly #redacted: RedactedLine;
  #flush: NodeJS.Timeout | undefined;
  /** The flush that is under way, turn by turn; what comes meanwhile waits for the next one. */
  #flushing: Promise<void> | null = null;
  #flushedAtMs = -Infinity;
  /** What may be sent to the window, which grows with time. */
  #room = { chars: SENT_AT_ONCE_CHARS, atMs: 0 };
  #retry: NodeJS.Timeout | undefined;
  /** Whatever process writes into what was renamed, it is told once. */
  #saidRenamed = false;
  #following: Promise<void> | null = null;
  #stopper: AbortController | null = null;
  #isClosed = false;

  constructor(options: FollowedLogOptions) {
    this.#options = options;
    this.#redacted = new RedactedLine(options.redact);
    this.#topic = options.hub.addTopic('run-log', this.#key, {
      kind: runLogStream,
      initial: NO_LOG,
      onOpened: () => this.#opened(),
    });
    this.#metrics = new FollowedMetrics({ ...options, onOpened: () => this.#opened() });
  }

  /** Where the figures that are drawn come from; null: from the log. */
  chooseMetrics(source: string | null): void {
    this.#metrics.choose(source);
  }

  /** Goes on reading where that is wanted and possible. */
  look(): void {
    clearTimeout(this.#retry);
    this.#metrics.look();
    const { roster, boxId } = this.#options;
    if (this.#isClosed || this.#following !== null || !this.isWatched) return;
    if (this.#topic.state.state === 'whole' || roster.connectionOf(boxId) === null) return;
    this.#following = this.#follow().finally(() => {
      this.#following = null;
    });
  }

  /** Whether somebody looks at it. */
  get isWatched(): boolean {
    return this.#topic.isWatched || this.#metrics.isWatched;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#stopper?.abort();
    this.#options.hub.removeTopic('run-log', this.#key);
    await this.#metrics.close();
    await this.#following;
    await this.#flushing;
    clearTimeout(this.#flush);
  }

  get #key(): string {
    return logKey(this.#options.boxId, this.#options.log);
  }

  /** A cell that was interrupted runs again once its queue is resumed, and goes on writing the log that was whole. */
  #opened(): void {
    if (this.#options.log.cell !== undefined && this.#topic.state.state === 'whole') {
      this.#publish({ state: 'stopped' });
    }
    this.look();
  }

  async #follow(): Promise<void> {
    const { roster, boxId, log, scripts } = this.#options;
    const connection = roster.connectionOf(boxId);
    if (connection === null) return;
    const stopper = (this.#stopper = new AbortController());
    const watch = setInterval(() => {
      if (!this.isWatched) stopper.abort();
    }, LOOK_EVERY_MS);
    this.#publish({ state: 'opening', problem: null });
    const mark = newMark();
    const ran = await scripts.follow(
      connection,
      'run-log.sh',
      logValues(mark, log, { from: this.#at ?? { last: FIRST_BYTES }, until: null }),
      {
        read: (stdout) =>
          readLogBytes(stdout, mark, {
            begin: (at) => this.#begin(at),
            take: (piece) => this.#take(piece),
          }),
        signal: stopper.signal,
      },
    );
    clearInterval(watch);
    const isStopped = stopper.signal.aborted;
    // Also what still sends nothing on the box's input ends with it.
    stopper.abort();
    this.#stopper = null;
    await this.#flushing;
    await this.#flushNow(true);
    if (isStopped) {
      this.#publish({ state: 'stopped', problem: null });
      return;
    }
    if (!ran.ok) {
      const { mayHaveRun: _, ...because } = ran.error;
      this.#stopped(because);
      return;
    }
    const { end } = ran.value;
    // Nothing follows that could make a secret of it.
    if (end.kind === 'exited') this.#publish({ more: { text: this.#redacted.end(), bytes: 0 } });
    if (end.kind === 'exited' && end.code === 0) this.#publish({ state: 'whole', problem: null });
    else if (end.kind === 'exited' && end.code === LOG_ENDS.shrunk) this.#startAgain('shrunk');
    else if (end.kind === 'exited' && end.code === LOG_ENDS.rotated) this.#startAgain('rotated');
    else if (end.kind === 'exited' && end.code === LOG_ENDS.renamed) this.#goOn();
    else this.#stopped(problem('runs-not-read', 'The box stopped reading the log.'));
  }

  #begin({ from, size }: LogBegin): void {
    const isFirst = this.#at === null;
    this.#at = from;
    this.#oldUntil = size;
    // Read from somewhere in a line on, as after a gap.
    this.#hasGap ||= isFirst && from > 0;
    if (isFirst) this.#metrics.begin(from);
    this.#publish({
      state: 'following',
      problem: null,
      ...(isFirst && from > 0 ? { isCut: true, more: { text: '', bytes: from } } : {}),
    });
  }

  #take(piece: Buffer): void {
    this.#at = (this.#at ?? 0) + piece.length;
    this.#pendingBytes += piece.length;
    this.#pending += this.#decoder.decode(piece, { stream: true });
    if (this.#pending.length > 2 * MAX_LOG_CHARS) {
      this.#metrics.skip(this.#pending.length - MAX_LOG_CHARS);
      this.#pending = this.#pending.slice(-MAX_LOG_CHARS);
      this.#hasGap = true;
    }
    const pauseMs = FLUSH_MS - (performance.now() - this.#flushedAtMs);
    if (this.#flushing === null) this.#flushIn(Math.max(FIRST_FLUSH_MS, pauseMs));
  }

  #flushIn(ms: number): void {
    this.#flush ??= setTimeout(() => {
      this.#flushing = this.#flushNow(false).finally(() => {
        this.#flushing = null;
        if (this.#pending !== '' || this.#pendingBytes > 0) this.#flushIn(FLUSH_MS);
      });
    }, ms);
  }

  /** Whole lines, so that no secret is cut in two; half a line only when nothing was added to it for a while. */
  async #flushNow(isLast: boolean): Promise<void> {
    clearTimeout(this.#flush);
    this.#flush = undefined;
    this.#flushedAtMs = performance.now();
    const lineEnd = Math.max(this.#pending.lastIndexOf('\n'), this.#pending.lastIndexOf('\r')) + 1;
    const isStill = this.#pending === this.#held;
    const isLong = this.#pending.length - lineEnd > LONG_LINE_CHARS;
    const at = isLong ? this.#pending.length - HELD_CHARS : lineEnd;
    const text = isLast || isStill ? this.#pending : this.#pending.slice(0, at);
    this.#pending = this.#held = this.#pending.slice(text.length);
    if (text === '' && this.#pendingBytes === 0) return;
    const bytes = this.#pendingBytes;
    this.#pendingBytes = 0;
    const isOld = (this.#at ?? 0) - bytes < this.#oldUntil;
    const atMs = isOld ? null : Date.now();
    const sent = this.#endOf(text);
    const isAfterGap = this.#hasGap;
    this.#hasGap = false;
    const read = (piece: string): void => {
      if (!isOld) this.#lookForError(piece);
      this.#metrics.take(piece, atMs);
    };
    for (const piece of turnsOf(text.slice(0, text.length - sent.length))) {
      read(piece);
      await nextTurn();
    }
    let said = { bytes, ...(isAfterGap && ({ isAfterGap } as const)) };
    for (const piece of sent === '' ? [''] : turnsOf(sent)) {
      read(piece);
      const shown = this.#redacted.take(piece, said.isAfterGap === true);
      this.#publish({ more: { text: shown, ...said } });
      said = { bytes: 0 };
      await nextTurn();
    }
  }

  /** When an error came is known only of one that comes while the log is followed. */
  #lookForError(text: string): void {
    if (this.#hasError) return;
    const found = firstErrorIn(text);
    if (found === null) return;
    this.#hasError = true;
    this.#options.onError(found, Date.now());
  }

  /** As much of its end as the window has room for, from the beginning of a line on, or of a word: the end of a secret may stand before it. */
  #endOf(text: string): string {
    const nowMs = performance.now();
    const grown = this.#room.chars + ((nowMs - this.#room.atMs) / 1000) * SENT_CHARS_PER_S;
    const room = Math.max(SENT_AT_LEAST_CHARS, Math.min(SENT_AT_ONCE_CHARS, grown));
    const from = text.length - Math.min(text.length, Math.floor(room));
    this.#hasGap ||= from > 0;
    const sent = this.#hasGap
      ? text.slice(text.indexOf('\n', Math.max(0, from - 1)) + 1 || wordAfter(text, from))
      : text;
    this.#room = { chars: room - sent.length, atMs: nowMs };
    return sent;
  }

  /** The log is shorter than what was read of it, or another file. */
  #startAgain(why: 'shrunk' | 'rotated'): void {
    const { bytes } = this.#topic.state;
    this.#at = 0;
    this.#saidRenamed = false;
    // Of what was renamed nothing is lost, and what comes next goes on after it.
    if (why === 'shrunk') this.#metrics.startAgain();
    this.#decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    this.#publish({ more: { text: noteOf(NOTES[why]), bytes: -bytes } });
    this.#retry = setTimeout(() => this.look(), FLUSH_MS);
  }

  /** It has another name, and the same bytes. */
  #goOn(): void {
    if (!this.#saidRenamed) this.#publish({ more: { text: noteOf(NOTES.renamed), bytes: 0 } });
    this.#saidRenamed = true;
    this.#retry = setTimeout(() => this.look(), FLUSH_MS);
  }

  #stopped(because: Problem): void {
    this.#publish({ state: 'stopped', problem: because });
    // A lost link looks again by itself when it is back.
    this.#retry = setTimeout(() => this.look(), RETRY_MS);
  }

  #publish(delta: RunLogDelta): void {
    if (this.#isClosed) return;
    this.#topic.publish(delta);
    if (delta.state !== undefined) this.#metrics.is(delta.state);
  }
}

/** A text in parts for a turn each, of whole lines where they are not longer. */
function* turnsOf(text: string): Generator<string, undefined> {
  for (let from = 0; from < text.length;) {
    const until = from + TURN_CHARS;
    const lineEnd = text.lastIndexOf('\n', until - 1) + 1;
    const to = until >= text.length ? text.length : lineEnd > from ? lineEnd : until;
    yield text.slice(from, to);
    from = to;
  }
}

function wordAfter(text: string, from: number): number {
  let at = from;
  while (at < text.length && !/\s/.test(text.charAt(at))) at += 1;
  return at;
}

const noteOf = (words: string): string => `\n[leasehold: ${words}]\n`;
