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
import { redactText } from '../log/redact.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { askJson } from './ask-http.ts';
import { LOOPBACK } from './listener.ts';
import type { OnboxScripts, OnboxValues } from './onbox.ts';

/** Importing TensorFlow can take that long on a busy box. */
const START_TRIES = 60;
const START_PAUSE_MS = 1000;
const TRIES_PER_LOOK = 5;
const MAX_PORTS = 8;

const logdirAnswer = z.object({ logdir: z.string().max(4096) });
const environmentAnswer = z.object({ data_location: z.string().max(4096) });
const runsAnswer = z.array(z.string().max(4096)).max(100_000);

/** What a box has of TensorBoard, Jupyter and event files. Read-only. */
export async function findServices(
  connection: SshConnection,
  scripts: OnboxScripts,
): Promise<Result<BoxServices, Problem>> {
  const ran = await scripts.run(connection, 'find-services.sh');
  return ran.ok ? ok(parseBoxServices(ran.value.stdout)) : ran;
}

/** Looks at everything that U39 tells apart, and says what it comes to. */
export async function lookAtTensorboard(
  connection: SshConnection,
  scripts: OnboxScripts,
): Promise<Result<TensorboardReport, Problem>> {
  const found = await findServices(connection, scripts);
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
  { logdir, port, pause = wait }: StartOptions,
): Promise<Result<null, Problem>> {
  const inUse = await connection.openStream({ host: LOOPBACK, port });
  if (inUse.ok) {
    inUse.value.destroy();
    const text = `Port ${String(port)} of the box is taken already.`;
    return err(problem('tensorboard-not-started', text, { nextStep: 'Choose another port.' }));
  }
  const said = await runScript(connection, scripts, 'tensorboard-start.sh', {
    LEASEHOLD_LOGDIR: logdir,
    LEASEHOLD_PORT: String(port),
  });
  if (!said.ok) return said;
  if (said.value.startsWith('no-folder')) return err(noFolder(logdir));
  if (said.value.startsWith('no-tensorboard')) {
    return err(problem('no-tensorboard', 'TensorBoard is not installed on the box.'));
  }
  for (let tries = 1; tries <= START_TRIES; tries += 1) {
    const asked = await askTensorboard(connection, port);
    if (asked.ok) return ok(null);
    if (asked.error.code === 'link-lost' || asked.error.code === 'not-connected') return asked;
    if (tries % TRIES_PER_LOOK === 0) {
      const log = await lookAtLog(connection, scripts, port);
      // Nobody waits a minute for a process that is gone.
      if (log.hasEnded) return err(notAnswering(said.value, log));
    }
    await pause(START_PAUSE_MS);
  }
  return err(notAnswering(said.value, await lookAtLog(connection, scripts, port)));
}

interface StartLog {
  readonly hasEnded: boolean;
  /** Null: it could not be read. */
  readonly lines: string | null;
}

async function lookAtLog(
  connection: SshConnection,
  scripts: OnboxScripts,
  port: number,
): Promise<StartLog> {
  const values = { LEASEHOLD_PORT: String(port) };
  const said = await runScript(connection, scripts, 'tensorboard-log.sh', values);
  if (!said.ok) return { hasEnded: false, lines: null };
  const [state = '', ...lines] = said.value.split('\n');
  return { hasEnded: state === 'ended', lines: plainText(redactText(lines.join('\n')), 4000) };
}

/** With what it said itself: a missing module, a wrong option, a port that is taken. */
function notAnswering(started: string, { hasEnded, lines }: StartLog): Problem {
  const file = /^log (.+)$/m.exec(started)?.[1] ?? 'unknown';
  const said =
    lines === null ? 'could not be read' : lines === '' ? 'is empty' : `ends with:\n${lines}`;
  const what = hasEnded
    ? 'TensorBoard was started and has ended again.'
    : 'TensorBoard was started but does not answer.';
  return problem('tensorboard-not-started', what, {
    detail: `Its log on the box (${plainLine(file, 300)}) ${said}`,
  });
}

/** Ends a TensorBoard that we started; the box refuses for any other process. */
export async function stopTensorboard(
  connection: SshConnection,
  scripts: OnboxScripts,
  pid: number,
): Promise<Result<null, Problem>> {
  const values = { LEASEHOLD_PID: String(pid) };
  const said = await runScript(connection, scripts, 'tensorboard-stop.sh', values);
  if (!said.ok) return said;
  if (said.value.trim() === 'stopped') return ok(null);
  return err(problem('not-ours-to-stop', 'Leasehold did not start this TensorBoard.'));
}

/** Shows a folder of runs to a TensorBoard that looks elsewhere. */
export async function linkFolder(
  connection: SshConnection,
  scripts: OnboxScripts,
  { from, into }: { readonly from: string; readonly into: string },
): Promise<Result<null, Problem>> {
  const said = await runScript(connection, scripts, 'link-folder.sh', {
    LEASEHOLD_FROM: from,
    LEASEHOLD_INTO: into,
    LEASEHOLD_NAME: /([^/]+)\/*$/.exec(from)?.[1] ?? 'runs',
  });
  if (!said.ok) return said;
  switch (said.value.trim()) {
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

async function runScript(
  connection: SshConnection,
  scripts: OnboxScripts,
  script: Parameters<OnboxScripts['run']>[1],
  values: OnboxValues,
): Promise<Result<string, Problem>> {
  const ran = await scripts.run(connection, script, values);
  if (!ran.ok) return ran;
  const { code, stdout, stderr } = ran.value;
  if (code === 0) return ok(stdout);
  return err(
    problem('tensorboard-not-started', 'The box could not do that.', {
      detail: stderr.slice(0, 500),
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
