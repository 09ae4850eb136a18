import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import type { Tunnel, TunnelRow, TunnelState } from '../../shared/tunnels/tunnel.ts';
import type { Forwards } from '../ssh/forwards.ts';
import { createSerial } from '../storage/serial.ts';
import { checkTunnel } from './check.ts';
import { openForward, type OpenStream } from './forward.ts';
import type { TrafficCounter } from './join.ts';
import type { ListenFailure, Listener } from './listener.ts';

/** Counters change with each packet; the row follows at a pace that a person can read. */
const PUBLISH_TRAFFIC_MS = 500;

/** The way to the box while there is one. */
export interface TunnelWay {
  readonly openStream: OpenStream;
  readonly listenOnBox: Forwards['listenOnBox'];
  /** Aborts when the link went down. */
  readonly gone: AbortSignal;
}

export interface LiveTunnelOptions {
  readonly tunnel: Tunnel;
  readonly publish: (part: Partial<Omit<TunnelRow, 'tunnel'>>) => void;
  readonly now: () => number;
  /** Towards and from the far end, as it happens. */
  readonly onTraffic: (bytes: number) => void;
}

export function newRow(tunnel: Tunnel): TunnelRow {
  return {
    tunnel,
    state: { kind: tunnel.isOn ? 'waiting' : 'stopped' },
    answeredAtMs: null,
    check: null,
    isChecking: false,
    bytesOut: 0,
    bytesIn: 0,
    openConnections: 0,
  };
}

/** One tunnel that is wanted: open while there is a way to the box, made anew on the next way, asked now and then. */
export class LiveTunnel {
  readonly #options: LiveTunnelOptions;
  /** Opening and closing follow each other; what is wanted is read when its turn comes. */
  readonly #serial = createSerial();
  readonly #counts = { bytesOut: 0, bytesIn: 0, openConnections: 0 };
  #way: TunnelWay | null = null;
  #open: { readonly way: TunnelWay; readonly listener: Listener } | null = null;
  #check: AbortController | null = null;
  #whyRefused: Problem | null = null;
  #isClosed = false;
  #trafficTimer: NodeJS.Timeout | null = null;
  #hasReceived = false;

  constructor(options: LiveTunnelOptions) {
    this.#options = options;
  }

  /** From now on this is the way to the box; null: there is none. Resolves when the tunnel follows it. */
  use(way: TunnelWay | null): Promise<void> {
    this.#way = way;
    this.#check?.abort();
    return this.#serial.run(() => this.#settle());
  }

  /** Frees the port and everything else; final. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.use(null);
  }

  /** Resolves when it has followed everything asked of it so far. */
  settled(): Promise<void> {
    return this.#serial.settled();
  }

  get isListening(): boolean {
    return this.#open !== null;
  }

  /** Asks once through the tunnel, unless that is happening already or it is not open. */
  async check(): Promise<void> {
    if (this.#open === null || this.#check !== null) return;
    const stopper = new AbortController();
    this.#check = stopper;
    this.#whyRefused = null;
    this.#options.publish({ isChecking: true });
    const { tunnel, now } = this.#options;
    const check = await checkTunnel({
      tunnel,
      now,
      openStream: this.#open.way.openStream,
      signal: stopper.signal,
      whyRefused: () => this.#whyRefused,
    });
    this.#check = null;
    if (this.#isClosed) return;
    // A check that was cut off by the link says nothing about the far end.
    if (stopper.signal.aborted) this.#options.publish({ isChecking: false });
    else {
      const answered = check.outcome === 'answered' ? { answeredAtMs: check.atMs } : {};
      this.#options.publish({ isChecking: false, check, ...answered });
    }
  }

  async #settle(): Promise<void> {
    const way = this.#way;
    if (this.#open !== null && this.#open.way === way) return;
    const before = this.#open;
    this.#open = null;
    await before?.listener.close();
    if (way === null || way.gone.aborted) {
      this.#enter({ kind: 'waiting' });
      return;
    }
    this.#enter({ kind: 'opening' });
    const opened = await this.#openOn(way);
    if (!opened.ok) {
      this.#enter(describeFailure(opened.error));
      return;
    }
    this.#open = { way, listener: opened.value };
    // Stopped or cut while it opened: the next turn closes it again.
    if (this.#way !== way) return;
    this.#enter({ kind: 'listening' });
    void this.check();
  }

  #openOn({ openStream, listenOnBox }: TunnelWay): Promise<Result<Listener, ListenFailure>> {
    return openForward({
      tunnel: this.#options.tunnel,
      openStream,
      listenOnBox,
      counter: this.#counter(),
      onRefused: (reason) => (this.#whyRefused = reason),
    });
  }

  #enter(state: TunnelState): void {
    if (!this.#isClosed) this.#options.publish({ state });
  }

  #counter(): TrafficCounter {
    const counts = this.#counts;
    const count = (bytes: number): void => {
      this.#options.onTraffic(bytes);
      this.#publishSoon();
    };
    return {
      opened: () => {
        counts.openConnections += 1;
        this.#publishSoon();
      },
      closed: () => {
        counts.openConnections -= 1;
        this.#publishSoon();
      },
      sent: (bytes) => {
        counts.bytesOut += bytes;
        count(bytes);
      },
      received: (bytes) => {
        counts.bytesIn += bytes;
        this.#hasReceived = true;
        count(bytes);
      },
    };
  }

  #publishSoon(): void {
    this.#trafficTimer ??= setTimeout(() => {
      this.#trafficTimer = null;
      if (this.#isClosed) return;
      // Bytes from the far end are an answer through the tunnel, whoever asked.
      const answered = this.#hasReceived ? { answeredAtMs: this.#options.now() } : {};
      this.#hasReceived = false;
      this.#options.publish({ ...this.#counts, ...answered });
    }, PUBLISH_TRAFFIC_MS);
    this.#trafficTimer.unref();
  }
}

function describeFailure(failure: ListenFailure): TunnelState {
  return failure.kind === 'taken'
    ? { kind: 'port-taken', holder: failure.holder, freePort: failure.freePort }
    : { kind: 'failed', problem: failure.problem };
}
