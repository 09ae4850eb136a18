// Runs in Electron's own runtime, as main does: logs in and waits for the first byte that a command prints.
import { openConnection } from '../src/main/ssh/ssh-connection.ts';

export interface ConnectOrder {
  readonly ports: readonly number[];
  readonly user: string;
  readonly privateKey: string;
}

export interface ConnectFigures {
  /** From the order to the first byte from the last server. */
  readonly firstByteMs: number;
  /** The slowest log-in alone. */
  readonly loggedInMs: number;
}

process.on('message', (message) => {
  if (message === 'end') process.exit(0);
  void connectAll(message as ConnectOrder).then((figures) => process.send?.(figures));
});

async function connectAll({ ports, ...server }: ConnectOrder): Promise<ConnectFigures> {
  const startedMs = performance.now();
  const boxes = await Promise.all(ports.map((port) => connect(port, server, startedMs)));
  const firstByteMs = Math.max(...boxes.map((box) => box.firstByteMs));
  const loggedInMs = Math.max(...boxes.map((box) => box.loggedInMs));
  for (const { close } of boxes) await close();
  return { firstByteMs, loggedInMs };
}

async function connect(
  port: number,
  { user, privateKey }: Omit<ConnectOrder, 'ports'>,
  startedMs: number,
) {
  const opened = await openConnection({
    address: { host: '127.0.0.1', port, user },
    credentials: [{ kind: 'key', privateKey }],
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
  });
  if (!opened.ok) throw new Error(opened.error.detail ?? opened.error.message);
  const connection = opened.value;
  const loggedInMs = performance.now() - startedMs;
  const started = await connection.start('echo');
  if (!started.ok) throw new Error(started.error.detail ?? started.error.message);
  await started.value.stdout().next();
  const firstByteMs = performance.now() - startedMs;
  const close = (): Promise<unknown> => {
    connection.close();
    return connection.closed;
  };
  return { loggedInMs, firstByteMs, close };
}
