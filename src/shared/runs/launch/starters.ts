import { shellWord } from '../../shell-word.ts';
import { beginSession, sessionOfRun } from '../../terminal/tmux.ts';
import { pass, warn, type Judged } from './checks/judged.ts';
import type { Detacher } from './launch-plan.ts';

/**
 * What a plan is handed to on a box, once its run folder is whole: it starts the keeper there, out of reach of the session that
 * launches. All else about a run (its id, its end, whether it lives, its log) is in the run folder, and is the same for each of these.
 */
export interface Starter {
  /** One line for `sh`, run as it is shown: it returns at once, and leaves the keeper behind. */
  readonly startLine: (run: StartedRun) => string;
  /** What the run outlives then, as the plan says it. */
  readonly outlives: Judged;
}

export interface StartedRun {
  readonly id: string;
  /** The run folder, as a whole path on the box. */
  readonly folder: string;
}

const keep = ({ folder }: StartedRun): string =>
  `sh ${shellWord(`${folder}/keeper.sh`)} ${shellWord(folder)}`;

/** In the order in which the box is asked for them. */
export const STARTERS: Readonly<Record<Detacher, Starter>> = {
  tmux: {
    // A tmux server gives the environment that it was started in, in a notebook say: the keeper takes that of the launch from its folder, and
    // "sh" is the one that wrote it there.
    startLine: (run) =>
      `${beginSession(`new-session -d -s ${sessionOfRun(run.id)} env "HOME=$HOME" "PATH=$PATH" ${keep(run)}`, 'break')} </dev/null >/dev/null 2>&1`,
    outlives: pass('Starts in tmux: it keeps running if you disconnect or quit.'),
  },
  setsid: {
    startLine: (run) => `(trap '' HUP; exec setsid ${keep(run)}) </dev/null >/dev/null 2>&1 &`,
    outlives: pass(
      'Starts in a session of its own (setsid; the box has no tmux): it keeps running if you disconnect or quit.',
    ),
  },
  nohup: {
    startLine: (run) => `(trap '' HUP; exec ${keep(run)}) </dev/null >/dev/null 2>&1 &`,
    outlives: warn(
      'The box has neither tmux nor setsid. The run ignores hang-ups, but stays in the session that starts it: whatever ends that session may end the run.',
      'GEN2',
    ),
  },
};
