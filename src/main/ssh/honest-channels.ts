import type { Client } from 'ssh2';

/** Every server takes 32 KiB in one packet; with less than this, a large input would be a flood of packets of our own. */
const MIN_PACKET_BYTES = 256;

interface OpenedChannel {
  readonly incoming: { readonly window: number };
}
/** Who waits for an answer on the channel: false is a yes, true a no, and an error goes to the caller as it is. */
interface AskedChannel {
  _callbacks: readonly ((refused: boolean | Error) => void)[];
}
type Handler = (protocol: unknown, ...values: readonly unknown[]) => void;

/** ssh2 keeps both to itself. */
interface Internals {
  readonly _protocol: {
    readonly _handlers: Record<string, Handler | undefined>;
    channelClose(channel: number): void;
    channelWindowAdjust(channel: number, bytes: number): void;
  };
  readonly _chanMgr: { get(id: number): unknown };
}

/** What is left of the windows that ssh2 does not keep, by channel. */
const ownWindows = new WeakMap<object, () => number>();

/** From now on, `left` tells how much the server may still send on this channel, in place of what ssh2 believes. */
export function keepOwnWindow(channel: object, left: () => number): void {
  ownWindows.set(channel, left);
}

/**
 * SECURITY: ssh2 believes what a server says about the sizes of a channel. With packets of at most 0 bytes, it would write
 * empty ones without end and nothing else in this process would run; what is sent beyond the window, it would keep in
 * memory. `onLie` ends the connection.
 */
export function holdToSizes(client: Client, onLie: (cause: Error) => void): void {
  const { _chanMgr } = client as unknown as Internals;

  function guard(message: string, lieIn: (...values: readonly unknown[]) => string | null): void {
    wrapHandler(client, message, (handle, ...values) => {
      const lie = lieIn(...values);
      if (lie === null) handle();
      else onLie(new Error(`The server broke the SSH protocol: ${lie}.`));
    });
  }

  const tooSmall = (info: unknown): string | null =>
    (info as { packetSize: number }).packetSize < MIN_PACKET_BYTES
      ? 'it takes no packets of any useful size'
      : null;
  const tooMuch = (id: unknown, data: unknown): string | null => {
    const channel = _chanMgr.get(id as number);
    if (typeof channel !== 'object' || channel === null) return null; // not open: ssh2 drops it
    const left = ownWindows.get(channel)?.() ?? (channel as OpenedChannel).incoming.window;
    return (data as Buffer).length > left ? 'it sent more than it was allowed to' : null;
  };
  guard('CHANNEL_OPEN', tooSmall);
  guard('CHANNEL_OPEN_CONFIRMATION', tooSmall);
  // What comes as stderr is read at once, everywhere.
  guard('CHANNEL_DATA', tooMuch);
}

/**
 * RFC 4254 5.3: nothing is sent on a channel after its close. ssh2 still grants room for what comes in meanwhile. By then the
 * server may have given the channel's number to the next one, would send that much too much on it, and `holdToSizes` would
 * take it for a liar (ssh2 itself would drop those bytes).
 */
export function grantNothingAfterClose(client: Client): void {
  const { _protocol } = client as unknown as Internals;
  const closed = new Set<number>();
  const close = _protocol.channelClose.bind(_protocol);
  const adjustWindow = _protocol.channelWindowAdjust.bind(_protocol);
  _protocol.channelClose = (channel) => {
    closed.add(channel);
    close(channel);
  };
  _protocol.channelWindowAdjust = (channel, bytes) => {
    if (!closed.has(channel)) adjustWindow(channel, bytes);
  };
  for (const message of ['CHANNEL_OPEN', 'CHANNEL_OPEN_CONFIRMATION']) {
    wrapHandler(client, message, (handle, info) => {
      closed.delete((info as { sender: number }).sender);
      handle();
    });
  }
}

/** What the server was asked for on a session that it closed before it answered. */
export class SessionUnanswered extends Error {
  constructor() {
    super('The server closed the session before it answered.');
  }
}

/**
 * ssh2 says the same of a request that was refused and of one whose session was closed before an answer. After a refusal nothing was
 * done; a server that dies closes the session too, and what it was told may run.
 */
export function tellUnanswered(client: Client): void {
  const { _chanMgr } = client as unknown as Internals;
  wrapHandler(client, 'CHANNEL_CLOSE', (handle, id) => {
    const channel = _chanMgr.get(id as number);
    if (typeof channel === 'object' && channel !== null) {
      const asked = channel as AskedChannel;
      asked._callbacks = asked._callbacks.map((answer) => () => answer(new SessionUnanswered()));
    }
    handle();
  });
}

/** From now on `then` hears such a message first, and lets ssh2 handle it. */
export function wrapHandler(
  client: Client,
  message: string,
  then: (handle: () => void, ...values: readonly unknown[]) => void,
): void {
  const { _handlers } = (client as unknown as Internals)._protocol;
  const handle = _handlers[message];
  if (handle === undefined) throw new Error(`ssh2 does not handle ${message} as it used to`);
  _handlers[message] = (protocol, ...values) => then(() => handle(protocol, ...values), ...values);
}
