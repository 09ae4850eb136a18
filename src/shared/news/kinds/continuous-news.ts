import type { Box } from '../../boxes/box.ts';
import type { ContinuousPull } from '../../transfer/continuous/continuous-pull.ts';
import { EVERYWHERE, type NewsKind } from '../news.ts';

/** New results have not come home by themselves for long. */
export interface ContinuousNews {
  readonly box: Box;
  readonly pull: Pick<ContinuousPull, 'runId' | 'runName' | 'failure' | 'last'>;
}

export const continuousNews: NewsKind<ContinuousNews> = {
  kind: 'continuous',
  picture: 'inbox_tray',
  to: EVERYWHERE,
  isKept: true,
  words: ({ box, pull: { runId, runName, failure } }) =>
    failure === null
      ? null
      : {
          title: `${box.name}: new results of “${runName}” do not come home`,
          body: failure.says,
          box,
          severity: 'warn',
          shows: { kind: 'show-runs', boxId: box.id },
          about: runId,
          quietAt: 'page',
          facts: { run: runId, failedRounds: failure.rounds, sinceMs: failure.sinceMs },
        },
};
