import { z } from 'zod';
import { parseBoxServices, type BoxServices } from '../../shared/probes/box-services.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { plainLine, plainText } from '../../shared/questions/hostile-text.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import {
  diagnoseTensorboard,
  USUAL_TENSORBOARD_PORTS,
  type ServingTensorboard,
  type TensorboardReport,
} from '../../shared/tunnels/tensorboard.ts';
import { redactText } from '../../shared/secrets/redact-text.ts';
import { changeBox, type Ended } from '../ssh/change-box.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { askJson } from './ask-http.ts';
import { LOOPBACK } from './listener.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';

/** Importing TensorFlow can take that long on a busy box. */
const START_TRIES = 60;
const START_PAUSE_MS = 1000;
const TRIES_PER_LOOK = 5;
/** A shell that was told to start something has begun by then. */
const TRIES_UNTIL_NONE = 3;
/** `tensorboard-stop.sh` gives it four seconds, then ends it the hard way. */
const STOP_TRIES = 7;
const MAX_PORTS = 8;

const logdirAnswer = z.object({ logdir: z.string().max(4096) });
const environmentAnswer = z.object({ data_location: z.string().max(4096) });
const runsAnswer = z.array(z.string().max(4096)).max(100_000);

/** What a box has of TensorBoard, Jupyter and event files: these below its home and in `eventFolders`. Read-only. */
export async function findServices(
  connection: SshConnection,
  scripts: OnboxScripts,
  eventFolders: readonly string[] = [],
): Promise<Result<BoxServices, Problem>> {
  const values = { LEASEHOLD_EVENT_FOLDERS: eventFolders.join('\t') };
  const ran = await scripts.run(connection, 'find-services.sh', values);
  return ran.ok ? ok(parseBoxServices(ran.value.stdout)) : ran;
}

/** Looks at everything that U39 tells apart, and says what it comes to. */
export async function lookAtTensorboard(
  connection: SshConnection,
  scripts: OnboxScripts,
  searched: readonly string[],
): Promise<Result<TensorboardReport, Problem>> {
  const found = await findServices(connection, scripts, searched);
  if (!found.ok) return found;
  const { tensorboards, eventFolders, isSearchComplete } = found.value;
  const named = tensorboards.flatMap(({ ports }) => ports);
  const ports = [...new Set<number>([...named, ...USUAL_TENSORBOARD_PORTS])].slice(0, MAX_PORTS);
  let serving: ServingTensorboard | null = null;
  let isForwardingRefused = false;
  for (const port of ports) {
    const asked = await askTensorboard(connection, port);
    if (asked.ok) {
      // The one that shows runs is the one that people mean.
      if (serving === null || (serving.runs ?? 0) === 0) serving = asked.value;
    } else if (asked.error.code === 'forward-refused') isForwardingRefused = true;
  }
  const facts = {
    serving,
    processes: tensorboards,
    eventFolders,
    isSearchComplete,
    isForwardingRefused,
  };
  return ok({ ...facts, finding: diagnoseTensorboard(facts) });
}

/** Asks a port of the box whether TensorBoard answers there. */
export async function askTensorboard(
  connection: SshConnection,
  port: number,
): Promise<Result<ServingTensorboard, Problem>> {
  const get = async <T>(path: string, schema: z.ZodType<T>): Promise<Result<T, Problem>> => {
    const opened = await connection.openStream({ host: LOOPBACK, port });
    return opened.ok ? askJson(opened.value, { port, path }, schema) : opened;
  };
  const environment = await get('/data/environment', environmentAnswer);
  if (!environment.ok && environment.error.code !== 'bad-answer') return environment;
  // Older ones know only this path.
  const logdir = environment.ok ? environment : await get('/data/logdir', logdirAnswer);
  if (!logdir.ok) return logdir;
  const folder = 'logdir' in logdir.value ? logdir.value.logdir : logdir.value.data_location;
  const runs = await get('/data/runs', runsAnswer);
  return ok({
    port,
    logdir: folder.startsWith('/') && !/\p{C}/u.test(folder) ? folder : null,
    runs: runs.ok ? runs.value.length : null,
  });
}

export interface StartOptions {
  readonly logdir: string;
  readonly port: number;
  readonly pause?: (ms: number) => Promise<void>;
}

