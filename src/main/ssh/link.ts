import { backoffMs } from '../../shared/boxes/backoff.ts';
import type { Box, LinkState } from '../../shared/boxes/box.ts';
import { problem, type Problem, type ProblemCode } from '../../shared/problem.ts';
import { err, type Result } from '../../shared/result.ts';
import type { Log } from '../log/log.ts';
import type { Credentials } from './credentials.ts';
import type { OfferedHostKey, StoredHostKey } from './host-key.ts';
import type { Machine } from './open-route.ts';
import type { ProxyOptions } from './proxy-way.ts';
import type { SshConnection } from './ssh-connection.ts';
import type { OpenWay } from './way.ts';

/** Which key each machine had when the person trusted it: a box by its id, a jump host by its place on the way. */
export interface HostKeyStore {
  /** Null: none was ever trusted. A key that cannot be read is a problem, never null. */
  current(machineId: string): Result<StoredHostKey | null, Problem>;
  store(machineId: string, key: OfferedHostKey, atMs: number): Result<null, Problem>;
}

export interface LinkOptions {
  readonly box: Box;
  readonly hostKeys: HostKeyStore;
  readonly gatherCredentials: (box: Box) => Promise<Result<Credentials, Problem>>;
  readonly proxyPassword: ProxyOptions['password'];
  readonly log: Log;
  /** Called on each change, after `state` and `connection` are set. */
  readonly onChange: (state: LinkState) => void;
}

/** Trying these again by itself would not help, or would lock an account. */
const NEEDS_PERSON: readonly ProblemCode[] = [
  'auth-refused',
  'no-credentials',
  'host-key-changed',
  'proxy-login-refused',
  'proxy-password-missing',
];

interface Refused {
  readonly machine: Machine;
  readonly offered: OfferedHostKey;
  readonly stored: StoredHostKey | null;
}

/** The SSH connection to one box over time: connects, watches, reconnects; says what it is doing. */
export class Link {
  readonly #options: LinkOptions;
  #box: Box;
  #state: LinkState = { kind: 'idle' };
  #connection: SshConnection | null = null;
  /** Ends the current try and everything that belongs to it. */
  #stopper: AbortController | null = null;
  /** The key that ended the last try, beside the one that was expected. */
  #refused: Refused | null = null;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#box = options.box;
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Set exactly while the link is up. */
  get connection(): SshConnection | null {
    return this.#connection;
  }

  /** Connects, or tries again at once; a link that is up or trying stays as it is. */
  connect(): void {
    if (this.#state.kind === 'up' || this.#state.kind === 'connecting') return;
    this.#tryNow(1);
  }

  disconnect(): void {
    this.#stop();
    this.#enter({ kind: 'idle' });
  }

  /** The box is reached another way from now on. A link that was up or wanted is made anew. */
  moveTo(box: Box): void {
    const isWanted = this.#state.kind !== 'idle';
    this.disconnect();
    this.#box = box;
    if (isWanted) this.connect();
  }

  /** Stores the key that the person has just compared, if the server still offers that very one. */
  trustHostKey(fingerprint: string): Result<null, Problem> {
    const refused = this.#refused;
    if (this.#state.kind !== 'host-key-unknown' || refused?.offered.fingerprint !== fingerprint) {
      return err(problem('host-key-unknown', `${this.#box.name} no longer offers that key.`));
    }
    const { machine, offered } = refused;
    const stored = this.#options.hostKeys.store(machine.box.id, offered, Date.now());
    if (stored.ok) this.#tryNow(1);
    return stored;
  }

  #tryNow(attempt: number): void {
    this.#stop();
    const stopper = new AbortController();
    this.#stopper = stopper;
    this.#refused = null;
    this.#enter({ kind: 'connecting', attempt, sinceMs: Date.now() });
    void this.#run(attempt, stopper.signal);
  }

  #stop(): void {
    this.#stopper?.abort();
    this.#stopper = null;
    this.#connection?.close();
    this.#connection = null;
  }

  async #run(attempt: number, signal: AbortSignal): Promise<void> {
    const opened = await this.#open(signal);
    if (signal.aborted) {
      if (opened.ok) opened.value.close();
      return;
    }
    if (!opened.ok) {
      this.#settle(opened.error, attempt, signal);
      return;
    }
    const connection = opened.value;
    this.#connection = connection;
    this.#enter({ kind: 'up', sinceMs: Date.now(), latencyMs: connection.latencyMs });
    const reason = await connection.closed;
    if (signal.aborted) return;
    this.#connection = null;
    this.#settle(reason, 1, signal);
  }

  async #open(signal: AbortSignal): Promise<Result<SshConnection, Problem>> {
    const { openAlongRoute } = await import('./open-route.ts');
    return openAlongRoute(this.#box, {
      logIn: (machine, openWay) => this.#logIn(machine, openWay, signal),
      proxyPassword: this.#options.proxyPassword,
    });
  }

  async #logIn(
    machine: Machine,
    openWay: OpenWay,
    signal: AbortSignal,
  ): Promise<Result<SshConnection, Problem>> {
    const { gatherCredentials, hostKeys } = this.#options;
    const { address, id, options } = machine.box;
    const stored = hostKeys.current(id);
    if (!stored.ok) return stored;
    const credentials = await gatherCredentials(machine.box);
    if (!credentials.ok) return credentials;
    // Loaded with the first connection: the SSH library takes longer to load than the window to open.
    const { openConnection } = await import('./ssh-connection.ts');
    return openConnection({
      address,
      openWay,
      keepaliveEveryS: options.keepaliveEveryS,
      credentials: credentials.value,
      judgeHostKey: (offered) => this.#judge(machine, offered, stored.value),
      signal,
    });
  }

  /** SECURITY: only a key that the person trusted for this machine is accepted; any other ends the try before login. */
  #judge(
    machine: Machine,
    offered: OfferedHostKey,
    stored: StoredHostKey | null,
  ): 'accept' | 'refuse' {
    if (stored?.publicKey === offered.publicKey) return 'accept';
    this.#refused = { machine, offered, stored };
    return 'refuse';
  }

  /** What follows a try that failed or a connection that went: a question, a stop, or another try. */
  #settle(reason: Problem, attempt: number, signal: AbortSignal): void {
    this.#options.log.info('link went down', {
      box: this.#box.name,
      code: reason.code,
      detail: reason.detail ?? '',
    });
    const nowMs = Date.now();
    if (this.#refused !== null) {
      this.#enter(questionAbout(this.#refused));
      return;
    }
    if (NEEDS_PERSON.includes(reason.code)) {
      this.#enter({ kind: 'down', sinceMs: nowMs, problem: reason });
      return;
    }
    const waitMs = backoffMs(attempt, Math.random());
    this.#enter({ kind: 'waiting', attempt, retryAtMs: nowMs + waitMs, problem: reason });
    const timer = setTimeout(() => this.#tryNow(attempt + 1), waitMs);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  #enter(state: LinkState): void {
    this.#state = state;
    this.#options.onChange(state);
  }
}

function questionAbout({ machine, offered, stored }: Refused): LinkState {
  const { jumpHost } = machine;
  const shown = { type: offered.type, fingerprint: offered.fingerprint };
  if (stored === null) return { kind: 'host-key-unknown', offered: shown, jumpHost };
  return {
    kind: 'host-key-changed',
    offered: shown,
    stored: { type: stored.type, fingerprint: stored.fingerprint },
    storedAtMs: stored.storedAtMs,
    jumpHost,
  };
}
