import type { Box } from '../../boxes/box.ts';
import { overText, restartText } from '../../sentinels/sentinel-words.ts';
import type { OverSentinel, Sentinel } from '../../sentinels/sentinel.ts';
import { EVERYWHERE, type NewsKind } from '../news.ts';

/** What became of something that a person waits for on a box. */
export type BoxNews =
  | { readonly kind: 'over'; readonly over: OverSentinel }
  /** They still wait, although their machine began anew. */
  | { readonly kind: 'restarted'; readonly waiting: readonly Sentinel[] };

export type SentinelNews = BoxNews & { readonly box: Box };

export const sentinelNews: NewsKind<SentinelNews> = {
  kind: 'sentinel',
  picture: 'eyes',
  to: EVERYWHERE,
  isKept: true,
  words: ({ box, ...news }) => ({
    ...(news.kind === 'over' ? overText(box.name, news.over) : restartText(box.name, news.waiting)),
    box,
    severity: 'warn',
    shows: { kind: 'show-runs', boxId: box.id },
    about: news.kind === 'over' ? news.over.id : box.id,
    quietAt: 'page',
    facts: {},
  }),
};