/** Starts TensorBoard detached on the box and answers once it does. What was started stays when it is slow. */
export async function startTensorboard(
  connection: SshConnection,
  scripts: OnboxScripts,
  options: StartOptions,
): Promise<Result<null, Problem>> {
  const started = await launch(connection, scripts, options);
  if (!started.ok) return started;
  if (started.value === 'answers') return ok(null);
  return untilItAnswers(connection, scripts, options, started.value.log);
}

async function launch(
  connection: SshConnection,
  scripts: OnboxScripts,
  options: StartOptions,
): Promise<Result<'answers' | { readonly log: string | null }, Problem>> {
  const { logdir, port } = options;
  const inUse = await connection.openStream({ host: LOOPBACK, port });
  if (inUse.ok) {
    inUse.value.destroy();
    const text = `Port ${String(port)} of the box is taken already.`;
    return err(problem('tensorboard-not-started', text, { nextStep: 'Choose another port.' }));
  }
  const values = { LEASEHOLD_LOGDIR: logdir, LEASEHOLD_PORT: String(port) };
  return changeBox<'answers' | { readonly log: string | null }>(connection, {
    run: (on) => scripts.run(on, 'tensorboard-start.sh', values),
    judge: (ended) => {
      const said = whatItSaid(ended);
      if (!said.ok) return said;
      if (said.value.startsWith('no-folder')) return err(noFolder(logdir));
      if (said.value.startsWith('no-tensorboard')) {
        return err(problem('no-tensorboard', 'TensorBoard is not installed on the box.'));
      }
      return ok({ log: /^log (.+)$/m.exec(said.value)?.[1] ?? null });
    },
    reread: async (fresh, because) => {
      const state = await untilItIsDecided(fresh, scripts, options);
      if (state === 'unknown') return err(stillUnknown(because, port, 'could not be found out'));
      if (state === 'none') return err(stillUnknown(because, port, 'was not found'));
      const answers = await untilItAnswers(fresh, scripts, options, null);
      return answers.ok ? ok('answers') : answers;
    },
  });
}

/**
 * What became of a start whose end nobody heard. The shell on the box may still have to begin, and the script to find out
 * whether TensorBoard is installed, which takes Python seconds.
 */
async function untilItIsDecided(
  connection: SshConnection,
  scripts: OnboxScripts,
  { port, pause = wait }: StartOptions,
): Promise<StartState> {
  let state: StartState = 'unknown';
  for (let tries = 0; tries < START_TRIES; tries += 1) {
    ({ state } = await lookAtLog(connection, scripts, port));
    const isDecided = state === 'none' ? tries >= TRIES_UNTIL_NONE : state !== 'starting';
    if (isDecided) break;
    await pause(START_PAUSE_MS);
  }
  return state;
}

function stillUnknown(because: Problem, port: number, what: string): Problem {
  return problem(
    'command-unknown',
    `${because.message} A TensorBoard of ours on port ${String(port)} of the box ${what}.`,
    { nextStep: 'Check what runs on the box, then start it again if need be.' },
  );
}

async function untilItAnswers(
  connection: SshConnection,
  scripts: OnboxScripts,
  { port, pause = wait }: StartOptions,
  file: string | null,
): Promise<Result<null, Problem>> {
  for (let tries = 0; tries < START_TRIES; tries += 1) {
    const asked = await askTensorboard(connection, port);
    if (asked.ok) return ok(null);
    if (asked.error.code === 'link-lost' || asked.error.code === 'not-connected') return asked;
    if (tries % TRIES_PER_LOOK === 0) {
      const log = await lookAtLog(connection, scripts, port);
      // Nobody waits a minute for a process that is gone.
      if (log.state === 'ended') return err(notAnswering(file, log));
    }
    await pause(START_PAUSE_MS);
  }
  return err(notAnswering(file, await lookAtLog(connection, scripts, port)));
}

/** `starting`: the script that starts it still runs. `none`: nothing shows that it was started. */
type StartState = 'starting' | 'running' | 'ended' | 'none' | 'unknown';

const startStates: readonly string[] = ['starting', 'running', 'ended', 'none'];

interface StartLog {
  readonly state: StartState;
  /** Null: it could not be read. */
  readonly lines: string | null;
}

