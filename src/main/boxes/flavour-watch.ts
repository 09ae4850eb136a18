import {
  judgeFlavour,
  type FlavourAnswers,
  type TunnelAnswer,
} from '../../shared/boxes/flavour/judge-flavour.ts';
import { LOOK_COMMAND } from '../../shared/boxes/flavour/look.ts';
import {
  isComplete,
  reportOf,
  type Fact,
  type FlavourState,
} from '../../shared/boxes/flavour/report.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import { DEFAULT_TENSORBOARD_PORT } from '../../shared/tunnels/tensorboard.ts';
import { describeEndpoint } from '../../shared/tunnels/describe-endpoint.ts';
import type { Endpoint } from '../../shared/tunnels/tunnel.ts';
import type { TelemetryState } from '../../shared/telemetry/telemetry-state.ts';
import type { Log } from '../log/log.ts';
import { startDeadline, type Deadline } from '../ssh/deadline.ts';
import type { RunOutcome } from '../ssh/run-command.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { LOOPBACK } from '../tunnels/listener.ts';

/** A sick driver can hold up the first readings for a minute and more. */
const START_AT_LATEST_MS = 15_000;
const ANSWER_TIMEOUT_MS = 20_000;
const MAX_CHARS = 64 * 1024;

/** tcpmux, where nothing listens for decades: the server's answer tells whether it would have tried. Nothing is connected to. */
const SILENT_PORT = { host: LOOPBACK, port: 1 };
/** Where port 1 is refused, the ports that people want may still be allowed: those of the box's own tunnels, and these. */
const WANTED_PORTS = [DEFAULT_TENSORBOARD_PORT, 8888];
const MAX_WANTED = 6;

export interface FlavourWatchOptions {
  /** What the box is reached by; some gateways are known by their name. */
  readonly host: string;
  readonly gatewayAt: (host: string) => string | null;
  /** Where the box's own tunnels lead. */
  readonly tunnelTargets: () => readonly Endpoint[];
  readonly log: Pick<Log, 'info'>;
  readonly onState: (state: FlavourState) => void;
}

/** Finds out which flavour of SSH a box has, once for each identity of it, and again where something stayed unknown. */
export class FlavourWatch {
  readonly #options: FlavourWatchOptions;
  #host: string;
  #state: FlavourState = { kind: 'unknown' };
  #connection: SshConnection | null = null;
  #stopper: AbortController | null = null;
  /** Until then the first readings go before. */
  #start: Deadline | null = null;

  constructor(options: FlavourWatchOptions) {
    this.#options = options;
    this.#host = options.host;
  }

  /** The box's link is up with this connection, or (null) not up. */
  useConnection(connection: SshConnection | null): void {
    this.#halt();
    this.#connection = connection;
    const known = reportOf(this.#state);
    if (connection === null || (known !== null && isComplete(known))) return;
    this.#start = startDeadline(START_AT_LATEST_MS, () => void this.#look());
  }

  /** The first readings came, or could not: nothing is held up any more by looking. */
  readingsAre(telemetry: TelemetryState): void {
    const isWaiting = telemetry.kind === 'off' || telemetry.kind === 'starting';
    if (this.#start !== null && !isWaiting) void this.#look();
  }

  /** The person wants to know again. */
  check(): void {
    if (this.#stopper === null) void this.#look();
  }

  /** Whoever answers now may be another machine, or another server in front of it. */
  forget(): void {
    this.#halt();
    this.#enter({ kind: 'unknown' });
  }

  /** The box is another place from now on. */
  moveTo(host: string): void {
    this.#host = host;
    this.forget();
  }

  /** A person opened a terminal, or could not. */
  terminalWasOpened(failed: Problem | null): void {
    const known = reportOf(this.#state);
    if (known === null || this.#state.kind !== 'known') return;
    const terminals = judgeTerminal(failed);
    if (terminals !== null) this.#enter({ kind: 'known', report: { ...known, terminals } });
  }

  /** Ends what is under way. */
  close(): void {
    this.#halt();
    this.#connection = null;
  }

  #halt(): void {
    this.#start?.stop();
    this.#start = null;
    this.#stopper?.abort();
    this.#stopper = null;
    const { before } = this.#state.kind === 'checking' ? this.#state : { before: null };
    if (this.#state.kind !== 'checking') return;
    this.#enter(before === null ? { kind: 'unknown' } : { kind: 'known', report: before });
  }

  async #look(): Promise<void> {
    this.#start?.stop();
    this.#start = null;
    const connection = this.#connection;
    if (connection === null) return;
    const stopper = new AbortController();
    this.#stopper = stopper;
    const before = reportOf(this.#state);
    this.#enter({ kind: 'checking', before });
    const { signal } = stopper;
    // One after the other: a server with one session at a time must not be asked for two.
    const look = await connection.run(LOOK_COMMAND, {
      signal,
      timeoutMs: ANSWER_TIMEOUT_MS,
      maxChars: MAX_CHARS,
    });
    const tunnels = await askForTunnels(connection, this.#options.tunnelTargets(), signal);
    const sftp = await connection.checkSftp();
    if (signal.aborted) return;
    this.#stopper = null;
    const { banner } = connection;
    const answers = { look: answerOf(look), sftp, tunnels, banner };
    const report = judgeFlavour(answers, this.#options.gatewayAt(this.#host), Date.now());
    const terminals = before?.terminals ?? report.terminals;
    this.#options.log.info('SSH looked at', { commands: report.commandWay });
    this.#enter({ kind: 'known', report: { ...report, terminals } });
  }

  #enter(state: FlavourState): void {
    this.#state = state;
    this.#options.onState(state);
  }
}

/** An end that nobody told is no code. */
function answerOf(look: Result<RunOutcome, Problem>): FlavourAnswers['look'] {
  if (!look.ok) return look;
  const { end, stdout, noise } = look.value;
  const code = end.kind === 'exited' ? end.code : null;
  return ok({ stdout, code, ...(noise !== undefined && { noise }) });
}

async function askForTunnels(
  connection: SshConnection,
  own: readonly Endpoint[],
  signal: AbortSignal,
): Promise<readonly TunnelAnswer[]> {
  const first = await askForTunnel(connection, SILENT_PORT, signal);
  const asked: TunnelAnswer[] = [{ target: SILENT_PORT, answer: first }];
  if (first.ok || first.error.code !== 'forward-refused') return asked;
  const usual = WANTED_PORTS.map((port) => ({ host: LOOPBACK, port }));
  const places = new Map([...own, ...usual].map((each) => [describeEndpoint(each), each]));
  for (const target of [...places.values()].slice(0, MAX_WANTED)) {
    asked.push({ target, answer: await askForTunnel(connection, target, signal) });
  }
  return asked;
}

async function askForTunnel(
  connection: SshConnection,
  target: Endpoint,
  signal: AbortSignal,
): Promise<Result<null, Problem>> {
  const stopper = new AbortController();
  const stop = (): void => stopper.abort();
  const deadline = startDeadline(ANSWER_TIMEOUT_MS, stop);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const opened = await connection.openStream(target, stopper.signal);
  deadline.stop();
  signal.removeEventListener('abort', stop);
  if (!opened.ok) return opened;
  opened.value.destroy();
  return ok(null);
}

/** Null: it says nothing about the server. */
function judgeTerminal(failed: Problem | null): Fact | null {
  if (failed === null) return { answer: 'yes', clue: 'The last one that you opened came up.' };
  if (failed.code !== 'terminal-refused') return null;
  return { answer: 'no', clue: failed.detail ?? failed.message };
}
