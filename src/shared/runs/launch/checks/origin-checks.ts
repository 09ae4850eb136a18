import { plainLine } from '../../../questions/hostile-text.ts';
import type { PreflightCheck } from '../launch-plan.ts';
import { MAX_SHOWN_CHARS } from './judged.ts';

/** What is about to run, and was not begun by this app. */
export interface ForeignCommands {
  readonly what: 'sweep' | 'queue' | 'run';
  readonly commands: number;
  /** The box that they were read from; null: which one that was is not known any more. */
  readonly from: string | null;
}

/**
 * Whoever can write on a box can write run folders there, digests and all: that nothing was changed since some launch says nothing about
 * who wrote it. So a person reads the commands and says that they want them.
 */
export function originCheck({ what, commands, from }: ForeignCommands): PreflightCheck {
  const [its, them, were] =
    commands === 1
      ? ['its command', 'it', 'was']
      : [`its ${String(commands)} commands`, 'them', 'were'];
  const where =
    from === null ? 'a box that is not in the list any more' : plainLine(from, MAX_SHOWN_CHARS);
  return {
    id: 'origin',
    title: 'Where the commands come from',
    answer: 'block',
    says: `This computer did not begin this ${what}: ${its}, and what is set up before ${them}, ${were} read from ${where}. Anybody who can write there may have written ${them}. Read ${them} below first.`,
    gotcha: null,
    anyway: 'what stands below runs with your login, whoever wrote it.',
  };
}
