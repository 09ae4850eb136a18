import { noSuchBox } from '../../shared/boxes/no-such-box.ts';
import { isInSums } from '../../shared/demo/demo-platform.ts';
import type { BoxNews, SentinelNews } from '../../shared/news/kinds/sentinel-news.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import { overWords } from '../../shared/sentinels/sentinel-words.ts';
import type { Awaited, SentinelBase } from '../../shared/sentinels/sentinel.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import { BoxWatches } from '../boxes/box-watches.ts';
import { BoxSentinels, type BoxSentinelsOptions } from './box-sentinels.ts';

/** Of boxes that come up or wake together, so many begin in a second. */
const STARTS_PER_S = 3;

export interface SentinelWatchOptions extends Omit<BoxSentinelsOptions, 'boxId' | 'onNews'> {
  readonly roster: BoxRoster;
  readonly onNews: (news: SentinelNews) => void;
  readonly random?: () => number;
}

/** Looks every minute for what a person waits for on a box, and tells when it happened (stream `sentinels`). */
export class SentinelWatch {
  readonly #options: SentinelWatchOptions;
  readonly #watches: BoxWatches<BoxSentinels>;

  constructor(options: SentinelWatchOptions) {
    this.#options = options;
    this.#watches = new BoxWatches({
      roster: options.roster,
      open: (boxId) =>
        new BoxSentinels({ ...options, boxId, onNews: (news) => this.#tell(boxId, news) }),
      linkIs: (sentinels, isUp) => sentinels.linkIs(isUp, this.#spreadMs()),
    });
  }

  async arm(
    boxId: string,
    awaited: Awaited,
    forMs: number,
    base: SentinelBase | null = null,
  ): Promise<Result<null, Problem>> {
    return this.#watches.of(boxId)?.arm(awaited, forMs, base) ?? noSuchBox();
  }

  /** One that waits is cancelled; one that is over is taken out of the list. */
  async remove(boxId: string, id: string): Promise<Result<null, Problem>> {
    return this.#watches.of(boxId)?.remove(id) ?? noSuchBox();
  }

  /** Nothing is written to the logs of these runs any more: see BoxSentinels. */
  runsAreOver(boxId: string, ids: ReadonlySet<string>): void {
    this.#watches.of(boxId)?.runsAreOver(ids);
  }

  /** Whether a window that is not hidden shows what is waited for on this box. */
  isLookedAt(boxId: string): boolean {
    return this.#watches.of(boxId)?.isLookedAt ?? false;
  }

  /** What happened and the person is not done with, in one line. Null: nothing did. */
  summary(): { readonly boxId: string; readonly text: string } | null {
    const happened = this.#watches.all
      .flatMap((each) => each.over.map((over) => ({ boxId: each.boxId, over })))
      .filter(({ over }) => over.end === 'happened')
      .sort((a, b) => b.over.atMs - a.over.atMs);
    const [newest, ...others] = happened;
    const box = newest === undefined ? null : this.#options.roster.boxOf(newest.boxId);
    if (newest === undefined || box === null) return null;
    const more = others.length === 0 ? '' : ` (and ${String(others.length)} more)`;
    return { boxId: box.id, text: `${box.name}: ${overWords(newest.over)}${more}` };
  }

  /** How much is waited for, on the person's own boxes: on the demo box it ends with the app. */
  waiting(): number {
    const own = this.#watches.all.filter(({ boxId }) => {
      const box = this.#options.roster.boxOf(boxId);
      return box !== null && isInSums(box);
    });
    return own.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  wake(): void {
    for (const sentinels of this.#watches.all) sentinels.wake(this.#spreadMs());
  }

  /** Resolves when nothing is under way any more. What is waited for stays. */
  close(): Promise<void> {
    return this.#watches.close();
  }

  #spreadMs(): number {
    const { random = Math.random, roster } = this.#options;
    return (random() * roster.entries.length * 1000) / STARTS_PER_S;
  }

  #tell(boxId: string, news: BoxNews): void {
    const box = this.#options.roster.boxOf(boxId);
    if (box !== null) this.#options.onNews({ ...news, box });
  }
}
