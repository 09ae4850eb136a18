import { crowdingProblem, type Crowding } from '../../shared/boxes/crowding.ts';
import { problem, type Problem, type ProblemCode } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { onEnd } from './until-end.ts';

/** What OpenSSH allows on one connection unless its MaxSessions says otherwise. No server is asked for more. */
const USUAL_LIMIT = 10;
/** Beyond that a box would be flooded with log-ins; who waits then is told. */
const MAX_CONNECTIONS = 8;
/** Short commands end within this; where none does, another connection is worth its log-in. */
const SLOW_AFTER_MS = 1000;
const WAIT_MS = 20_000;
/** A server that gave sessions and refuses with none open has a trouble of its own; it is asked again after a pause. */
const RECOVERY_MS = 500;
const IDLE_MS = 30_000;
/** Where sessions are kept apart: nobody waits for longer than this for a connection without another session. */
const APART_MS = 3000;
/** A program whose session was closed from here ends within this, if it takes the hint; no server tells when. */
const ENDING_MS = 1000;
/** MaxStartups drops log-ins that come too fast. */
const RETRY_AFTER_MS = 4000;

/** After these a further log-in would be refused too, and might lock the account. */
const FINAL: readonly ProblemCode[] = [
  'auth-refused',
  'no-credentials',
  'host-key-changed',
  'host-key-unproven',
  'host-key-unusable',
  'key-exchange-refused',
  'login-garbled',
  'certificate-unsupported',
];

/** `command`: ends by itself soon. `stream`: runs for as long as somebody looks: a terminal, telemetry, a tail. */
export type SessionUse = 'command' | 'stream';

/** A connection that carries sessions, as the pool sees it. */
export interface Carrier {
  readonly closed: Promise<Problem>;
  /** Settles when the server has answered something that it was asked just now, or the connection is gone. */
  roundTrip(): Promise<unknown>;
  close(): void;
}

export interface SessionPoolOptions<C extends Carrier> {
  readonly first: C;
  /** Another connection to the very same server with the same credentials. Asks nobody. */
  readonly openAnother: (signal: AbortSignal) => Promise<Result<C, Problem>>;
  /** The end of a program may close what is opened beside it: each session has a connection of its own, as far as those go. */
  readonly keepsApart?: boolean;
}

export interface SessionRequest<C extends Carrier, T> {
  readonly use: SessionUse;
  readonly signal?: AbortSignal | undefined;
  /** Asks the box for the session on this connection. */
  readonly open: (carrier: C) => Promise<Result<T, Problem>>;
  /** Settles when the session's channel is closed; false: what ran in it may still be ending. */
  readonly ended: (session: T) => Promise<boolean>;
}

/** What one session takes up on its connection. */
interface Place<C extends Carrier> {
  readonly seat: Seat<C>;
  readonly use: SessionUse;
}

interface Seat<C extends Carrier> {
  readonly carrier: C;
  /** In the order in which the server was asked. */
  readonly places: Place<C>[];
  isRecovering: boolean;
  idleTimer: NodeJS.Timeout | null;
}

interface Ticket<C extends Carrier> {
  readonly use: SessionUse;
  readonly sinceMs: number;
  readonly settle: (granted: Result<Place<C>, Problem>) => void;
}

/**
 * Hands out the sessions that a server allows: on one connection at first, in the order of asking, and on more connections
 * where waiting alone would not help. The last session of the first connection is kept for commands, so that no number of
 * streams can keep them out.
 */
export class SessionPool<C extends Carrier> {
  readonly #options: SessionPoolOptions<C>;
  readonly #seats: Seat<C>[] = [];
  #limit = USUAL_LIMIT;
  readonly #queue: Ticket<C>[] = [];
  readonly #stopper = new AbortController();
  readonly #onCrowding = new Set<(crowding: Crowding | null) => void>();
  #openingSinceMs: number | null = null;
  #refusal: Problem | null = null;
  #isFinal = false;
  #timer: NodeJS.Timeout | null = null;
  #mayTryAtMs = 0;
  /** The server has given a session before. */
  #hasWorked = false;
  #isCrowded = false;
  #ended: Problem | null = null;

