import { backoffMs } from '../../shared/boxes/backoff.ts';
import type { Box, LinkState } from '../../shared/boxes/box.ts';
import type { BoxIdentity } from '../../shared/boxes/host-key.ts';
import type { PlanRef } from '../../shared/plan/plan.ts';
import { problem, type Problem, type ProblemCode } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Log } from '../log/log.ts';
import type { Credentials } from './credentials.ts';
import type { HostKeyStore } from './host-key-store.ts';
import { jumpHostsTo, type Machine } from './open-route.ts';
import type { ProxyOptions } from './proxy-way.ts';
import { RouteGuards } from './route-guards.ts';
import type { ConnectOptions } from './single-connection.ts';
import type { SshConnection } from './ssh-connection.ts';
import type { OpenWay } from './way.ts';

export interface LinkOptions {
  readonly box: Box;
  readonly hostKeys: HostKeyStore;
  /** For the box, or for a jump host on the way to it. May ask the person; the signal takes the question back. */
  readonly gatherCredentials: (
    machine: Box,
    signal: AbortSignal,
    wayTo: Box,
  ) => Promise<Result<Credentials, Problem>>;
  readonly proxyPassword: ProxyOptions['password'];
  readonly log: Log;
  /** Bytes that came from the box itself, over any connection to it. */
  readonly onReceived?: (bytes: number) => void;
  /** Called on each change, after `state` and `connection` are set. */
  readonly onChange: (state: LinkState) => void;
}

/** Trying these again by itself would not help, or would lock an account. */
const NEEDS_PERSON: readonly ProblemCode[] = [
  'auth-refused',
  'no-credentials',
  'host-key-unproven',
  'host-key-unusable',
  'key-exchange-refused',
  'passphrase-wrong',
  'certificate-unsupported',
  'login-garbled',
  'question-dismissed',
  'proxy-login-refused',
  'proxy-password-missing',
];

/** The SSH connection to one box over time: connects, watches, reconnects; says what it is doing. */
export class Link {
  readonly #options: LinkOptions;
  #box: Box;
  #state: LinkState = { kind: 'idle' };
  #connection: SshConnection | null = null;
  /** Ends the current try and everything that belongs to it. */
  #stopper: AbortController | null = null;
  readonly #guards: RouteGuards;
  /** How far the current try is on its way to the first machine. */
  #reach: 'not-yet' | 'dialling' | 'done' = 'not-yet';
  /** Up, but asked whether it still is. */
  #doubted: SshConnection | null = null;

  constructor(options: LinkOptions) {
    this.#options = options;
    const { box, hostKeys, log } = options;
    this.#box = box;
    this.#guards = new RouteGuards({ hostKeys, log });
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
    this.#guards.drop();
    this.#enter({ kind: 'idle' });
  }

