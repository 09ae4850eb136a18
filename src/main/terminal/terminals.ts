import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type {
  OpenedTerminal,
  TerminalSize,
  TerminalTarget,
  TmuxListing,
  TmuxSession,
  TmuxSessionKey,
} from '../../shared/terminal/terminal.ts';
import type { Connections } from '../boxes/box-roster.ts';
import type { ChangePass } from '../../shared/teardown/change-pass.ts';
import type { Log } from '../log/log.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { Terminal, type TerminalPort } from './terminal.ts';
import { createTmux, findTmux, killTmux, listTmux } from './tmux.ts';

/** Each is a channel on the box and an xterm in the window. */
const MAX_TERMINALS = 64;

export interface TerminalsOptions {
  /** The box's connection while its link is up. */
  readonly roster: Connections;
  /** What opening one showed about the box's SSH. */
  readonly onOpened?: (boxId: string, failed: Problem | null) => void;
  readonly log: Log;
}

export interface OpenRequest {
  /** Chosen by the window, so that it can tell which port belongs to which xterm. */
  readonly terminalId: string;
  readonly boxId: string;
  readonly target: TerminalTarget;
  readonly size: TerminalSize;
}

interface Entry {
  readonly clientId: number;
  readonly boxId: string;
  readonly terminal: Terminal;
}

/** All open terminals. A terminal lives as long as the page that shows it; a tmux session as long as the person wants. */
export class Terminals {
  readonly #options: TerminalsOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: TerminalsOptions) {
    this.#options = options;
  }

  /** `handOver` gives the window its end of the port; null where the window is gone. */
  async open(
    { terminalId, boxId, target, size }: OpenRequest,
    clientId: number,
    handOver: () => TerminalPort | null,
  ): Promise<Result<OpenedTerminal, Problem>> {
    const { log, roster } = this.#options;
    const connection = roster.connectionOf(boxId);
    if (connection === null) return notConnected();
    if (this.#entries.has(terminalId)) {
      return err(problem('bad-input', 'This terminal is open already.'));
    }
    if (this.#entries.size >= MAX_TERMINALS) {
      return err(
        problem('too-many-terminals', `${String(MAX_TERMINALS)} terminals are open already.`),
      );
    }
    const terminal = new Terminal({
      size,
      log,
      // A new link may be up before the end of the old one is heard of here.
      onLost: () => this.linkIsUp(boxId),
      onClosed: () => void this.#entries.delete(terminalId),
    });
    this.#entries.set(terminalId, { clientId, boxId, terminal });
    const session = await selectSession(connection, target, size);
    const failed = session.ok ? await terminal.open(connection, session.value) : session.error;
    this.#options.onOpened?.(boxId, failed);
    const port = failed === null ? handOver() : null;
    if (!session.ok || failed !== null || port === null) {
      terminal.close();
      return err(failed ?? problem('aborted', 'The window was closed while the terminal opened.'));
    }
    terminal.join(port);
    return ok({ session: session.value, agent: terminal.agent });
  }

  async listTmux(boxId: string): Promise<Result<TmuxListing, Problem>> {
    const connection = this.#options.roster.connectionOf(boxId);
    return connection === null ? notConnected() : listTmux(connection);
  }

  /** Ends a session and every program in it. The window has asked the person. */
  async killTmux(
    boxId: string,
    key: TmuxSessionKey,
    pass: ChangePass,
  ): Promise<Result<null, Problem>> {
    const connection = this.#options.roster.connectionOf(boxId);
    return connection === null ? notConnected() : killTmux(connection, key, pass);
  }

  /** The box's link is up again: terminals that show a tmux session attach to it. */
  linkIsUp(boxId: string): void {
    const connection = this.#options.roster.connectionOf(boxId);
    if (connection === null || connection.isGone()) return;
    for (const entry of this.#entries.values()) {
      if (entry.boxId === boxId) void entry.terminal.reattach(connection);
    }
  }

  /** The page that showed them is gone: closed, or loaded again. */
  closeOfClient(clientId: number): void {
    for (const entry of [...this.#entries.values()]) {
      if (entry.clientId === clientId) entry.terminal.close();
    }
  }

  dispose(): void {
    for (const { terminal } of [...this.#entries.values()]) terminal.close();
  }
}

async function selectSession(
  connection: SshConnection,
  target: TerminalTarget,
  size: TerminalSize,
): Promise<Result<TmuxSession | null, Problem>> {
  switch (target.kind) {
    case 'shell':
      return ok(null);
    case 'tmux':
      return findTmux(connection, target.session);
    case 'new-tmux':
      return createTmux(connection, target.name, size);
  }
}

function notConnected(): { readonly ok: false; readonly error: Problem } {
  return err(problem('not-connected', 'There is no connection to this box right now.'));
}