  constructor(options: SessionPoolOptions<C>) {
    this.#options = options;
    this.#add(options.first);
    void options.first.closed.then((reason) => this.#end(reason));
  }

  /** Tells when somebody waits for long, and when that is over; returns how to stop. */
  watchCrowding(listener: (crowding: Crowding | null) => void): () => void {
    this.#onCrowding.add(listener);
    return () => void this.#onCrowding.delete(listener);
  }

  async session<T>(request: SessionRequest<C, T>): Promise<Result<T, Problem>> {
    const { signal, use } = request;
    const sinceMs = performance.now();
    for (;;) {
      const granted = await this.#place(use, sinceMs, signal);
      if (!granted.ok) return granted;
      const place = granted.value;
      const opened = await request.open(place.seat.carrier);
      if (opened.ok) {
        this.#hasWorked = true;
        void this.#freeAfter(place, request.ended(opened.value));
        return opened;
      }
      const canGoOn = this.#refused(place, opened.error);
      this.#free(place);
      if (!canGoOn) return opened;
    }
  }

  /** Ends the waiting and the further connections; the first belongs to whoever made it. */
  close(): void {
    this.#end(problem('not-connected', 'The box is not connected.'));
  }

  #place(
    use: SessionUse,
    sinceMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Result<Place<C>, Problem>> {
    if (this.#ended !== null) return Promise.resolve(err(this.#ended));
    return new Promise((resolve) => {
      const leave = (answer: Result<Place<C>, Problem>): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        const at = this.#queue.indexOf(ticket);
        if (at >= 0) this.#queue.splice(at, 1);
        resolve(answer);
      };
      const giveUp = (reason: Problem): void => {
        leave(err(reason));
        this.#tellCrowding();
      };
      const onAbort = (): void =>
        giveUp(problem('aborted', 'It was stopped before the box was asked.'));
      const ticket: Ticket<C> = { use, sinceMs, settle: leave };
      const leftMs = WAIT_MS - (performance.now() - sinceMs);
      const timer = setTimeout(
        () => giveUp(crowdingProblem({ ...this.#now(), waiting: 0 })),
        leftMs,
      );
      signal?.addEventListener('abort', onAbort, { once: true });
      // Who was refused keeps the place in the queue.
      const behind = this.#queue.findIndex((other) => other.sinceMs > sinceMs);
      this.#queue.splice(behind < 0 ? this.#queue.length : behind, 0, ticket);
      if (signal?.aborted === true) onAbort();
      this.#serve();
    });
  }

  /** Everybody who can have a session gets it, the longest waiting first. */
  #serve(): void {
    for (const ticket of [...this.#queue]) {
      const seat = this.#seatFor(ticket);
      if (seat === undefined) continue;
      const place = { seat, use: ticket.use };
      seat.places.push(place);
      if (seat.idleTimer !== null) clearTimeout(seat.idleTimer);
      seat.idleTimer = null;
      ticket.settle(ok(place));
    }
    this.#help();
    this.#tellCrowding();
  }

  #seatFor(ticket: Ticket<C>): Seat<C> | undefined {
    const { use } = ticket;
    const withRoom = this.#seats.filter((seat) => this.#hasRoom(seat, use));
    if (this.#options.keepsApart !== true) return withRoom[0];
    // The first is for commands, which come often and are short: they need no further connection as long as they take turns there.
    const isFree = (seat: Seat<C>): boolean =>
      seat.places.length === 0 && (use === 'command' || seat !== this.#seats[0]);
    const free = withRoom.find(isFree);
    if (free !== undefined || this.#apartInMs(ticket) > 0) return free;
    return use === 'command' ? withRoom[0] : withRoom.at(-1);
  }

  /** For how long this one may wait for a connection without another session; 0: there is none to be had. */
  #apartInMs({ use, sinceMs }: Ticket<C>): number {
    const nowMs = performance.now();
    const isRefused = this.#isFinal || nowMs < this.#mayTryAtMs;
    const isFull = use === 'stream' && this.#seats.length >= MAX_CONNECTIONS;
    if (isRefused || isFull) return 0;
    return Math.max(0, Math.min(sinceMs, this.#openingSinceMs ?? sinceMs) + APART_MS - nowMs);
  }

  #hasRoom(seat: Seat<C>, use: SessionUse): boolean {
    if (seat.isRecovering || seat.places.length >= this.#limit) return false;
    const isKept = use === 'stream' && seat === this.#seats[0] && this.#limit > 1;
    return !isKept || streamsOn(seat) < this.#limit - 1;
  }

  /**
   * OpenSSH 9.2 gives a session free a moment after both sides have closed its channel, and refuses a request that comes
   * right behind the close. By the time it answers something that was asked after the close, the session is free.
   */
  async #freeAfter(place: Place<C>, ended: Promise<boolean>): Promise<void> {
    const isOver = await ended;
    const { carrier } = place.seat;
    if (this.#seats.includes(place.seat)) await carrier.roundTrip();
    if (!isOver && this.#options.keepsApart === true) await pause(ENDING_MS, carrier.closed);
    this.#free(place);
  }

  #free(place: Place<C>): void {
    const { seat } = place;
    seat.places.splice(seat.places.indexOf(place), 1);
    const isSpare = seat !== this.#seats[0] && this.#seats.includes(seat);
    if (isSpare && seat.places.length === 0) {
      seat.idleTimer = setTimeout(() => this.#retire(seat), IDLE_MS);
    }
    this.#serve();
  }

  /**
   * The server refused a session: those that it was asked for before and that still run are all it allows. False where
   * there is nothing to wait for: it never gave one, or it was about something else.
   */
  #refused(place: Place<C>, refusal: Problem): boolean {
    const { seat } = place;
    const isFirst = seat === this.#seats[0];
    // A further connection that went at this very moment: whoever wanted it did not ask for that one.
    if (refusal.code === 'not-connected' && !isFirst) {
      this.#retire(seat);
      return true;
    }
    if (refusal.code !== 'session-refused') return false;
    const running = seat.places.indexOf(place);
    if (running > 0) {
      this.#limit = Math.min(this.#limit, running);
      return true;
    }
    if (!this.#hasWorked) return false;
    if (isFirst) this.#letRecover(seat);
    else {
      this.#anotherRefused(refusal);
      this.#retire(seat);
    }
    return true;
  }

  #retire(seat: Seat<C>): void {
    const at = this.#seats.indexOf(seat);
    if (at > 0) this.#seats.splice(at, 1);
    seat.carrier.close();
  }

  #letRecover(seat: Seat<C>): void {
    seat.isRecovering = true;
    const timer = setTimeout(() => {
      seat.isRecovering = false;
      this.#serve();
    }, RECOVERY_MS);
    void seat.carrier.closed.then(() => clearTimeout(timer));
  }

  /** Whoever is left in the queue gets another connection, now or when it has waited a while. */
  #help(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const [head] = this.#queue;
    if (head === undefined || this.#ended !== null) return;
    const nowMs = performance.now();
    const canOpen =
      this.#openingSinceMs === null && !this.#isFinal && this.#seats.length < MAX_CONNECTIONS;
    const wantedInMs = Math.min(...this.#queue.map((ticket) => this.#wantsOtherInMs(ticket)));
    const openInMs = Math.max(wantedInMs, this.#mayTryAtMs - nowMs);
    if (canOpen && openInMs <= 0) void this.#openAnother();
    const apartInMs = this.#options.keepsApart === true ? this.#apartInMs(head) : 0;
    const tellInMs = head.sinceMs + this.#tellAfterMs() - nowMs;
    const looks = [tellInMs, apartInMs, ...(canOpen ? [openInMs] : [])].filter((ms) => ms > 0);
    if (looks.length > 0) this.#timer = setTimeout(() => this.#serve(), Math.min(...looks));
  }

  #wantsOtherInMs(ticket: Ticket<C>): number {
    return this.#movesSoon(ticket) ? ticket.sinceMs + SLOW_AFTER_MS - performance.now() : 0;
  }

  /** A command whose end would make room for this one. */
  #movesSoon({ use }: Ticket<C>): boolean {
    if (this.#options.keepsApart === true && use === 'stream') return false;
    return this.#seats.some((seat) => {
      const commands = seat.places.length - streamsOn(seat);
      if (use === 'command' || seat !== this.#seats[0]) return commands > 0;
      return commands > 0 && streamsOn(seat) < Math.max(1, this.#limit - 1);
    });
  }

  async #openAnother(): Promise<void> {
    this.#openingSinceMs = performance.now();
    const opened = await this.#options.openAnother(this.#stopper.signal);
    this.#openingSinceMs = null;
    if (opened.ok && this.#ended !== null) opened.value.close();
    else if (opened.ok) {
      this.#refusal = null;
      this.#add(opened.value);
    } else this.#anotherRefused(opened.error);
    this.#serve();
  }

  #anotherRefused(refusal: Problem): void {
    this.#refusal = refusal;
    this.#isFinal ||= FINAL.includes(refusal.code);
    this.#mayTryAtMs = performance.now() + RETRY_AFTER_MS;
  }

  #add(carrier: C): void {
    const seat: Seat<C> = { carrier, places: [], isRecovering: false, idleTimer: null };
    this.#seats.push(seat);
    void carrier.closed.then(() => {
      if (seat.idleTimer !== null) clearTimeout(seat.idleTimer);
      const at = this.#seats.indexOf(seat);
      if (at > 0) this.#seats.splice(at, 1);
      // A server that ends further connections would be logged in to over and over.
      if (seat.places.length > 0) this.#mayTryAtMs = performance.now() + RETRY_AFTER_MS;
      this.#serve();
    });
  }

  #end(reason: Problem): void {
    if (this.#ended !== null) return;
    this.#ended = reason;
    this.#stopper.abort();
    for (const { settle } of [...this.#queue]) settle(err(reason));
    for (const { carrier } of this.#seats.slice(1)) carrier.close();
    this.#help();
    this.#tellCrowding();
  }

  #tellCrowding(): void {
    const crowding = this.#crowding();
    if (crowding === null && !this.#isCrowded) return;
    this.#isCrowded = crowding !== null;
    for (const listener of this.#onCrowding) listener(crowding);
  }

  /** Where sessions are kept apart, not all are in use before that. */
  #tellAfterMs(): number {
    return this.#options.keepsApart === true ? APART_MS : SLOW_AFTER_MS;
  }

  #crowding(): Crowding | null {
    const [head] = this.#queue;
    if (head === undefined || performance.now() - head.sinceMs < this.#tellAfterMs()) return null;
    return this.#now();
  }

  #now(): Crowding {
    return {
      waiting: this.#queue.length,
      limit: this.#limit,
      connections: this.#seats.length,
      refusal: this.#refusal,
    };
  }
}

function streamsOn<C extends Carrier>({ places }: Seat<C>): number {
  return places.filter(({ use }) => use === 'stream').length;
}

/** Ends early with the connection. */
function pause(ms: number, closed: Promise<Problem>): Promise<void> {
  return new Promise((resolve) => {
    const leave = onEnd(closed, () => {
      clearTimeout(timer);
      resolve();
    });
    const timer = setTimeout(() => {
      leave();
      resolve();
    }, ms);
  });
}