  /**
   * This machine slept, or its network changed: what was known of the way to the box is old. Nothing happens where a
   * person has to act: that is as true as before.
   */
  wake(): void {
    const connection = this.#connection;
    if (connection !== null) {
      void this.#prove(connection);
      return;
    }
    // Dialled over a network that is gone, it would find out when its time is over. A log-in may have a person waiting.
    const isStuck = this.#state.kind === 'connecting' && this.#reach === 'dialling';
    if (this.#state.kind === 'waiting' || isStuck) this.#tryNow(1);
  }

  /** The same machine at the same place, described anew. */
  describe(box: Box): void {
    this.#box = box;
    this.#guards.rename(this.#boxItself);
  }

  /** The box is reached another way from now on. A link that was up or wanted is made anew. */
  moveTo(box: Box): void {
    const isWanted = this.#state.kind !== 'idle';
    this.disconnect();
    this.#guards.clear();
    this.#box = box;
    if (isWanted) this.connect();
  }

  /** Stores the key that the person has just compared, if it is the one in question. */
  trustHostKey(fingerprint: string, expected = ''): Result<null, Problem> {
    const stored = this.#guards.asking(this.#boxItself).trust(fingerprint, expected);
    if (stored.ok) this.#tryNow(1);
    return stored;
  }

  /** Gives the machine in question a new identity, if the server still offers this key and proves that it owns it. */
  async replaceHostKey(shown: PlanRef, phrase: string): Promise<Result<null, Problem>> {
    const guard = this.#guards.asking(this.#boxItself);
    const allowed = guard.allowReplacement(shown, phrase);
    if (!allowed.ok) return allowed;
    this.#tryNow(1);
    return allowed.value;
  }

  async identity(): Promise<Result<BoxIdentity, Problem>> {
    const { route } = this.#box;
    const own = await this.#guards.of(this.#boxItself).identity();
    if (!own.ok) return own;
    const onWay = route.kind === 'jumps' ? jumpHostsTo(this.#box, route.hops) : [];
    const jumpHosts = onWay.map(async (machine) => {
      const found = await this.#guards.of(machine).identity();
      const { keys, unreadable } = found.ok ? found.value : { keys: [], unreadable: [found.error] };
      return { address: machine.jumpHost.address, keys, unreadable };
    });
    return ok({ ...own.value, jumpHosts: await Promise.all(jumpHosts) });
  }

  get #boxItself(): Machine {
    return { box: this.#box, jumpHost: null };
  }

  async #prove(connection: SshConnection): Promise<void> {
    if (this.#doubted === connection) return;
    this.#doubted = connection;
    if (await connection.prove()) this.#doubted = null;
  }

  #tryNow(attempt: number): void {
    this.#stop();
    const stopper = new AbortController();
    this.#stopper = stopper;
    this.#reach = 'not-yet';
    this.#guards.begin();
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
    const wasDoubted = this.#doubted === connection;
    this.#settle(reason, 1, signal, wasDoubted);
  }

  /** A second connection to the very server that the link is up with, with other credentials; the caller closes it. */
  async openBeside(
    credentials: Credentials,
    signal: AbortSignal,
  ): Promise<Result<SshConnection, Problem>> {
    const { hostKeys, gatherCredentials, proxyPassword, log } = this.#options;
    const [{ openAlongRoute }, { openConnection }] = await Promise.all([
      import('./open-route.ts'),
      import('./ssh-connection.ts'),
    ]);
    return openAlongRoute(this.#box, {
      proxyPassword,
      logIn: async ({ box, jumpHost }, openWay) => {
        if (signal.aborted) return err(stopped());
        const stored = hostKeys.current(box.id);
        if (!stored.ok) return stored;
        const login =
          jumpHost === null ? ok(credentials) : await gatherCredentials(box, signal, this.#box);
        if (!login.ok) return login;
        return openConnection({
          address: box.address,
          openWay,
          credentials: login.value,
          ...this.#countsFor(jumpHost),
          knownKeyTypes: stored.value === null ? [] : [stored.value.type],
          // SECURITY: a new key is no question here; whoever answers with one is not the server that the link trusts.
          judgeHostKey: ({ publicKey }) => {
            if (stored.value?.publicKey === publicKey) return 'accept';
            log.warn('a second connection met another host key');
            return 'refuse';
          },
          signal,
        });
      },
    });
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
    // The first try waits until the SSH library is loaded; by then the app may be quitting, and the database closed.
    if (signal.aborted) return err(stopped());
    const { address, login, options } = machine.box;
    const checks = await this.#guards.of(machine).prepare();
    if (!checks.ok) return checks;
    const credentials = await this.#options.gatherCredentials(machine.box, signal, this.#box);
    if (!credentials.ok) return credentials;
    const dial: OpenWay = async (until) => {
      if (this.#reach === 'not-yet') this.#reach = 'dialling';
      const way = await openWay(until);
      if (!signal.aborted) this.#reach = 'done';
      return way;
    };
    // Loaded with the first connection: the SSH library takes longer to load than the window to open.
    const { openConnection } = await import('./ssh-connection.ts');
    return openConnection({
      address,
      openWay: dial,
      keepaliveEveryS: options.keepaliveEveryS,
      isAgentLent: login.forwardAgent,
      credentials: credentials.value,
      ...this.#countsFor(machine.jumpHost),
      ...checks.value,
      signal,
    });
  }

  /** What a jump host sends is not the box's. */
  #countsFor(jumpHost: Machine['jumpHost']): Pick<ConnectOptions, 'onReceived'> {
    const { onReceived } = this.#options;
    return jumpHost === null && onReceived !== undefined ? { onReceived } : {};
  }

  /** What follows a try that failed or a connection that went: a question, a stop, or another try. */
  #settle(reason: Problem, attempt: number, signal: AbortSignal, isUrgent = false): void {
    this.#options.log.info('link went down', {
      box: this.#box.name,
      code: reason.code,
      detail: reason.detail ?? '',
    });
    const nowMs = Date.now();
    const { question } = this.#guards;
    this.#guards.withdraw(reason);
    if (question !== null) {
      this.#enter(question);
      return;
    }
    if (NEEDS_PERSON.includes(reason.code)) {
      this.#enter({ kind: 'down', sinceMs: nowMs, problem: reason });
      return;
    }
    // The loss came of this machine's sleep: the box has nothing to recover from.
    if (isUrgent) {
      this.#tryNow(1);
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

function stopped(): Problem {
  return problem('aborted', 'Connecting was stopped.');
}
