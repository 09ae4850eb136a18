import type { Client } from 'ssh2';

/** Every server takes 32 KiB in one packet; with less than this, a large input would be a flood of packets of our own. */
const MIN_PACKET_BYTES = 256;

interface OpenedChannel {
  readonly incoming: { readonly window: number };
}
type Handler = (protocol: unknown, ...values: readonly unknown[]) => void;

/** ssh2 keeps both to itself. */
interface Internals {
  readonly _protocol: { readonly _handlers: Record<string, Handler | undefined> };
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
  const { _protocol, _chanMgr } = client as unknown as Internals;
  const { _handlers } = _protocol;

  function guard(message: string, lieIn: (...values: readonly unknown[]) => string | null): void {
    const handle = _handlers[message];
    if (handle === undefined) throw new Error(`ssh2 does not handle ${message} as it used to`);
    _handlers[message] = (protocol, ...values) => {
      const lie = lieIn(...values);
      if (lie === null) handle(protocol, ...values);
      else onLie(new Error(`The server broke the SSH protocol: ${lie}.`));
    };
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
