import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { pipeline, Transform } from 'node:stream';

/** A network between the app and a server, whose weather a test makes. */
export interface TcpProxy {
  readonly port: number;
  /** Each piece of data arrives this much later, in both directions. */
  delay(ms: number): void;
  /** Resets every connection; later ones are taken as before. */
  cut(): void;
  /** Nothing gets through any more and nothing closes, as when a laptop changes its network; and back. */
  freeze(isFrozen: boolean): void;
  /** Takes no new connections, as a machine that is down; and back, on the same port. */
  refuse(isRefusing: boolean): Promise<void>;
  /** Bytes that got through from the server to the app. */
  carriedBack(): number;
  stop(): Promise<void>;
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let delayMs = 0;
  let isFrozen = false;
  const nears: Socket[] = [];
  const held: (() => void)[] = [];

  /** Hands on what comes, later while the network is slow, and not before it thaws while it is frozen. */
  function weather(): Transform {
    return new Transform({
      transform(chunk, _encoding, done) {
        const pass = (): void => done(null, chunk);
        const arrive = (): void => {
          if (isFrozen) held.push(pass);
          else pass();
        };
        if (delayMs > 0) setTimeout(arrive, delayMs);
        else arrive();
      },
    });
  }

  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    // A cut is what these connections are for; the test looks at what it does to the app.
    pipeline(near, weather(), far, () => undefined);
    pipeline(far, weather(), near, () => undefined);
    nears.push(near);
  });

  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    cut();
    await once(server, 'close');
  };
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;

  return {
    port,
    delay: (ms) => (delayMs = ms),
    cut,
    freeze: (frozen) => {
      isFrozen = frozen;
      if (!frozen) for (const pass of held.splice(0)) pass();
    },
    refuse: (isRefusing) => (isRefusing ? close() : listen(port)),
    carriedBack: () => nears.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    stop: close,
  };
}