async function lookAtLog(
  connection: SshConnection,
  scripts: OnboxScripts,
  port: number,
): Promise<StartLog> {
  const values = { LEASEHOLD_PORT: String(port) };
  const ran = await scripts.run(connection, 'tensorboard-log.sh', values);
  if (!ran.ok) return { state: 'unknown', lines: null };
  const [state = '', ...lines] = ran.value.stdout.split('\n');
  return {
    state: startStates.includes(state) ? (state as StartState) : 'unknown',
    lines: plainText(redactText(lines.join('\n')), 4000),
  };
}

/** With what it said itself: a missing module, a wrong option, a port that is taken. */
function notAnswering(file: string | null, { state, lines }: StartLog): Problem {
  const said =
    lines === null ? 'could not be read' : lines === '' ? 'is empty' : `ends with:\n${lines}`;
  const what =
    state === 'ended'
      ? 'TensorBoard was started and has ended again.'
      : 'TensorBoard was started but does not answer.';
  return problem('tensorboard-not-started', what, {
    detail: `Its log on the box${file === null ? '' : ` (${plainLine(file, 300)})`} ${said}`,
  });
}

/** Ends a TensorBoard that we started; the box refuses for any other process. */
export async function stopTensorboard(
  connection: SshConnection,
  scripts: OnboxScripts,
  pid: number,
  pause = wait,
): Promise<Result<null, Problem>> {
  return changeBox(connection, {
    run: (on) => scripts.run(on, 'tensorboard-stop.sh', { LEASEHOLD_PID: String(pid) }),
    judge: (ended) => {
      const said = whatItSaid(ended);
      if (!said.ok) return said;
      if (said.value.trim() === 'stopped') return ok(null);
      return err(problem('not-ours-to-stop', 'Leasehold did not start this TensorBoard.'));
    },
    // A script that was told to end it goes on without us.
    reread: async (fresh, because) => {
      for (let tries = 1; ; tries += 1) {
        const found = await findServices(fresh, scripts);
        if (!found.ok) return found;
        if (!found.value.tensorboards.some((each) => each.pid === pid)) return ok(null);
        if (tries === STOP_TRIES) break;
        await pause(START_PAUSE_MS);
      }
      return err({ ...because, message: `${because.message} TensorBoard still runs on the box.` });
    },
  });
}

/** Shows a folder of runs to a TensorBoard that looks elsewhere. */
export async function linkFolder(
  connection: SshConnection,
  scripts: OnboxScripts,
  { from, into }: { readonly from: string; readonly into: string },
): Promise<Result<null, Problem>> {
  const values = {
    LEASEHOLD_FROM: from,
    LEASEHOLD_INTO: into,
    LEASEHOLD_NAME: /([^/]+)\/*$/.exec(from)?.[1] ?? 'runs',
  };
  const link = (on: SshConnection) => scripts.run(on, 'link-folder.sh', values);
  const judge = (ended: Ended): Result<null, Problem> => {
    const said = whatItSaid(ended);
    return said.ok ? judgeLinked(said.value.trim(), into) : said;
  };
  return changeBox(connection, {
    run: link,
    judge,
    // Replaces nothing, and finds what it has made itself: running it once more is the look.
    reread: async (fresh, because) => {
      const looked = await link(fresh);
      if (!looked.ok) return looked;
      const { end, stdout, stderr } = looked.value;
      return end.kind === 'exited' ? judge({ code: end.code, stdout, stderr }) : err(because);
    },
  });
}

function judgeLinked(said: string, into: string): Result<null, Problem> {
  switch (said) {
    case 'linked':
      return ok(null);
    case 'exists':
      return err(
        problem(
          'tensorboard-not-started',
          'There is something of that name in its folder already.',
          {
            nextStep: 'Start a TensorBoard on the right folder instead.',
          },
        ),
      );
    default:
      return err(noFolder(into));
  }
}

function whatItSaid({ code, stdout, stderr }: Ended): Result<string, Problem> {
  if (code === 0) return ok(stdout);
  return err(
    problem('tensorboard-not-started', 'The box could not do that.', {
      detail: stderr,
    }),
  );
}

function noFolder(folder: string): Problem {
  return problem('tensorboard-not-started', `The box has no folder ${folder}.`, {
    nextStep: 'Correct the folder and try again.',
  });
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
