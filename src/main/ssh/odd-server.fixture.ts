import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import ssh2, { type Connection, type ServerChannel, type Session } from 'ssh2';
import { TEST_HOST_KEY } from './login-server.fixture.ts';

/** Escape sequences without end, as fast as the client takes them. */
export function flood(channel: ServerChannel): void {
  const more = (): void => {
    while (channel.writable && channel.write('\u001b]0;x\u0007'.repeat(4000)));
    if (channel.writable) channel.once('drain', more);
  };
  channel.on('error', () => undefined);
  more();
}

/** A server that lets everybody in and does with sessions and tunnels what no real one would. */
export interface OddServer {
  readonly port: number;
  /** What it was asked for, in order. */
  readonly asked: readonly string[];
  /** Session channels that are open now. */
  readonly openSessions: () => number;
  stop(): Promise<void>;
}

export interface OddServerOptions {
  readonly banner?: string;
  readonly refusesSessions?: boolean;
  /** Absent: refused. */
  readonly onExec?: (channel: ServerChannel, command: string) => void;
  readonly onShell?: (channel: ServerChannel) => void;
  readonly onSftp?: (channel: ServerChannel) => void;
  /** What it closes in place of an answer to what is asked for in a session, as a server does that dies, or whose child dies. */
  readonly closes?: 'session' | 'connection';
  readonly tunnel?: 'refused' | 'silent';
}

export async function startOddServer(options: OddServerOptions): Promise<OddServer> {
  const { banner, refusesSessions = false, onExec, onShell, onSftp, tunnel = 'refused' } = options;
  const { closes } = options;
  const asked: string[] = [];
  const sessions = new Set<Session>();
  const sockets = new Set<Socket>();
  const server = new ssh2.Server(
    { hostKeys: [TEST_HOST_KEY], ...(banner !== undefined && { banner }) },
    (client) => {
      client.on('error', () => undefined); // the client may well reset it
      client.on('authentication', (context) => context.accept());
      // Without a listener ssh2 refuses them as prohibited, which its own `reject` cannot say.
      if (tunnel === 'silent') client.on('tcpip', () => asked.push('tunnel'));
      client.on('session', (accept, reject) => {
        asked.push('session');
        if (refusesSessions) {
          reject();
          return;
        }
        const session = accept();
        sessions.add(session);
        session.on('close', () => sessions.delete(session));
        session.on('pty', (acceptPty) => acceptPty?.());
        session.on('exec', (acceptExec, rejectExec, { command }) => {
          asked.push('exec');
          if (closes !== undefined) close(closes, client, session);
          else if (onExec === undefined) rejectExec?.();
          else onExec(acceptExec(), command);
        });
        session.on('shell', (acceptShell, rejectShell) => {
          asked.push('shell');
          if (closes !== undefined) close(closes, client, session);
          else if (onShell === undefined) rejectShell?.();
          else onShell(acceptShell());
        });
        session.on('subsystem', (acceptSubsystem, rejectSubsystem) => {
          asked.push('subsystem');
          if (closes !== undefined) close(closes, client, session);
          else if (onSftp === undefined) rejectSubsystem?.();
          else onSftp(acceptSubsystem());
        });
      });
    },
  );
  // ssh2's own server keeps the sockets to itself; cutting them is what a killed sshd does.
  (
    server as unknown as { _srv: { on(event: string, listen: (socket: Socket) => void): void } }
  )._srv.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    openSessions: () => sessions.size,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What ssh2's own server never does. */
function close(what: 'session' | 'connection', client: Connection, session: Session): void {
  const { _protocol, _sock } = client as unknown as {
    readonly _protocol: { channelClose(id: number): void };
    readonly _sock: Socket;
  };
  const { _chanInfo } = session as unknown as { _chanInfo: { outgoing: { id: number } } };
  if (what === 'session') _protocol.channelClose(_chanInfo.outgoing.id);
  else _sock.destroy();
}
