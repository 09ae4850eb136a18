import { problem, type Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import {
  IN_FLIGHT_BYTES,
  MAX_PENDING_INPUT_BYTES,
  type TerminalNews,
} from '../../shared/terminal/port-messages.ts';
import { terminalRequest, type TerminalRequest } from '../../shared/terminal/port-requests.ts';
import type {
  AgentLending,
  TerminalSize,
  TerminalState,
  TmuxSession,
} from '../../shared/terminal/terminal.ts';
import { attachCommand } from '../../shared/terminal/tmux.ts';
import type { Log } from '../log/log.ts';
import type { RemoteTerminal } from '../ssh/remote-terminal.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { TerminalOutput } from './output.ts';
import { findTmux } from './tmux.ts';

/** Main's end of the way to one xterm in the window. */
export interface TerminalPort {
  post(message: Uint8Array | TerminalNews): void;
  /** SECURITY: whatever the window sent; nothing about it is known yet. */
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: () => void): void;
  close(): void;
}

export interface OpenTerminal {
  readonly size: TerminalSize;
  readonly log: Log;
  /** The link is gone under a tmux session. */
  readonly onLost: () => void;
  readonly onClosed: () => void;
}

/** One terminal of the window over time: its channel on the box, and after a lost link the next one. */
export class Terminal {
  readonly #options: OpenTerminal;
  #size: TerminalSize;
  /** Null: a plain shell. */
  #session: TmuxSession | null = null;
  #port: TerminalPort | null = null;
  #remote: RemoteTerminal | null = null;
  #state: TerminalState = { kind: 'opening' };
  #isClosed = false;
  /** What the box printed before the window had its port: the window of the channel bounds it. */
  readonly #early: Uint8Array[] = [];
  readonly #output = new TerminalOutput((bytes) => {
    if (this.#port === null) this.#early.push(bytes.slice());
    else this.#port.post(bytes);
  });

  constructor(options: OpenTerminal) {
    this.#options = options;
    this.#size = options.size;
  }

  get agent(): AgentLending {
    return this.#remote?.agent ?? 'off';
  }

  get state(): TerminalState {
    return this.#state;
  }

  /** Opens the terminal on the box, on a tmux session or (null) a plain shell. Answers why it could not. */
  async open(connection: SshConnection, session: TmuxSession | null): Promise<Problem | null> {
    this.#session = session;
    const opened: Result<RemoteTerminal, Problem> = await connection.openTerminal({
      size: this.#size,
      inFlightBytes: IN_FLIGHT_BYTES,
      onOutput: (bytes) => this.#output.push(bytes),
      onAgentUse: (use) => this.#port?.post({ kind: 'agent-use', use }),
      // shell-text: tmux's id, by its schema a "$" and digits
      ...(session !== null && { command: attachCommand(session) }),
    });
    if (!opened.ok) return opened.error;
    const remote = opened.value;
    if (this.#isClosed) {
      remote.close();
      return problem('aborted', 'The terminal was closed while it opened.');
    }
    this.#remote = remote;
    void this.#follow(remote);
    return null;
  }

  join(port: TerminalPort): void {
    this.#port = port;
    for (const bytes of this.#early.splice(0)) port.post(bytes);
    port.onMessage((message) => this.#obey(message));
    port.onClose(() => this.close());
    this.#enter({ kind: 'live' });
  }

  /** The link is up again. */
  async reattach(connection: SshConnection): Promise<void> {
    const session = this.#session;
    if (this.#state.kind !== 'lost' || session === null) return;
    this.#enter({ kind: 'opening' });
    const found = await findTmux(connection, session);
    const failed = found.ok ? await this.open(connection, found.value) : found.error;
    if (this.#isClosed) return;
    if (failed === null) this.#enter({ kind: 'live' });
    // Cut again while it tried, so whatever was said means nothing: the next link gets its turn.
    else if (connection.isGone()) this.#lose();
    else this.#enter({ kind: 'ended', because: 'failed', problem: failed });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#remote?.close();
    this.#remote = null;
    this.#output.drop();
    this.#port?.close();
    this.#options.onClosed();
  }

  /** Until the channel is gone: then the link is, or the program ended. */
  async #follow(remote: RemoteTerminal): Promise<void> {
    const end = await remote.ended;
    if (this.#isClosed || this.#remote !== remote) return;
    this.#remote = null;
    if (end.kind !== 'unknown' || end.because === null) {
      const code = end.kind === 'exited' ? end.code : null;
      this.#enter({ kind: 'ended', because: 'exited', code });
    } else if (this.#session === null) this.#enter({ kind: 'ended', because: 'link-lost' });
    else this.#lose();
  }

  /** The link, or only the further connection that carried this terminal. */
  #lose(): void {
    this.#enter({ kind: 'lost' });
    this.#options.onLost();
  }

  #enter(state: TerminalState): void {
    this.#state = state;
    this.#output.flush(); // printed before, so shown before
    this.#port?.post({ kind: 'state', state });
  }

  #obey(message: unknown): void {
    const parsed = terminalRequest.safeParse(message);
    // The window is ours or taken over; either way this terminal has nothing more to do with it.
    if (!parsed.success) {
      this.#options.log.warn('refused a message to a terminal', {
        because: parsed.error.issues[0]?.message ?? 'unknown',
      });
      const refused = problem('bad-input', 'Leasehold made a mistake and closed this terminal.');
      this.#enter({ kind: 'ended', because: 'failed', problem: refused });
      this.close();
      return;
    }
    this.#carryOut(parsed.data);
  }

  #carryOut(request: TerminalRequest): void {
    switch (request.kind) {
      case 'ack':
        this.#remote?.consumed(request.bytes);
        return;
      case 'input':
        this.#write(Buffer.from(request.text, 'utf8'));
        return;
      case 'binary':
        this.#write(Buffer.from(request.text, 'latin1'));
        return;
      case 'resize':
        this.#size = request.size;
        this.#remote?.resize(request.size);
        return;
      case 'close':
        this.close();
    }
  }

  #write(bytes: Buffer): void {
    if (this.#remote === null) return;
    if (this.#remote.pendingInputBytes + bytes.length > MAX_PENDING_INPUT_BYTES) {
      this.#port?.post({ kind: 'input-refused', bytes: bytes.length });
      return;
    }
    this.#remote.write(bytes);
  }
}
