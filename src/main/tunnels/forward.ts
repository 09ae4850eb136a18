import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, unreachable, type Result } from '../../shared/result.ts';
import type { Endpoint, Tunnel } from '../../shared/tunnels/tunnel.ts';
import type { Forwards } from '../ssh/forwards.ts';
import { join, prepare, type TrafficCounter } from './join.ts';
import { listenHere, LOOPBACK, type ListenFailure, type Listener } from './listener.ts';
import { SocksHandshake, type SocksStep } from './socks.ts';

/** A SOCKS client says what it wants at once; one that does not holds a socket for nothing. */
const HANDSHAKE_TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 15_000;

/** Where the streams of a tunnel come from: the link itself, or a faster way beside it. */
export type OpenStream = Forwards['openStream'];

export interface ForwardOptions {
  readonly tunnel: Tunnel;
  readonly openStream: OpenStream;
  readonly listenOnBox: Forwards['listenOnBox'];
  readonly counter: TrafficCounter;
  /** A connection through the tunnel could not be made, and why. */
  readonly onRefused: (reason: Problem) => void;
}

/** What the connections of one forward share: its options, and how to cut each of them. */
interface Forward extends ForwardOptions {
  readonly cuts: Set<() => void>;
}

/** Opens the tunnel's listener, here or on the box. Closing it frees the port and cuts its connections. */
export async function openForward(
  options: ForwardOptions,
): Promise<Result<Listener, ListenFailure>> {
  const forward: Forward = { ...options, cuts: new Set() };
  const opened = await openListener(forward);
  if (!opened.ok) return opened;
  return ok({
    close: async () => {
      const closed = opened.value.close();
      // After the listener, so that no connection slips in; and not only its socket: a channel whose far end takes
      // nothing more would wait for it without end.
      for (const cut of [...forward.cuts]) cut();
      await closed;
    },
  });
}

function openListener(forward: Forward): Promise<Result<Listener, ListenFailure>> {
  const { kind, listenPort, isExposed, target } = forward.tunnel;
  switch (kind) {
    case 'local':
      return listenHere(listenPort, isExposed, (socket) => {
        if (target !== null) void lead(socket, target, forward);
      });
    case 'dynamic':
      return listenHere(listenPort, isExposed, (socket) => serveSocks(socket, forward));
    case 'remote':
      return openRemote(forward);
    default:
      return unreachable(kind);
  }
}

/** Leads a paused socket to the box. What its client sends meanwhile waits in the system's buffers. */
async function lead(socket: Socket, target: Endpoint, forward: Forward): Promise<void> {
  const stream = await openFor(socket, target, forward);
  if (stream === null) socket.resetAndDestroy(); // a reset, as if the port itself had refused: never an empty answer
  else joinPaused(socket, stream, forward);
}

async function openFor(
  socket: Socket,
  target: Endpoint,
  { openStream, onRefused }: Pick<Forward, 'openStream' | 'onRefused'>,
): Promise<Duplex | null> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  socket.once('close', leave);
  const opened = await openStream(target, gone.signal);
  socket.off('close', leave);
  if (!opened.ok) {
    if (opened.error.code !== 'aborted') onRefused(opened.error);
    return null;
  }
  if (!socket.destroyed) return opened.value;
  opened.value.destroy();
  return null;
}

function joinPaused(asking: Duplex, answering: Duplex, { counter, cuts }: Forward): void {
  const cut = join(asking, answering, {
    ...counter,
    closed: () => {
      cuts.delete(cut);
      counter.closed();
    },
  });
  cuts.add(cut);
  asking.resume();
}

function serveSocks(socket: Socket, forward: Forward): void {
  const handshake = new SocksHandshake();
  const refuse = (bytes: Uint8Array): void => {
    socket.off('data', read);
    socket.end(bytes, () => socket.destroy());
  };
  const read = (chunk: Buffer): void => {
    let step = handshake.push(chunk);
    while (step.kind === 'reply') {
      socket.write(step.bytes);
      step = handshake.push(new Uint8Array());
    }
    if (step.kind === 'refuse') refuse(step.bytes);
    if (step.kind === 'connect') {
      socket.off('data', read);
      socket.pause();
      socket.setTimeout(0);
      void connectFor(socket, step, forward);
    }
  };
  socket.setTimeout(HANDSHAKE_TIMEOUT_MS, () => socket.destroy());
  socket.on('data', read);
  socket.resume();
}

async function connectFor(
  socket: Socket,
  { target, granted, denied, rest }: SocksStep & { kind: 'connect' },
  forward: Forward,
): Promise<void> {
  const stream = await openFor(socket, target, {
    openStream: forward.openStream,
    // The program that named the target hears of it; of the tunnel it says nothing, unless the box forbids all of them.
    onRefused: (reason) => reason.code === 'forward-refused' && forward.onRefused(reason),
  });
  if (stream === null) {
    socket.end(denied, () => socket.destroy());
    return;
  }
  socket.write(granted);
  if (rest.length > 0) stream.write(rest);
  joinPaused(socket, stream, forward);
}

async function openRemote(forward: Forward): Promise<Result<Listener, ListenFailure>> {
  const { tunnel, listenOnBox } = forward;
  const { target } = tunnel;
  const host = tunnel.isExposed ? '' : LOOPBACK; // '' asks for all addresses (RFC 4254 7.1)
  const opened = await listenOnBox({ host, port: tunnel.listenPort }, (stream) => {
    if (target === null) stream.destroy();
    else void meet(stream, target, forward);
  });
  return opened.ok ? opened : err({ kind: 'failed', problem: opened.error });
}

/** Leads a connection that the box took to the program here. */
async function meet(stream: Duplex, target: Endpoint, forward: Forward): Promise<void> {
  stream.pause();
  const dialled = await dialHere(target);
  if (dialled.ok) {
    joinPaused(stream, dialled.value, forward);
  } else {
    forward.onRefused(dialled.error);
    stream.destroy();
  }
}

/** To the program on this machine that a remote forward leads to. */
function dialHere({ host, port }: Endpoint): Promise<Result<Socket, Problem>> {
  return new Promise((resolve) => {
    const socket = prepare(connect({ host, port, noDelay: true, allowHalfOpen: true }));
    const refuse = (detail: string): void => {
      socket.destroy();
      resolve(err(hereRefused({ host, port }, detail)));
    };
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => refuse('did not answer in time'));
    socket.once('error', ({ message }) => refuse(message));
    socket.once('connect', () => {
      socket.setTimeout(0);
      resolve(ok(socket));
    });
  });
}

function hereRefused({ host, port }: Endpoint, detail: string): Problem {
  return problem('target-refused', `Nothing on this side answers at ${host}:${String(port)}.`, {
    nextStep: 'Start the program here, or correct host and port of the tunnel.',
    detail,
  });
}
