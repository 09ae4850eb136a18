import type { Box } from '../../boxes/box.ts';
import type { LaunchedRun } from '../../runs/launch/launched-run.ts';
import { runEndText } from '../../runs/launch/run-end-text.ts';
import { EVERYWHERE, type NewsKind } from '../news.ts';

/** A run that a person launched is over. */
export interface RunNews {
  readonly box: Box;
  readonly run: LaunchedRun;
}

export const runNews: NewsKind<RunNews> = {
  kind: 'run',
  picture: 'checkered_flag',
  to: EVERYWHERE,
  isKept: true,
  words: ({ box, run }) => {
    const text = runEndText(box.name, run);
    if (text === null) return null;
    const { status } = run;
    return {
      ...text,
      box,
      severity: status.kind === 'done' ? 'info' : 'warn',
      shows: { kind: 'show-runs', boxId: box.id },
      about: run.id,
      quietAt: 'page',
      facts: {
        run: run.id,
        outcome: status.kind,
        exitCode: 'exitCode' in status ? status.exitCode : null,
      },
    };
  },
};
