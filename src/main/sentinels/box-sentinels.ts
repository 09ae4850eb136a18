import { randomUUID } from 'node:crypto';
import type { BoxNews } from '../../shared/news/kinds/sentinel-news.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import {
  armSentinel,
  EMPTY_BOOK,
  expireSentinels,
  moveSentinels,
  removeSentinel,
  takeSentinelLook,
  toldSentinels,
  type SentinelBook,
} from '../../shared/sentinels/sentinel-book.ts';
import type { SentinelLook } from '../../shared/sentinels/sentinel-look.ts';
import {
  MAX_ARMED,
  NO_SENTINELS,
  type Awaited,
  type OverSentinel,
  type Sentinel,
  type SentinelBase,
  type SentinelsPhase,
  type SentinelsState,
} from '../../shared/sentinels/sentinel.ts';
import { sentinelsStream } from '../../shared/streams/sentinels-stream.ts';
import { runOfLog } from '../../shared/runs/launch/run-id.ts';
import type { Connections } from '../boxes/box-roster.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';
import { lookForSentinels } from './look-for.ts';
import { forgetBook, keepBook, readBook } from './sentinel-file.ts';

const LOOK_EVERY_MS = 60_000;
/** A log that is read in parts is read to its end before anybody waits again. */
const READ_ON_MS = 5000;
/** After looks that brought nothing: hammering trips limits of servers and gateways (GEN8). */
const MAX_PAUSE_MS = 5 * 60_000;
/** What expired while nobody could look may be found by the first look after a start or a sleep. */
const GRACE_MS = 2 * 60_000;
/** A timer of Node runs no longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface BoxSentinelsOptions {
  readonly boxId: string;
  readonly hub: StreamHub;
  readonly roster: Connections;
  readonly scripts: OnboxScripts;
  readonly dataFolder: string;
  /** SECURITY: takes secrets out of what the box wrote, before anything is kept or told. */
  readonly redact: (text: string) => string;
  readonly onNews: (news: BoxNews) => void;
  readonly onProblem: (found: Problem) => void;
  readonly now?: () => number;
  readonly everyMs?: number;
  readonly timeoutMs?: number;
}

/** What is waited for on one box: one look a minute for all of it, while its link is up. */
export class BoxSentinels {
  readonly boxId: string;
  readonly #options: BoxSentinelsOptions;
  readonly #now: () => number;
  readonly #topic: Topic<SentinelsState, Partial<SentinelsState>>;
  #book: SentinelBook = EMPTY_BOOK;
  /** Why nothing may be kept in the place of a file that could not be read. */
  #closedBecause: Problem | null = null;
  #isUp = false;
  #isClosed = false;
  /** Those of logs that are over. */
  readonly #finishing = new Set<string>();
  /** The one next look. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #expiry: ReturnType<typeof setTimeout> | undefined;
  #noExpiryBeforeMs: number;
  #running: Promise<void> | null = null;
  #stopper: AbortController | null = null;
  /** Changes of the book, one after the other. */
  #changing: Promise<unknown>;
  /** Told once, not every minute. */
  #isKeepingRefused = false;

