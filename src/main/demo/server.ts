import { setMaxListeners } from 'node:events';
import { createServer, connect, type Server as TcpServer, type Socket } from 'node:net';
import { timingSafeEqual } from 'node:crypto';
import ssh2, {
  type AuthContext,
  type Connection,
  type ParsedKey,
  type ServerChannel,
  type TcpipRequestInfo,
} from 'ssh2';
import type { Log } from '../log/log.ts';
import type { LoopbackAddress } from './port-owner.ts';
import { serveRemoteForwards } from './remote-forwards.ts';

export interface BoxServerOptions {
  readonly user: string;
  /** SECURITY: the one key that may log in. */
  readonly clientKey: ParsedKey;
  /** A private key as OpenSSH writes it. */
  readonly hostKey: string;
  readonly serveSession: (session: ssh2.Session, gone: AbortSignal) => void;
  /** Takes a channel to the box's own TensorBoard. */
  readonly serveTensorboard: (channel: ServerChannel) => void;
  readonly tensorboardPort: number;
  /** Where on the loopback a port is the box's and nobody else's. */
  readonly ownedAt: (port: number) => Promise<readonly LoopbackAddress[]>;
  readonly log: Log;
}

const LOOPBACK = '127.0.0.1';
const LOOPBACK_NAMES = ['localhost', LOOPBACK, '::1'];

/** sshd's own limit (MaxSessions), so that the app learns to live with it. */
const MAX_SESSIONS = 10;

const LOGIN_GRACE_MS = 30_000;
const MAX_LOGIN_TRIES = 6;

// ssh2 would ping clients and hang up on silent ones after a minute; sshd does neither unless told to.
const NO_KEEPALIVE_MS = 2 ** 31 - 1;

/** The SSH server of the demo box: sshd's behaviour as far as clients can see it, on the loopback only. */
export class BoxServer {
  readonly #options: BoxServerOptions;
  readonly #listener: TcpServer;
  readonly #sockets = new Set<Socket>();
  /** Accepted while the link is half-open: connected, but nobody answers. */
  readonly #waiting = new Set<Socket>();
  #ssh: ssh2.Server;
  #isHalfOpen = false;
  #port = 0;

  constructor(options: BoxServerOptions) {
    this.#options = options;
    this.#ssh = this.#createSsh(options.hostKey);
    this.#listener = createServer((socket) => this.#meet(socket));
  }

  get host(): string {
    return LOOPBACK;
  }

  /** Begins to answer, and returns the port that the system chose. */
  async start(): Promise<number> {
    await this.#listen(0);
    return this.#port;
  }

