import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  HERE,
  makeNews,
  newsSchema,
  type News,
  type NewsKind,
  type NewsListener,
} from '../../shared/news/news.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import type { EntriesTable } from '../storage/entries-table.ts';

const KEPT_AS = 'news';
/** More wait only where nobody listens, as while a window does not open. The oldest goes first. */
export const MAX_WAITING = 200;

export type Listeners = Readonly<Record<NewsListener, (news: News) => void>>;

/** News that somebody has not heard. */
interface Waiting {
  readonly news: News;
  /** Also listeners that only another version has. */
  readonly to: readonly string[];
}

const queue: z.ZodType<readonly Waiting[]> = z
  .array(z.strictObject({ news: newsSchema, to: z.array(z.string().max(50)) }))
  .max(MAX_WAITING);

export interface NewsQueueOptions {
  readonly entries: EntriesTable;
  /** SECURITY: takes secrets out of every text before anything is kept or told: some of it comes from boxes, and some leaves. */
  readonly redact: (text: string) => string;
  readonly onProblem: (found: Problem) => void;
  /** What happens to a box that is nobody's, the demo box, does not leave this machine. */
  readonly isReal?: (boxId: string) => boolean;
  readonly now?: () => number;
}

/**
 * Brings what a person is to be told to whoever tells it. It is kept first, and until each of them has heard: a crash in between
 * makes it be told again, never not at all (decision 33). Whose news it is keeps its own mark after it was put here.
 */
export class NewsQueue {
  readonly #options: NewsQueueOptions;
  readonly #now: () => number;
  /** The oldest first. */
  #waiting: readonly Waiting[];
  /** Of kinds that are worth nothing after a restart. */
  readonly #unkept = new Set<string>();
  #listeners: Listeners | null = null;

  constructor(options: NewsQueueOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#waiting = this.#recall();
  }

  tell<What>(kind: NewsKind<What>, what: What): void {
    const { redact } = this.#options;
    const atMs = this.#now();
    const words = kind.words(what, atMs);
    if (words === null) return;
    const [title, body] = [redact(words.title), redact(words.body)];
    const news = makeNews(kind, { id: randomUUID(), atMs }, { ...words, title, body });
    const mayLeave = news.box === null || this.#options.isReal?.(news.box.id) !== false;
    const to = mayLeave ? kind.to : kind.to.filter((name) => HERE.includes(name));
    if (!kind.isKept) this.#unkept.add(news.id);
    this.#change([...this.#waiting, { news, to }], kind.isKept);
    this.#deliver();
  }

  /** What waits is told at once; the one list of who listens. */
  listen(listeners: Listeners): void {
    this.#listeners = listeners;
    this.#deliver();
  }

  #deliver(): void {
    if (this.#listeners === null) return;
    const hearing = new Map<string, (news: News) => void>(Object.entries(this.#listeners));
    const failures: unknown[] = [];
    for (const { news, to } of this.#waiting) {
      for (const name of to) {
        try {
          hearing.get(name)?.(news);
        } catch (cause) {
          // The others hear of it all the same, and it is not tried again at each start.
          failures.push(cause);
        }
      }
      const isKept = !this.#unkept.delete(news.id);
      const left = this.#waiting.filter((each) => each.news.id !== news.id);
      this.#change(left, isKept);
    }
    // A bug, for the one handler of those.
    if (failures.length > 0) throw failures[0];
  }

  #change(next: readonly Waiting[], isKept: boolean): void {
    const { entries, onProblem } = this.#options;
    const lost = Math.max(0, next.length - MAX_WAITING);
    this.#waiting = next.slice(lost);
    if (lost > 0) onProblem(notTold(`${String(lost)} could not wait: too many do already`));
    if (!isKept) return;
    const kept = this.#waiting.filter(({ news }) => !this.#unkept.has(news.id));
    const written = entries.write('', KEPT_AS, kept, this.#now());
    // Told all the same.
    if (!written.ok) onProblem(written.error);
  }

  #recall(): readonly Waiting[] {
    const { entries, onProblem } = this.#options;
    const read = entries.read('', KEPT_AS, queue);
    if (read.ok) return read.value ?? [];
    const aside = entries.setAside('', KEPT_AS, this.#now());
    const { detail = '' } = read.error;
    onProblem(notTold('what an earlier session left cannot be read and was put aside', detail));
    if (!aside.ok) onProblem(aside.error);
    return [];
  }
}

function notTold(why: string, detail = ''): Problem {
  return problem('news-lost', `Some news did not reach you: ${why}.`, { detail });
}