  constructor(options: BoxSentinelsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#noExpiryBeforeMs = this.#now() + GRACE_MS;
    const { hub, boxId } = options;
    this.boxId = boxId;
    this.#topic = hub.addTopic('sentinels', boxId, {
      kind: sentinelsStream,
      initial: NO_SENTINELS,
    });
    this.#changing = this.#recall();
  }

  /** Whether a window that is not hidden shows them. */
  get isLookedAt(): boolean {
    return this.#topic.isWatched;
  }

  /** How much is waited for. */
  get waiting(): number {
    return this.#book.armed.length;
  }

  /** What happened, and the person is not done with yet; the newest first. */
  get over(): readonly OverSentinel[] {
    return this.#book.over;
  }

  /** `withinMs`: the first look comes at some moment of that time, so that boxes which came up together share it. */
  linkIs(isUp: boolean, withinMs: number): void {
    if (isUp === this.#isUp) return;
    this.#isUp = isUp;
    if (isUp) this.#wait(withinMs);
    else this.#halt(problem('link-lost', 'The connection to the box was lost during the check.'));
  }

  /** One that waits for the same thing gives way. Kept before it is armed. `base`: what is known of it without a look. */
  arm(
    awaited: Awaited,
    forMs: number,
    base: SentinelBase | null = null,
  ): Promise<Result<null, Problem>> {
    return this.#inTurn(async () => {
      const atMs = this.#now();
      const untilMs = atMs + forMs;
      const next = armSentinel(this.#book, {
        id: randomUUID(),
        awaited: this.#withoutSecrets(awaited),
        ...{ atMs, untilMs, base },
      });
      if (next === null) {
        const words = `At most ${String(MAX_ARMED)} things can be waited for on one box.`;
        return err(problem('bad-input', words, { nextStep: 'Cancel one of them first.' }));
      }
      const changed = await this.#change(next);
      if (changed.ok && this.#isUp) this.#wait(0);
      return changed;
    });
  }

  /** The person waits for it no longer, or is done with what came of it. */
  remove(id: string): Promise<Result<null, Problem>> {
    return this.#inTurn(() => this.#change(removeSentinel(this.#book, id)));
  }

  /**
   * Nothing is written to the logs of these runs any more. What waits for a line of one reads to the end of it, and then waits no
   * longer; where nobody can look, it stays.
   */
  runsAreOver(ids: ReadonlySet<string>): void {
    const found = this.#book.armed.filter(({ id, awaited }) => {
      const run = awaited.kind === 'line' ? runOfLog(awaited.path) : null;
      return run !== null && ids.has(run) && !this.#finishing.has(id);
    });
    for (const { id } of found) this.#finishing.add(id);
    // One that is under way may have read before the last line was written.
    if (found.length > 0 && this.#isUp) this.#wait(0);
  }

  /** Of these the log was over when the look began. */
  async #finish(ids: ReadonlySet<string>): Promise<void> {
    for (const id of ids) {
      const mine = this.#book.armed.find((each) => each.id === id);
      if (mine !== undefined && !isReadToItsEnd(mine)) continue;
      this.#finishing.delete(id);
      if (mine !== undefined) await this.remove(id);
    }
  }

  /** This machine woke, or its clock was set: what was due meanwhile is made up for. */
  wake(withinMs: number): void {
    this.#noExpiryBeforeMs = this.#now() + GRACE_MS;
    if (this.#topic.state.phase.kind === 'waiting') this.#wait(withinMs);
    this.#watchExpiry();
  }

  /** The box is reached another way: what was waited for was on another machine. */
  moved(): void {
    this.#halt(problem('aborted', 'The box was given another address.'));
    this.#isUp = false;
    void this.#inTurn(() => this.#become(moveSentinels(this.#book, this.#now())));
  }

  async close({ isForgotten }: { readonly isForgotten: boolean }): Promise<void> {
    this.#isClosed = true;
    this.#halt(problem('aborted', 'The check was stopped.'));
    clearTimeout(this.#expiry);
    const { hub, boxId, dataFolder, onProblem } = this.#options;
    hub.removeTopic('sentinels', boxId);
    await Promise.allSettled([this.#running, this.#changing]);
    if (!isForgotten) return;
    const forgotten = await forgetBook(dataFolder, boxId);
    if (!forgotten.ok) onProblem(forgotten.error);
  }

  async #recall(): Promise<void> {
    const { dataFolder, boxId, onProblem } = this.#options;
    const { book, fault, isReplaceable } = await readBook(dataFolder, boxId);
    if (fault !== null) onProblem(fault);
    if (!isReplaceable) this.#closedBecause = fault;
    if (this.#isClosed) return;
    this.#show(book);
    await this.#tell();
    if (this.#topic.state.phase.kind === 'idle') this.#wait(0);
  }

  #look(): Promise<void> {
    // Whoever asks meanwhile is looked for right after it.
    this.#running ??= this.#lookOnce().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #lookOnce(): Promise<void> {
    await this.#changing;
    const { roster, boxId, scripts, timeoutMs } = this.#options;
    const connection = roster.connectionOf(boxId);
    const asked = this.#book.armed;
    if (!this.#isUp || this.#isClosed) return;
    if (connection === null || asked.length === 0) {
      this.#wait(this.#pauseMs());
      return;
    }
    const finishing = new Set(this.#finishing);
    const { signal } = (this.#stopper = new AbortController());
    this.#publish({ phase: { kind: 'looking', sinceMs: this.#now() } });
    const looked = await lookForSentinels(connection, scripts, asked, {
      timeoutMs,
      signal,
      now: this.#now,
    });
    this.#stopper = null;
    // Whoever stopped it may have done so because the box is another machine now.
    if (signal.aborted) {
      if (this.#isUp && !this.#isClosed) this.#wait(0);
      return;
    }
    await this.#inTurn(() => this.#take(looked, asked));
    if (looked.ok) await this.#finish(finishing);
    // Somebody may have armed another one meanwhile.
    const isNewer = this.#book.armed.some((each) => each.base === null && !asked.includes(each));
    if (this.#isUp && !this.#isClosed) this.#wait(isNewer && looked.ok ? 0 : this.#pauseMs());
  }

  async #take(looked: Result<SentinelLook, Problem>, asked: readonly Sentinel[]): Promise<void> {
    if (looked.ok) {
      const next = takeSentinelLook(this.#book, asked, looked.value, this.#options.redact);
      this.#publish({ failed: null });
      await this.#become(expireSentinels(next, this.#now()));
      return;
    }
    const times = (this.#topic.state.failed?.times ?? 0) + 1;
    this.#publish({ failed: { atMs: this.#now(), problem: looked.error, times } });
  }

  #pauseMs(): number {
    const { everyMs = LOOK_EVERY_MS } = this.#options;
    const { failed } = this.#topic.state;
    if (failed !== null) return Math.min(everyMs * 2 ** (failed.times - 1), MAX_PAUSE_MS);
    const isBehind = this.#book.armed.some(({ seen }) => (seen?.unreadBytes ?? 0) > 0);
    return isBehind ? Math.min(READ_ON_MS, everyMs) : everyMs;
  }

  /** There is one timer, so however often somebody asks there is one look. */
  #wait(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#running !== null && ms === 0) {
      void this.#running.then(() => this.#isUp && !this.#isClosed && this.#wait(0));
      return;
    }
    if (this.#book.armed.length === 0) {
      this.#enter({ kind: 'idle' });
      return;
    }
    this.#timer = setTimeout(() => void this.#look(), ms);
    this.#enter({ kind: 'waiting', nextAtMs: this.#now() + ms });
  }

  #halt(because: Problem): void {
    clearTimeout(this.#timer);
    this.#stopper?.abort(because);
    this.#enter({ kind: 'off' });
  }

  #enter(phase: SentinelsPhase): void {
    this.#publish({ phase });
  }

  /** The nearest latest time: it comes also where nobody can look. */
  #watchExpiry(): void {
    clearTimeout(this.#expiry);
    const { armed } = this.#book;
    if (armed.length === 0 || this.#isClosed) return;
    const nearestMs = Math.min(...armed.map(({ untilMs }) => untilMs));
    const leftMs = Math.max(nearestMs, this.#noExpiryBeforeMs) - this.#now();
    this.#expiry = setTimeout(
      () => void this.#expire(),
      Math.min(Math.max(leftMs, 0), MAX_TIMER_MS),
    );
  }

  async #expire(): Promise<void> {
    // It may have happened since the last look.
    if (this.#isUp) await this.#look();
    await this.#inTurn(() => this.#become(expireSentinels(this.#book, this.#now())));
    this.#watchExpiry();
  }

  /** Only if it can be kept. */
  async #change(next: SentinelBook): Promise<Result<null, Problem>> {
    const kept = await this.#keep(next);
    if (!kept.ok) return kept;
    this.#show(next);
    return ok(null);
  }

  /** What happened is shown and told, whether it can be kept or not. */
  async #become(next: SentinelBook): Promise<void> {
    if (next === this.#book) return;
    await this.#keepOrSay(next);
    this.#show(next);
    await this.#tell();
  }

  /** Kept before it rings; after a crash in between it rings again (docs/decisions). */
  async #tell(): Promise<void> {
    const { armed, over, untold } = this.#book;
    if (untold.length === 0 || this.#isClosed) return;
    const isUntold = ({ id }: { readonly id: string }): boolean => untold.includes(id);
    for (const each of over.filter(isUntold)) this.#options.onNews({ kind: 'over', over: each });
    const waiting = armed.filter(isUntold);
    if (waiting.length > 0) this.#options.onNews({ kind: 'restarted', waiting });
    const told = toldSentinels(this.#book, untold);
    await this.#keepOrSay(told);
    this.#book = told;
  }

  async #keepOrSay(book: SentinelBook): Promise<void> {
    const kept = await this.#keep(book);
    if (!kept.ok && !this.#isKeepingRefused) this.#options.onProblem(kept.error);
    this.#isKeepingRefused = !kept.ok;
  }

  async #keep(book: SentinelBook): Promise<Result<null, Problem>> {
    if (this.#closedBecause !== null) return err(this.#closedBecause);
    return keepBook(this.#options.dataFolder, this.#options.boxId, book);
  }

  #show(book: SentinelBook): void {
    this.#book = book;
    const { armed, over, lookedAtMs } = book;
    this.#publish({ armed, over, lookedAtMs });
    if (armed.length === 0 && this.#isUp) this.#wait(0);
    this.#watchExpiry();
  }

  #withoutSecrets(awaited: Awaited): Awaited {
    if (awaited.kind !== 'process') return awaited;
    return { ...awaited, name: this.#options.redact(awaited.name) };
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#changing.then(act);
    this.#changing = Promise.allSettled([done]);
    return done;
  }

  #publish(part: Partial<SentinelsState>): void {
    if (!this.#isClosed) this.#topic.publish(part);
  }
}

const isReadToItsEnd = ({ unread, seen }: Sentinel): boolean =>
  unread === null && seen !== null && (seen.unreadBytes ?? 0) === 0;
