import type { ClientChannel } from 'ssh2';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import type { AgentLending, AgentUse, TerminalSize } from '../../shared/terminal/terminal.ts';
import { exitOf, type ConnectionLife, type ExitStatus } from './exit-status.ts';
import { openSession } from './open-session.ts';
import { OwnWindow } from './own-window.ts';
import type { VerifiedClient } from './verified-client.ts';

const TERM = 'xterm-256color';

export interface TerminalOptions {
  readonly size: TerminalSize;
  /** Runs in place of the login shell. */
  readonly command?: string;
  /** How much the box may have sent that nobody has consumed yet. */
  readonly inFlightBytes: number;
  /** Bytes as they come; each must be answered with `consumed`, or the box stops sending. */
  readonly onOutput: (bytes: Buffer) => void;
  /** Where the person's agent is lent: what the box does with it, in this terminal or another of the same connection. */
  readonly onAgentUse?: (use: AgentUse) => void;
}

/** ssh2's words for a server that does not take an agent (AllowAgentForwarding no). */
const AGENT_REFUSED = 'Unable to request agent forwarding';

/** A pseudo-terminal on the box. */
export class RemoteTerminal {
  readonly #channel: ClientChannel;
  readonly #window: OwnWindow;
  #pendingInputBytes = 0;
  readonly agent: AgentLending;
  /** Settles when the terminal is gone, however it went. Never rejects. */
  readonly ended: Promise<ExitStatus>;

  constructor(
    channel: ClientChannel,
    options: TerminalOptions,
    life: ConnectionLife,
    agent: AgentLending,
  ) {
    this.#channel = channel;
    this.agent = agent;
    // ssh2 would keep 2 MiB on the way, a second or more of text that an echo has to wait behind.
    this.#window = new OwnWindow(channel, options.inFlightBytes);
    channel.on('data', (bytes: Buffer) => {
      this.#window.given(bytes.length);
      options.onOutput(bytes);
    });
    channel.stderr.resume(); // a terminal has one output; a box that sends another is not listened to
    this.ended = exitOf(channel, life);
  }

  /** What was written and has not left for the box yet. */
  get pendingInputBytes(): number {
    return this.#pendingInputBytes;
  }

  write(bytes: Buffer): void {
    if (!this.#channel.writable) return;
    this.#pendingInputBytes += bytes.length;
    this.#channel.write(bytes, () => (this.#pendingInputBytes -= bytes.length));
  }

  resize({ cols, rows }: TerminalSize): void {
    if (this.#channel.writable) this.#channel.setWindow(rows, cols, 0, 0);
  }

  /** That many bytes of the output are done with. */
  consumed(bytes: number): void {
    this.#window.consumed(bytes);
  }

  /** Hangs up: the shell gets SIGHUP, as when a person closes a terminal window. */
  close(): void {
    this.#channel.close();
  }
}

/** With the person's agent where this box is lent one; without it where the box does not take it. */
export async function openTerminal(
  client: VerifiedClient,
  options: TerminalOptions,
  life: ConnectionLife,
): Promise<Result<RemoteTerminal, Problem>> {
  const { lentAgent } = client;
  if (lentAgent === null) return tryToOpen(client, options, life, 'off');
  if (!lentAgent.exists) return tryToOpen(client, options, life, 'missing');
  const opened = await tryToOpen(client, options, life, 'lent');
  if (opened.ok || opened.error.detail !== AGENT_REFUSED) return opened;
  return tryToOpen(client, options, life, 'refused');
}

function tryToOpen(
  client: VerifiedClient,
  options: TerminalOptions,
  life: ConnectionLife,
  agent: AgentLending,
): Promise<Result<RemoteTerminal, Problem>> {
  const { cols, rows } = options.size;
  const pty = { term: TERM, cols, rows, width: 0, height: 0 };
  // A spread, because @types/ssh2 does not know this option.
  const lending: object = agent === 'lent' ? { agentForward: true } : {};
  return openSession(life, {
    ask: (take) => {
      if (options.command === undefined) client.shell(pty, { ...lending }, take);
      else client.exec(options.command, { pty, ...lending }, take);
    },
    use: (channel) => {
      const terminal = new RemoteTerminal(channel, options, life, agent);
      const takeBack =
        agent === 'lent'
          ? client.lentAgent?.lend(options.onAgentUse ?? (() => undefined))
          : undefined;
      if (takeBack !== undefined) void terminal.ended.then(takeBack);
      return terminal;
    },
    refused: {
      code: 'terminal-refused',
      message: 'The box did not open a terminal over this connection.',
    },
    late: 'The box did not open a terminal in time.',
  });
}
