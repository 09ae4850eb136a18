import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** How a test proxy misbehaves; null: not at all. */
export type Mischief =
  | 'stall'
  | 'garbage'
  | 'refuse'
  | 'hang-up'
  | 'hang-up-later'
  | 'flood'
  | 'eager'
  | null;

export interface TestProxy {
  readonly port: number;
  /** Where it was asked to connect, in its own words. */
  readonly asked: readonly string[];
  /** How many of its connections are still open. */
  readonly open: () => number;
  /** How many it has taken so far. */
  readonly taken: () => number;
  stop(): Promise<void>;
}

export interface ProxyOptions {
  readonly protocol: 'socks5' | 'http';
  readonly mischief?: Mischief;
  readonly login?: { readonly user: string; readonly password: string };
}

/** A small real proxy on loopback. */
export async function startProxy(options: ProxyOptions): Promise<TestProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  let taken = 0;
  const server = createServer((socket) => {
    taken += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined); // the client may well reset it
    if (!misbehaveAtOnce(socket, options)) {
      void (options.protocol === 'http' ? serveHttp : serveSocks)(socket, options, asked);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    open: () => sockets.size,
    taken: () => taken,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function misbehaveAtOnce(socket: Socket, { mischief }: ProxyOptions): boolean {
  if (mischief === 'hang-up') socket.once('data', () => socket.end());
  else if (mischief === 'garbage') socket.write('SSH-2.0-not_a_proxy\r\n\r\n');
  else if (mischief === 'flood') socket.end('x'.repeat(100_000));
  else if (mischief !== 'stall') return false;
  socket.resume();
  return true;
}

async function serveHttp(socket: Socket, options: ProxyOptions, asked: string[]): Promise<void> {
  const head = (await readUntil(socket, (bytes) => bytes.includes('\r\n\r\n'))).toString('latin1');
  const [, target = ''] = /^CONNECT (\S+) /.exec(head) ?? [];
  asked.push(target);
  const { login, mischief } = options;
  const pair = login && Buffer.from(`${login.user}:${login.password}`).toString('base64');
  if (pair !== undefined && !head.includes(`Proxy-Authorization: Basic ${pair}\r\n`)) {
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
    return;
  }
  if (mischief === 'refuse') {
    socket.end('HTTP/1.1 403 For\u0007bidden\r\n\r\n<html>no</html>');
  } else if (mischief === 'hang-up-later') {
    socket.end('HTTP/1.1 200 Conn');
    socket.resume();
  } else {
    const [, host = '', port = ''] = /^\[?([^\]]*?)\]?:(\d+)$/.exec(target) ?? [];
    passOn(
      socket,
      { host, port: Number(port) },
      Buffer.from('HTTP/1.1 200 OK\r\nX: y\r\n\r\n'),
      mischief,
    );
  }
}

async function serveSocks(socket: Socket, options: ProxyOptions, asked: string[]): Promise<void> {
  const { login, mischief } = options;
  await readUntil(socket, (bytes) => bytes.length >= 2 + (bytes[1] ?? 0));
  socket.write(Buffer.from([5, login === undefined ? 0 : 2]));
  if (mischief === 'hang-up-later') {
    socket.end();
    socket.resume();
    return;
  }
  if (login !== undefined) {
    const said = await readUntil(socket, (bytes) => bytes.length >= 3);
    const parts = [login.user, login.password].map((text) => Buffer.from(text));
    const expected = Buffer.concat([
      Buffer.from([1]),
      ...parts.flatMap((part) => [Buffer.from([part.length]), part]),
    ]);
    const isRight = said.equals(expected);
    socket.write(Buffer.from([1, isRight ? 0 : 1]));
    if (!isRight) return;
  }
  const request = await readUntil(socket, (bytes) => bytes.length >= 10);
  const kind = request[3];
  const end = request.length - 2;
  const host =
    kind === 3
      ? request.subarray(5, end).toString('latin1')
      : kind === 1
        ? [...request.subarray(4, end)].join('.')
        : (request.subarray(4, end).toString('hex').match(/.{4}/g) ?? []).join(':');
  const port = request.readUInt16BE(end);
  asked.push(`${host} ${String(port)}`);
  if (mischief === 'refuse') socket.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0]));
  else passOn(socket, { host, port }, Buffer.from([5, 0, 0, 3, 2, 97, 98, 0, 0]), mischief);
}

/** `eager`: the answer and the server's first bytes come in one piece, cut where nobody expects it. */
function passOn(
  near: Socket,
  place: { readonly host: string; readonly port: number },
  answer: Buffer,
  mischief: Mischief = null,
): void {
  const far = connect({ ...place });
  far.on('error', () => near.destroy());
  near.on('close', () => far.destroy());
  far.on('close', () => near.end());
  if (mischief === 'eager') {
    near.write(answer.subarray(0, 3));
    far.once('data', (first) => {
      near.write(Buffer.concat([answer.subarray(3), first]));
      far.pipe(near).pipe(far);
    });
  } else {
    near.write(answer);
    far.pipe(near).pipe(far);
  }
}

function readUntil(socket: Socket, isEnough: (bytes: Buffer) => boolean): Promise<Buffer> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      if (!isEnough(bytes)) return;
      socket.off('data', onData);
      socket.pause();
      resolve(bytes);
    };
    socket.on('data', onData);
    socket.resume();
  });
}
