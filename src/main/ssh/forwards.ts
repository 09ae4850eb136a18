import type { Duplex } from 'node:stream';
import type { AcceptConnection, Client, ClientChannel, TcpConnectionDetails } from 'ssh2';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { describeEndpoint } from '../../shared/tunnels/describe-endpoint.ts';
import type { Endpoint } from '../../shared/tunnels/tunnel.ts';
import { untilEnd } from './until-end.ts';

/** A port on the box whose connections come to us. */
export interface RemoteListener {
  /** Frees the port on the box; connections that are open stay. */
  close(): Promise<void>;
}

/** What an SSH connection offers to tunnels. */
export interface Forwards {
  /** A stream to a port that the box can reach. Its end is a half-close; `destroy` closes the channel. */
  openStream(target: Endpoint, signal?: AbortSignal): Promise<Result<Duplex, Problem>>;
  /** Asks the box to listen. `accept` gets each connection. */
  listenOnBox(
    at: Endpoint,
    accept: (stream: Duplex) => void,
  ): Promise<Result<RemoteListener, Problem>>;
}

// RFC 4254 5.1
const PROHIBITED = 1;
const CONNECT_FAILED = 2;
const UNKNOWN_CHANNEL_TYPE = 3;
const RESOURCE_SHORTAGE = 4;

/** The origin that the protocol asks for; the box can at most log it. */
const ORIGIN = { host: '127.0.0.1', port: 0 };

export function forwardsOver(client: Client, closed: Promise<Problem>): Forwards {
  const listeners = new Map<string, (stream: Duplex) => void>();
  client.on('tcp connection', (details, accept, reject) => {
    const listener = findListener(listeners, details);
    if (listener === undefined) reject();
    else listener(acceptStream(accept));
  });

  async function openStream(
    target: Endpoint,
    signal?: AbortSignal,
  ): Promise<Result<Duplex, Problem>> {
    let isWanted = true;
    const opened = new Promise<Result<Duplex, Problem>>((resolve) => {
      try {
        client.forwardOut(ORIGIN.host, ORIGIN.port, target.host, target.port, (cause, channel) => {
          if (cause) resolve(err(channelRefused(cause, target)));
          else if (isWanted) resolve(ok(guarded(channel)));
          else channel.destroy(); // came after everybody had gone
        });
      } catch (cause) {
        resolve(err(notConnected(cause)));
      }
    });
    const stopped = new Promise<Result<Duplex, Problem>>((resolve) => {
      const stop = (): void =>
        resolve(err(problem('aborted', 'Opening the connection was stopped.')));
      signal?.addEventListener('abort', stop, { once: true });
      if (signal?.aborted === true) stop();
      void opened.then(() => signal?.removeEventListener('abort', stop));
    });
    const result = await untilEnd(Promise.race([opened, stopped]), closed, err);
    isWanted = result.ok;
    return result;
  }

  async function listenOnBox(
    at: Endpoint,
    accept: (stream: Duplex) => void,
  ): Promise<Result<RemoteListener, Problem>> {
    const key = keyOf(at);
    if (listeners.has(key)) return err(boxPortRefused(at, 'already forwarded on this connection'));
    listeners.set(key, accept);
    const asked = new Promise<Result<RemoteListener, Problem>>((resolve) => {
      try {
        client.forwardIn(at.host, at.port, (cause) =>
          resolve(cause ? err(boxPortRefused(at, cause.message)) : ok({ close })),
        );
      } catch (cause) {
        resolve(err(notConnected(cause)));
      }
    });
    const result = await untilEnd(asked, closed, err);
    if (!result.ok) listeners.delete(key);
    return result;

    async function close(): Promise<void> {
      listeners.delete(key);
      const answered = new Promise<void>((resolve) => {
        try {
          client.unforwardIn(at.host, at.port, () => resolve());
        } catch {
          resolve(); // the connection is gone, and the box's listener with it
        }
      });
      await untilEnd(answered, closed, () => undefined);
    }
  }

  return { openStream, listenOnBox };
}

function keyOf({ host, port }: Endpoint): string {
  return `${host}:${String(port)}`;
}

/** Servers answer with the address that was asked for, or with the one they made of it: the port decides. */
function findListener(
  listeners: ReadonlyMap<string, (stream: Duplex) => void>,
  { destIP, destPort }: TcpConnectionDetails,
): ((stream: Duplex) => void) | undefined {
  const exact = listeners.get(keyOf({ host: destIP, port: destPort }));
  if (exact !== undefined) return exact;
  const suffix = `:${String(destPort)}`;
  const [same] = [...listeners].filter(([key]) => key.endsWith(suffix));
  return same?.[1];
}

function acceptStream(accept: AcceptConnection<ClientChannel>): Duplex {
  return guarded(accept());
}

/** A channel's error is followed by its close, and the close is what everybody waits for. */
function guarded(channel: ClientChannel): ClientChannel {
  channel.on('error', () => undefined);
  // Nothing reads the second output of a forwarded channel; unread, it would hold back the channel's close.
  channel.stderr.resume();
  return channel;
}

function channelRefused(cause: Error, target: Endpoint): Problem {
  const where = describeEndpoint(target);
  const detail = cause.message;
  switch ((cause as { reason?: unknown }).reason) {
    case PROHIBITED:
    case UNKNOWN_CHANNEL_TYPE: // a gateway that knows sessions and nothing else
      return problem('forward-refused', `The box does not allow a tunnel to ${where}.`, { detail });
    case CONNECT_FAILED:
      return problem('target-refused', `Nothing on the box answers at ${where}.`, { detail });
    case RESOURCE_SHORTAGE:
      return problem('channel-refused', 'The box has no room for another connection right now.', {
        detail,
      });
    default:
      return problem('channel-refused', `The box refused a connection to ${where}.`, { detail });
  }
}

function boxPortRefused({ host, port }: Endpoint, detail: string): Problem {
  return problem(
    'box-port-refused',
    `The box does not listen at ${host}:${String(port)}: the port is taken there, or its SSH server forbids it.`,
    { detail },
  );
}

function notConnected(cause: unknown): Problem {
  return problem('not-connected', 'The box is not connected.', {
    detail: String((cause as { message?: unknown }).message ?? cause),
  });
}
