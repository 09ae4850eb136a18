import { randomBytes } from 'node:crypto';
import type { PlanRef } from '../../shared/plan/plan.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { readPost, type PostOutcome, type PushTool } from '../../shared/push/post-outcome.ts';
import type { PushWanted } from '../../shared/push/push-input.ts';
import {
  maskTarget,
  runWords,
  testLines,
  waiterLines,
  type PushSubject,
  type PushTarget,
} from '../../shared/push/push-message.ts';
import type { PushPlan, PushView } from '../../shared/push/push-plan.ts';
import {
  parsePushLook,
  pushFolder,
  pushId,
  type PushLook,
  type PushWaiter,
} from '../../shared/push/push-waiter.ts';
import {
  isSameProcess,
  type ProcessInLook,
  type ProcessRef,
} from '../../shared/runs/process-ref.ts';
import { keeperOf, nameOf } from '../../shared/runs/launch/run-words.ts';
import type { RunProcess } from '../../shared/runs/run.ts';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Connections } from '../boxes/box-roster.ts';
import { afterMark, newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import { Secret } from '../secrets/secret.ts';
import { PlanKeeper } from '../plan/plan-keeper.ts';
import { lookAtRuns } from '../runs/look-at-runs.ts';
import { changeBox } from '../ssh/change-box.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { isLoopback } from '../webhook/webhook-url.ts';
import { describeTarget, type PushTargets } from './push-targets.ts';

/** One that posts hears its end half a minute later (parts/push-folder.sh). */
const CHANGE_TIMEOUT_MS = 90_000;
/** A server that never answers takes half a minute of it (parts/push-post.sh). */
const TEST_TIMEOUT_MS = 60_000;
/** On a phone. */
const MAX_COMMAND_CHARS = 120;

export type ListedRun = ProcessRef & Pick<RunProcess, 'command'>;

export interface PushWaitersOptions {
  readonly roster: Connections;
  readonly nameOf: (boxId: string) => string;
  /** As the patrol of its box listed it. */
  readonly runOf: (boxId: string, process: ProcessRef) => ListedRun | null;
  readonly targets: PushTargets;
  readonly scripts: OnboxScripts;
  readonly redact: (text: string) => string;
  /** What the person should learn although the box did what it should. */
  readonly onProblem: (problem: Problem) => void;
}

/** What was shown to the person, with what was hidden from them. */
interface Planned {
  readonly target: PushTarget;
  readonly isTyped: boolean;
  readonly subject: PushSubject;
  readonly process: ProcessInLook;
}

/** What the waiter waits for, and the words about it as the box has them. */
interface Told {
  readonly process: ProcessInLook;
  readonly command: string | null;
  readonly run: PushSubject['run'];
}

interface Refusal {
  readonly message: string;
  /** Where trying again would change nothing. */
  readonly nextStep?: string;
}

const HOME_STEP =
  'Look at the home folder from a terminal: its space, and whether it can be written.';

/** Why the box armed nothing. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  'no-process-table': {
    message:
      'The box does not show the processes of this session, so nothing that is started there could be read back.',
    nextStep:
      'Use “Tell me when…” instead, which needs nothing on the box, but a running Leasehold.',
  },
  'no-folder': {
    message:
      'The folder of the watch script could not be made: the home folder is not there, or its disk is full or read-only.',
    nextStep: HOME_STEP,
  },
  'no-write': {
    message: 'The watch script could not be written: the disk of the home folder is full.',
    nextStep: HOME_STEP,
  },
  'not-started': {
    message: 'The box did not start the watching process, or did not show it within ten seconds.',
  },
  gone: {
    message: 'That process is not there any more: it has ended already.',
    nextStep: 'Check now: the diagnosis of the run shows what is known of its end.',
  },
  'no-keeper': {
    message:
      'What writes down the end of this run is not there, so the box has nothing to wait for: the run has not begun, is over, or was left without it.',
    nextStep: 'Check the runs again: its page says how it stands.',
  },
  'cut-off': { message: 'Only a part of it arrived on the box.' },
};

/** Waiters on boxes that tell an address when a run ends, also while this machine sleeps. One for each run. */
export class PushWaiters {
  readonly #options: PushWaitersOptions;
  readonly #plans = new PlanKeeper<Planned>();

  constructor(options: PushWaitersOptions) {
    this.#options = options;
  }

  look(boxId: string): Promise<Result<PushView, Problem>> {
    return this.#withBox(boxId, async (connection) => this.#view(await this.#ask(connection)));
  }

  /** What arming would put on the box. Changes nothing there. */
  plan(
    boxId: string,
    { run: wanted, to, maxHours }: PushWanted,
  ): Promise<Result<PushPlan, Problem>> {
    const { nameOf: boxNameOf, targets, redact } = this.#options;
    return this.#withBox(boxId, async (connection) => {
      const target = targets.find(to);
      if (!target.ok) return target;
      const told =
        'launched' in wanted
          ? await this.#launched(connection, wanted.launched)
          : this.#listed(boxId, wanted);
      if (!told.ok) return told;
      const { process, run } = told.value;
      const look = await this.#ask(connection);
      if (!look.ok) return look;
      const { tool, hasTable, waiters } = look.value;
      if (tool === null) return err(noTool());
      if (!hasTable) return err(refused('no-process-table'));
      const command = plainLine(redact(told.value.command ?? ''), MAX_COMMAND_CHARS);
      const planned: Planned = {
        target: target.value,
        isTyped: to.kind === 'typed',
        process,
        subject: {
          id: pushId(process, randomBytes(4).toString('hex')),
          boxName: boxNameOf(boxId),
          pid: process.pid,
          command: command === '' ? null : command,
          run,
          maxHours,
        },
      };
      const isReplacing = waiters.some((each) => isFor(each, planned) && isWaiting(each));
      const shown = await this.#show(planned, tool, isReplacing);
      return ok({ ...shown, plan: this.#plans.keep(boxId, planned, JSON.stringify(shown)) });
    });
  }

  /** Posts one message from the box at once; answers what came of it. */
  test(boxId: string, shown: PlanRef): Promise<Result<PostOutcome, Problem>> {
    return this.#withBox(boxId, async (connection) => {
      const planned = this.#plans.peek(boxId, shown);
      if (!planned.ok) return planned;
      const { target, subject } = planned.value;
      const mark = newMark();
      const lines = testLines(target, subject, new Date().toISOString());
      const { scripts } = this.#options;
      const ran = await scripts.runWithInput(
        connection,
        'push-test.sh',
        { LEASEHOLD_MARK: mark },
        new Secret(lines.join('\n')),
        { timeoutMs: TEST_TIMEOUT_MS },
      );
      if (!ran.ok) return ran;
      const said = afterMark(ran.value.stdout, mark);
      const [, tool, status = '', code = ''] = /^posted (curl|wget) (\S+) (\S+)$/m.exec(said) ?? [];
      const outcome = readPost(tool as PushTool, status, code);
      return outcome === null ? err(refused(refusalIn(said))) : ok(outcome);
    });
  }

  /** Arms what the plan has shown. Says so only after the box's process table has shown the waiter. */
  arm(boxId: string, shown: PlanRef): Promise<Result<PushView, Problem>> {
    return this.#withBox(boxId, async (connection) => {
      const armed = await this.#plans.carryOut(boxId, shown, async (planned) => {
        const done = await this.#arm(connection, planned);
        return done.ok ? ok(planned) : done;
      });
      if (!armed.ok) return armed;
      const { isTyped, target } = armed.value;
      if (isTyped) {
        const kept = await this.#options.targets.keep(target);
        if (!kept.ok) this.#options.onProblem(kept.error);
      }
      return this.#view(await this.#ask(connection));
    });
  }

  /** Nothing that was shown can be armed any more. */
  close(): void {
    this.#plans.close();
  }

  /** Ends exactly that waiter and takes what it left; says so only when the box does not list it any more. */
  end(boxId: string, id: string): Promise<Result<PushView, Problem>> {
    const judge = (look: PushLook): Result<PushLook, Problem> =>
      look.waiters.some((each) => each.id === id)
        ? err(problem('push-not-ended', 'The box still has this watching process, or its folder.'))
        : ok(look);
    return this.#withBox(boxId, async (connection) => {
      const mark = newMark();
      const ended = await changeBox<PushLook>(connection, {
        run: (on) =>
          this.#options.scripts.run(
            on,
            'push-waiters.sh',
            { LEASEHOLD_MARK: mark, LEASEHOLD_END: id },
            CHANGE_TIMEOUT_MS,
          ),
        judge: ({ stdout }) => {
          const look = parsePushLook(stdout, mark, Date.now());
          return look === null ? err(notRead()) : judge(look);
        },
        reread: async (fresh) => {
          const look = await this.#ask(fresh);
          return look.ok ? judge(look.value) : look;
        },
      });
      return this.#view(ended);
    });
  }

  #listed(boxId: string, process: ProcessRef): Result<Told, Problem> {
    const run = this.#options.runOf(boxId, process);
    return run === null
      ? err(problem('process-not-listed', 'The last check does not list this run.'))
      : ok({ process: run, command: run.command, run: null });
  }

  /** As its folder has it now, and not as somebody saw it before. */
  async #launched(connection: SshConnection, id: string): Promise<Result<Told, Problem>> {
    const { scripts, redact } = this.#options;
    const look = await lookAtRuns(connection, scripts);
    if (!look.ok) return look;
    const run = look.value.runs.find((each) => each.id === id);
    if (run === undefined) {
      return err(problem('run-not-listed', 'The box does not list this run.'));
    }
    const process = keeperOf(run);
    if (process === null) return err(refused('no-keeper'));
    const name = nameOf({ ...run, name: redact(run.name) });
    return ok({ process, command: run.command, run: { id, name } });
  }

  #arm(connection: SshConnection, planned: Planned): Promise<Result<null, Problem>> {
    const { target, subject, process } = planned;
    const mark = newMark();
    const values = {
      LEASEHOLD_MARK: mark,
      LEASEHOLD_ID: subject.id,
      LEASEHOLD_PID: String(subject.pid),
      LEASEHOLD_START: String(process.startTicks),
      LEASEHOLD_MAX_S: String(subject.maxHours * 3600),
      LEASEHOLD_RUN: subject.run?.id ?? '',
    };
    const secret = new Secret(waiterLines(target, subject).join('\n'));
    return changeBox<null>(connection, {
      run: (on) =>
        this.#options.scripts.runWithInput(on, 'push-arm.sh', values, secret, {
          timeoutMs: CHANGE_TIMEOUT_MS,
        }),
      judge: ({ stdout }) => {
        const said = afterMark(stdout, mark);
        return /^armed \d+ \d+$/m.test(said) ? ok(null) : err(refused(refusalIn(said)));
      },
      reread: async (fresh) => {
        const look = await this.#ask(fresh);
        if (!look.ok) return look;
        const waiter = look.value.waiters.find(({ id }) => id === subject.id);
        return waiter === undefined || waiter.state.kind === 'lost'
          ? err(refused('not-started'))
          : ok(null);
      },
    });
  }

  async #show(
    { target, subject, process }: Planned,
    tool: PushTool,
    isReplacing: boolean,
  ): Promise<Omit<PushPlan, 'plan'>> {
    const folder = pushFolder(subject.id);
    const about = [process.pid, process.startTicks, subject.maxHours * 3600, tool].join(' ');
    return {
      target: describeTarget(target),
      isBoxItself: isLoopback(new URL(target.address).hostname),
      tool,
      maxHours: subject.maxHours,
      folder,
      files: [
        {
          name: 'waiter.sh',
          what: 'The watch script. It checks every 15 s, and is removed once it has posted.',
          text: waiterIn(await this.#options.scripts.textOf('push-arm.sh')),
        },
        {
          name: 'about',
          what: 'What it waits for and how long at most. The box adds its time and which start of the machine this is.',
          text: `${about}\n`,
        },
        ...(subject.run === null
          ? []
          : [
              {
                name: 'run',
                what: 'The run whose folder says how it ended.',
                text: `${subject.run.id}\n`,
              },
            ]),
        { name: 'waiter', what: 'Its own process number and start.', text: null },
        { name: 'result', what: 'What came of it, once it has posted.', text: null },
      ],
      messages: { ended: runWords(subject, 'ended'), expired: runWords(subject, 'expired') },
      secretLines: waiterLines(maskTarget(target), subject),
      isReplacing,
      byHand: `rm -r ${folder}`,
    };
  }

  async #ask(connection: SshConnection): Promise<Result<PushLook, Problem>> {
    const mark = newMark();
    const values = { LEASEHOLD_MARK: mark, LEASEHOLD_END: '' };
    const ran = await this.#options.scripts.run(connection, 'push-waiters.sh', values);
    if (!ran.ok) return ran;
    const look = parsePushLook(ran.value.stdout, mark, Date.now());
    return look === null ? err(notRead()) : ok(look);
  }

  #view(look: Result<PushLook, Problem>): Result<PushView, Problem> {
    return look.ok ? ok({ look: look.value, own: this.#options.targets.own() }) : look;
  }

  #withBox<T>(
    boxId: string,
    act: (connection: SshConnection) => Promise<Result<T, Problem>>,
  ): Promise<Result<T, Problem>> {
    const connection = this.#options.roster.connectionOf(boxId);
    return connection === null
      ? Promise.resolve(err(problem('not-connected', 'The box is not connected.')))
      : act(connection);
  }
}

const isWaiting = ({ state }: PushWaiter): boolean => state.kind === 'waiting';

function isFor(waiter: PushWaiter, planned: Planned): boolean {
  return isSameProcess(waiter.process, planned.process);
}

/** The very text that push-arm.sh writes into the waiter's file. */
export function waiterIn(script: string): string {
  const [, text] = /<<'WAITER'.*\n([^]*?\n)WAITER\n/.exec(script) ?? [];
  if (text === undefined) throw new Error('push-arm.sh holds no waiter');
  return text;
}

function refusalIn(said: string): string {
  return /^refused ([a-z-]{1,40})$/m.exec(said)?.[1] ?? '';
}

function refused(because: string): Problem {
  if (because === 'no-tool') return noTool();
  const { message, ...more } = REFUSALS[because] ?? {
    message: 'The box did not say what became of it.',
  };
  return problem('push-not-armed', message, more);
}

function noTool(): Problem {
  return problem(
    'push-no-tool',
    'The box has neither curl nor GNU Wget. Anything else would show the address to everybody on the box.',
  );
}

function notRead(): Problem {
  return problem('push-not-read', 'The box did not list all of its watching processes.');
}
