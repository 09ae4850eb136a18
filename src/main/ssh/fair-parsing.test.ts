import { EventEmitter, once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import ssh2, { Client, type ClientChannel, type Connection } from 'ssh2';
import { afterEach, describe, expect, it } from 'vitest';
import { parseInTurns, PIECE_BYTES as PIECE } from './fair-parsing.ts';
import { TEST_HOST_KEY } from './login-server.fixture.ts';
import { number, sendRaw, socketOf } from './raw-packets.fixture.ts';

/** A client of which each piece takes so many milliseconds; what it parses is heard. */
function slowClient(msOfPiece: number) {
  let nowMs = 0;
  /** How often it has begun to parse: in between, others have a turn. */
  let run = 0;
  const parsed: { readonly bytes: number; readonly run: number }[] = [];
  const socket = new PassThrough();
  const isUsable: unknown = true;
  const client = Object.assign(new EventEmitter(), {
    _sock: socket,
    destroy: () => undefined,
    _protocol: {
      _destruct: isUsable,
      _remoteIdentRaw: Buffer.from('SSH-2.0-x'),
      parse: (chunk: Buffer, from: number, to: number) => {
        nowMs += msOfPiece;
        parsed.push({ bytes: to - from, run });
        queueMicrotask(() => (run = parsed.length));
        if (chunk[from] === 1) throw new Error('broken');
        if (chunk[from] === 2) socket.destroy();
      },
    },
  });
  parseInTurns(client as never, () => nowMs);
  socket.on('data', (chunk: Buffer) => client._protocol.parse(chunk, 0, chunk.length));
  return {
    client,
    socket,
    parsed,
    /** Lets main have another turn. */
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

describe('what a server sends', () => {
  it('is parsed at once as long as that takes no time', async () => {
    const { socket, parsed, turn } = slowClient(0);
    socket.write(Buffer.alloc(10 * PIECE));
    await turn();
    expect(parsed.map(({ run }) => run)).toEqual(Array.from({ length: 10 }, () => 0));
  });

  it('lets others have a turn after eight milliseconds, and is all parsed in the end, in order', async () => {
    const { socket, parsed, turn } = slowClient(5);
    socket.write(Buffer.alloc(3 * PIECE));
    socket.write(Buffer.alloc(2 * PIECE + 7));
    while (parsed.length < 6) await turn();
    expect(parsed.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(5 * PIECE + 7);
    expect(parsed.map(({ run }) => run)).toEqual([0, 0, 2, 2, 4, 4]);
    // It is heard again.
    socket.write(Buffer.alloc(1));
    while (parsed.length < 7) await turn();
  });

  it('is heard no more by a connection that broke while it waited', async () => {
    const { client, socket, parsed, turn } = slowClient(20);
    socket.write(Buffer.alloc(5 * PIECE));
    await turn();
    client._protocol._destruct = undefined;
    const { length } = parsed;
    await turn();
    await turn();
    await turn();
    expect(parsed).toHaveLength(length);
  });

  it('has its turns also where its end came right behind it, which is told after it', async () => {
    const { socket, parsed, turn } = slowClient(5);
    let heardBefore = -1;
    socket.on('end', () => (heardBefore = parsed.length));
    socket.end(Buffer.alloc(6 * PIECE));
    while (heardBefore === -1) await turn();
    expect(heardBefore).toBe(6);
    expect(parsed.map(({ run }) => run)).toEqual([0, 0, 2, 2, 4, 4]);
  });

  it('is heard before what broke the connection, also what nobody has taken from the socket yet', async () => {
    const { socket, parsed, turn } = slowClient(20);
    let heardBefore = -1;
    socket.on('error', () => (heardBefore = parsed.length));
    socket.write(Buffer.alloc(3 * PIECE));
    await turn();
    socket.write(Buffer.alloc(2 * PIECE));
    socket.destroy(new Error('reset'));
    while (heardBefore === -1) await turn();
    expect(heardBefore).toBe(5);
  });

  it('is heard no more after we have hung up, also where its end came before', async () => {
    const { client, socket, parsed, turn } = slowClient(20);
    let isOver = false;
    socket.on('close', () => (isOver = true));
    socket.end(Buffer.alloc(5 * PIECE));
    while (parsed.length < 2) await turn();
    client.destroy();
    const { length } = parsed;
    while (!isOver) await turn();
    expect(parsed).toHaveLength(length);
  });

  it('is heard no more, within the same turn, after we have hung up', async () => {
    const { socket, parsed, turn } = slowClient(0);
    socket.write(Buffer.concat([Buffer.alloc(PIECE), Buffer.alloc(PIECE, 2), Buffer.alloc(PIECE)]));
    await turn();
    expect(parsed).toHaveLength(2);
  });

  it('ends the connection where it is broken, also in a later turn', async () => {
    const { client, socket, parsed, turn } = slowClient(20);
    const errors: unknown[] = [];
    client.on('error', (cause) => errors.push(cause));
    socket.write(Buffer.concat([Buffer.alloc(PIECE), Buffer.alloc(PIECE, 1), Buffer.alloc(PIECE)]));
    while (errors.length === 0) await turn();
    expect(parsed).toHaveLength(2);
    expect(errors).toEqual([new Error('broken')]);
    expect(socket.writableEnded).toBe(true);
  });
});

/** A real client of which each piece takes a turn. */
function realClient() {
  const client = new Client();
  let nowMs = 0;
  let parsed = 0;
  return {
    client,
    parsed: () => parsed,
    socket: () => (client as unknown as { readonly _sock: Socket })._sock,
    connect: (port: number): void => {
      client.connect({ host: '127.0.0.1', port, username: 'u', password: 'p' });
      const { _protocol } = client as unknown as {
        readonly _protocol: { parse(...values: readonly unknown[]): void };
      };
      const parse = _protocol.parse.bind(_protocol);
      _protocol.parse = (...values) => {
        nowMs += 20;
        parsed += 1;
        parse(...values);
      };
      parseInTurns(client, () => nowMs);
    },
  };
}

describe('what a real server sends', () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  /** Lets everybody in and offers one cipher: Node's own code frees it, where it is built. */
  async function serve(onClient: (server: Connection) => void): Promise<number> {
    const server = new ssh2.Server(
      {
        hostKeys: [TEST_HOST_KEY],
        algorithms: { cipher: ['chacha20-poly1305@openssh.com'] },
      },
      (client) => {
        client.on('error', () => undefined).on('authentication', (each) => each.accept());
        onClient(client);
      },
    ).listen(0, '127.0.0.1');
    ends.push(() => new Promise((resolve) => server.close(resolve)));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  /** Some seven pieces, in one go, of packets that carry nothing. */
  function sendNothings(server: Connection): void {
    for (let n = 0; n < 700; n += 1) sendRaw(server, Buffer.concat([Buffer.of(2), number(0)]));
  }

  it('is all heard before the end that came right behind it', async () => {
    const port = await serve((server) => {
      server.on('session', (accept) =>
        accept().on('exec', (acceptExec) => {
          const socket = socketOf(server);
          const channel = acceptExec();
          socket.cork();
          sendNothings(server);
          channel.exit(7);
          channel.close();
          socket.uncork();
          socket.end();
        }),
      );
    });
    const { client, connect } = realClient();
    client.on('error', () => undefined);
    const gone = once(client, 'close');
    const opened = new Promise<ClientChannel>((resolve, reject) => {
      client.on('ready', () =>
        client.exec('x', (cause, channel) => (cause ? reject(cause) : resolve(channel))),
      );
    });
    connect(port);
    let code: unknown = 'not told';
    (await opened).on('exit', (told: unknown) => (code = told)).resume();
    await gone;
    expect(code).toBe(7);
  });

  it('is all heard before what broke the connection', async () => {
    let sent = 0;
    const port = await serve((server) => {
      server.on('session', (accept) =>
        accept().on('exec', (acceptExec) => {
          const socket = socketOf(server);
          const channel = acceptExec();
          socket.cork();
          sendNothings(server);
          channel.exit(7);
          channel.close();
          socket.uncork();
          sent = socket.bytesWritten;
        }),
      );
    });
    const { client, connect, socket } = realClient();
    client.on('error', () => undefined);
    // Not `once` of node:events, which fails at the first error.
    const gone = new Promise<void>((resolve) => client.on('close', resolve));
    const opened = new Promise<ClientChannel>((resolve, reject) => {
      client.on('ready', () =>
        client.exec('x', (cause, channel) => (cause ? reject(cause) : resolve(channel))),
      );
    });
    connect(port);
    let code: unknown = 'not told';
    (await opened).on('exit', (told: unknown) => (code = told)).resume();
    while (socket().bytesRead < sent) await new Promise((next) => setImmediate(next));
    expect(code).toBe('not told');
    // As Node does it where it reads that the connection was reset.
    socket().destroy(new Error('reset'));
    await gone;
    expect(code).toBe(7);
  });

  it('is not deciphered after we have hung up, with what is freed by then', async () => {
    const port = await serve((server) => {
      server.on('session', () => {
        const socket = socketOf(server);
        socket.cork();
        sendNothings(server);
        socket.uncork();
      });
    });
    const { client, connect, socket, parsed } = realClient();
    client.on('error', () => undefined);
    const gone = once(client, 'close');
    connect(port);
    await once(client, 'ready');
    const paused = once(socket(), 'pause');
    client.exec('x', () => undefined);
    await paused;
    client.destroy();
    const before = parsed();
    await gone;
    for (let turns = 0; turns < 10; turns += 1) await new Promise((next) => setImmediate(next));
    expect(parsed()).toBe(before);
  });

  it('may be a greeting of many kilobytes, wherever the line ends in which it says who it is', async () => {
    const ident = 'SSH-2.0-long_winded\r\n';
    const lineOf = (bytes: number): string => `${'x'.repeat(bytes - 2)}\r\n`;
    // The line begins ten bytes before the third piece.
    const lines = Array.from({ length: 7 }, () => lineOf(1024)).join('');
    const greeting = Buffer.from(`${lines}${lineOf(1024 - 10)}${ident}`);
    const server = createServer((socket) => {
      socket.on('error', () => undefined).resume();
      socket.write(greeting);
    }).listen(0, '127.0.0.1');
    ends.push(() => new Promise((resolve) => server.close(resolve)));
    await once(server, 'listening');
    const { client, connect } = realClient();
    const told = Promise.race([
      once(client, 'greeting'),
      once(client, 'close').then(() => 'closed'),
    ]);
    connect((server.address() as AddressInfo).port);
    const [heard] = (await told) as readonly string[];
    expect(heard).toHaveLength(greeting.length - ident.length);
    client.destroy();
  });
});