  /** Cuts every connection. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Stops reading and writing on every connection without closing any; and back, with nothing lost. */
  setHalfOpen(isHalfOpen: boolean): void {
    if (this.#isHalfOpen === isHalfOpen) return;
    this.#isHalfOpen = isHalfOpen;
    for (const socket of this.#sockets) {
      if (isHalfOpen) freeze(socket);
      else thaw(socket);
    }
    if (isHalfOpen) return;
    for (const socket of this.#waiting) this.#ssh.injectSocket(socket);
    this.#waiting.clear();
  }

  /** Later connections meet this host key. */
  useHostKey(hostKey: string): void {
    this.#ssh = this.#createSsh(hostKey);
  }

  /** Cuts every connection and refuses new ones, as a machine that is down. */
  async goDown(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#listener.close(() => resolve()));
    this.drop();
    await closed;
  }

  /** Answers again, on the same port; false while another program has taken it. */
  async comeUp(): Promise<boolean> {
    try {
      await this.#listen(this.#port);
      return true;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
      throw cause;
    }
  }

  async #listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#listener.once('error', reject);
      // SECURITY: the loopback only. What is behind this port runs commands as the user of the app.
      this.#listener.listen({ host: LOOPBACK, port }, () => {
        this.#listener.off('error', reject);
        resolve();
      });
    });
    const address = this.#listener.address();
    if (address === null || typeof address === 'string') throw new Error('not a TCP listener');
    this.#port = address.port;
  }

  #meet(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#waiting.delete(socket);
    });
    // Clients vanish; ssh2 listens for errors only once it has the socket.
    socket.on('error', () => socket.destroy());
    if (this.#isHalfOpen) {
      freeze(socket);
      this.#waiting.add(socket);
    } else {
      this.#ssh.injectSocket(socket);
    }
  }

  #createSsh(hostKey: string): ssh2.Server {
    const server = new ssh2.Server({ hostKeys: [hostKey], keepaliveInterval: NO_KEEPALIVE_MS });
    server.on('connection', (client) => this.#serve(client));
    return server;
  }

  #serve(client: Connection): void {
    const { log } = this.#options;
    const gone = new AbortController();
    const grace = setTimeout(() => client.end(), LOGIN_GRACE_MS);
    let tries = 0;
    client.on('close', () => {
      clearTimeout(grace);
      gone.abort();
    });
    client.on('error', (cause) =>
      log.debug('a connection to the demo box broke', { cause: cause.message }),
    );
    client.on('authentication', (attempt) => {
      tries += 1;
      if (tries > MAX_LOGIN_TRIES) client.end();
      else this.#judge(attempt);
    });
    client.on('ready', () => {
      clearTimeout(grace);
      this.#serveChannels(client, gone.signal);
    });
  }

  /** SECURITY: the one user with the one key and a valid signature; every other way in is refused. */
  #judge(attempt: AuthContext): void {
    const { user, clientKey } = this.#options;
    if (attempt.method !== 'publickey' || attempt.username !== user) {
      attempt.reject(['publickey']);
      return;
    }
    const known = clientKey.getPublicSSH();
    const { key, blob, signature, hashAlgo } = attempt;
    const isKnown =
      key.algo === clientKey.type &&
      key.data.length === known.length &&
      timingSafeEqual(key.data, known);
    // Without a signature the client only asks whether the key would do; ssh2 then answers that and nothing more.
    // Typed as a boolean, but a malformed signature gives an Error.
    const verdict: unknown =
      signature === undefined ||
      (blob !== undefined && clientKey.verify(blob, signature, hashAlgo));
    if (isKnown && verdict === true) attempt.accept();
    else attempt.reject(['publickey']);
  }

  #serveChannels(client: Connection, gone: AbortSignal): void {
    // Each session listens, and the forwards.
    setMaxListeners(MAX_SESSIONS + 1, gone);
    let sessions = 0;
    client.on('session', (accept, reject) => {
      if (sessions >= MAX_SESSIONS) {
        reject();
        return;
      }
      sessions += 1;
      const session = accept();
      session.once('close', () => (sessions -= 1));
      this.#options.serveSession(session, gone);
    });
    client.on('tcpip', (accept, reject, info) => void this.#tunnel(accept, reject, info));
    serveRemoteForwards(client, gone);
  }

  async #tunnel(
    accept: () => ServerChannel,
    reject: () => void,
    { destIP, destPort }: TcpipRequestInfo,
  ): Promise<void> {
    // SECURITY: never a way to other machines, or to what else listens on this one.
    if (!LOOPBACK_NAMES.includes(destIP)) {
      reject();
      return;
    }
    if (destPort === this.#options.tensorboardPort) {
      this.#options.serveTensorboard(accept());
      return;
    }
    const owned = await this.#options.ownedAt(destPort);
    const meant = owned.filter((address) => destIP === 'localhost' || destIP === address);
    joinFirst(meant, destPort, { accept, reject });
  }
}

interface Answer {
  readonly accept: () => ServerChannel;
  readonly reject: () => void;
}

/** As sshd does with a name of several addresses: where nothing answers at one, the next is tried. */
function joinFirst(
  [address, ...rest]: readonly LoopbackAddress[],
  port: number,
  { accept, reject }: Answer,
): void {
  if (address === undefined) {
    reject();
    return;
  }
  const socket = connect({ host: address, port });
  const next = (): void => joinFirst(rest, port, { accept, reject });
  socket.once('error', next);
  socket.once('connect', () => {
    socket.off('error', next);
    const channel = accept();
    socket.on('error', () => channel.end());
    channel.on('close', () => socket.destroy());
    socket.pipe(channel);
    channel.pipe(socket);
  });
}

function freeze(socket: Socket): void {
  socket.pause();
  socket.cork();
}

function thaw(socket: Socket): void {
  socket.uncork();
  socket.resume();
}
