import type { StreamName } from '../../shared/ipc/streams.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { StreamBatch, StreamKind, StreamSnapshot } from '../../shared/streams/stream.ts';

/** How eagerly a window wants deltas: in front of the eyes, covered, or not shown at all. */
export type Pace = 'visible' | 'background' | 'hidden';

/** DESIGN §3: at most 4 Hz, 1 Hz when not visible, none when hidden. */
const FLUSH_EVERY_MS: Readonly<Record<Exclude<Pace, 'hidden'>, number>> = {
  visible: 250,
  background: 1000,
};

/** A window that does not take its deltas loses them and resyncs; main's memory stays bounded. */
const MAX_PENDING = 2000;

/** One stream's truth in main. Publishing is all that its owner ever does with it. */
export interface Topic<State, Delta> {
  readonly state: State;
  /** Whether a window that is not hidden follows it: who gathers at a price gathers only then. */
  readonly isWatched: boolean;
  /** `isNow`: a shown window waits for no others to come with it, since what a person may do there depends on it. */
  publish(delta: Delta, isNow?: boolean): void;
}

export interface TopicOptions<State, Delta> {
  readonly kind: StreamKind<State, Delta>;
  readonly initial: State;
  /** What crosses to the window as snapshot, where the state itself is not plain data. */
  readonly toWire?: (state: State) => unknown;
  /** Sent at once and also to a hidden window: what a person must learn. */
  readonly isUrgent?: boolean;
  /** Somebody begins to watch, after opening it or coming back to it. */
  readonly onOpened?: () => void;
}

interface Subscription {
  readonly id: number;
  readonly clientId: number;
  readonly topic: HubTopic;
  pending: unknown[];
  /** The number of the first delta in `pending`. */
  firstSeq: number;
  timer: ReturnType<typeof setTimeout> | null;
  lastFlushMs: number;
}

interface HubTopic {
  readonly isUrgent: boolean;
  readonly seq: () => number;
  readonly snapshot: () => unknown;
  readonly onOpened: () => void;
  readonly subscriptions: Set<Subscription>;
}

interface Client {
  readonly send: (batch: StreamBatch<unknown>) => void;
  readonly subscriptions: Map<number, Subscription>;
  pace: Pace;
}

/**
 * Carries every stream from its owner to every window: snapshot first, then numbered deltas, coalesced by how visible
 * the window is. The first delta after a quiet time goes out at once, so a single change is never late; and each stream has
 * its own time, so that a busy one (a hundred boxes) does not make the one that a person looks at wait.
 */
export class StreamHub {
  readonly #topics = new Map<string, HubTopic>();
  readonly #makers = new Map<StreamName, (key: string) => void>();
  readonly #clients = new Map<number, Client>();
  readonly #now: () => number;
  #lastSubscription = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  addTopic<State, Delta>(
    stream: StreamName,
    key: string,
    options: TopicOptions<State, Delta>,
  ): Topic<State, Delta> {
    const name = topicName(stream, key);
    if (this.#topics.has(name)) throw new Error(`stream topic exists: ${name}`);
    let state = options.initial;
    let seq = 0;
    const { kind, toWire = (plain: State): unknown => plain } = options;
    const topic: HubTopic = {
      isUrgent: options.isUrgent ?? false,
      seq: () => seq,
      snapshot: () => toWire(state),
      onOpened: options.onOpened ?? (() => undefined),
      subscriptions: new Set(),
    };
    this.#topics.set(name, topic);
    const isShown = ({ clientId }: Subscription): boolean =>
      this.#clients.get(clientId)?.pace !== 'hidden';
    return {
      get state() {
        return state;
      },
      get isWatched() {
        return [...topic.subscriptions].some(isShown);
      },
      publish: (delta, isNow = false) => {
        state = kind.apply(state, delta);
        seq += 1;
        for (const subscription of topic.subscriptions) {
          this.#queue(subscription, delta, seq, isNow);
        }
      },
    };
  }

  /** For streams of which there may be thousands: `make` adds the topic of this key once somebody opens it, where there is one. */
  makeOnDemand(stream: StreamName, make: (key: string) => void): void {
    this.#makers.set(stream, make);
  }

  has(stream: StreamName, key: string): boolean {
    return this.#topics.has(topicName(stream, key));
  }

  /** A removed topic's windows keep their last state; opening it again is refused. */
  removeTopic(stream: StreamName, key: string): void {
    const name = topicName(stream, key);
    for (const { clientId, id } of this.#topics.get(name)?.subscriptions ?? []) {
      this.close(clientId, id);
    }
    this.#topics.delete(name);
  }

  addClient(clientId: number, send: (batch: StreamBatch<unknown>) => void): void {
    this.removeClient(clientId);
    this.#clients.set(clientId, {
      send,
      subscriptions: new Map(),
      pace: 'visible',
    });
  }

  removeClient(clientId: number): void {
    const client = this.#clients.get(clientId);
    if (client === undefined) return;
    for (const id of [...client.subscriptions.keys()]) this.close(clientId, id);
    this.#clients.delete(clientId);
  }

  /** A window that reloaded starts from nothing: its old subscriptions are gone. */
  resetClient(clientId: number): void {
    const client = this.#clients.get(clientId);
    for (const id of [...(client?.subscriptions.keys() ?? [])]) this.close(clientId, id);
  }

  open(
    clientId: number,
    stream: StreamName,
    key: string,
  ): Result<StreamSnapshot<unknown>, Problem> {
    if (!this.has(stream, key)) this.#makers.get(stream)?.(key);
    const topic = this.#topics.get(topicName(stream, key));
    const client = this.#clients.get(clientId);
    if (topic === undefined || client === undefined) {
      return err(problem('no-such-box', `There is nothing to show for “${key}” any more.`));
    }
    this.#lastSubscription += 1;
    const seq = topic.seq();
    const subscription: Subscription = {
      id: this.#lastSubscription,
      clientId,
      topic,
      pending: [],
      firstSeq: seq + 1,
      timer: null,
      lastFlushMs: -Infinity,
    };
    topic.subscriptions.add(subscription);
    client.subscriptions.set(subscription.id, subscription);
    const snapshot = topic.snapshot();
    topic.onOpened();
    return ok({ subscription: subscription.id, seq, state: snapshot });
  }

  close(clientId: number, subscriptionId: number): void {
    const client = this.#clients.get(clientId);
    const subscription = client?.subscriptions.get(subscriptionId);
    if (subscription === undefined) return;
    stopTimer(subscription);
    subscription.topic.subscriptions.delete(subscription);
    client?.subscriptions.delete(subscriptionId);
  }

  setPace(clientId: number, pace: Pace): void {
    const client = this.#clients.get(clientId);
    if (client === undefined || client.pace === pace) return;
    const wasHidden = client.pace === 'hidden';
    client.pace = pace;
    if (pace === 'hidden') {
      for (const each of client.subscriptions.values()) if (!each.topic.isUrgent) drop(each);
    } else if (wasHidden) {
      // An empty batch with the next number tells each reader that it missed something; one that did not ignores it.
      for (const each of client.subscriptions.values()) {
        client.send({ subscription: each.id, firstSeq: each.topic.seq() + 1, deltas: [] });
      }
    } else {
      for (const each of client.subscriptions.values()) {
        stopTimer(each);
        if (each.pending.length > 0) this.#schedule(client, each);
      }
    }
  }

  /** Ends all timers; for quitting. */
  dispose(): void {
    for (const clientId of [...this.#clients.keys()]) this.removeClient(clientId);
  }

  #queue(subscription: Subscription, delta: unknown, seq: number, isNow: boolean): void {
    const client = this.#clients.get(subscription.clientId);
    if (client === undefined) return;
    const { isUrgent } = subscription.topic;
    if (client.pace === 'hidden' && !isUrgent) {
      drop(subscription);
      return;
    }
    if (subscription.pending.length >= MAX_PENDING) drop(subscription);
    if (subscription.pending.length === 0) subscription.firstSeq = seq;
    subscription.pending.push(delta);
    if (isUrgent || isNow) this.#flush(client, subscription);
    else this.#schedule(client, subscription);
  }

  #schedule(client: Client, subscription: Subscription): void {
    if (client.pace === 'hidden') return;
    const dueMs = subscription.lastFlushMs + FLUSH_EVERY_MS[client.pace] - this.#now();
    if (dueMs <= 0) {
      this.#flush(client, subscription);
      return;
    }
    subscription.timer ??= setTimeout(() => this.#flush(client, subscription), dueMs);
  }

  #flush(client: Client, subscription: Subscription): void {
    stopTimer(subscription);
    const { id, firstSeq, pending } = subscription;
    if (pending.length === 0) return;
    subscription.lastFlushMs = this.#now();
    subscription.pending = [];
    client.send({ subscription: id, firstSeq, deltas: pending });
  }
}

function topicName(stream: StreamName, key: string): string {
  return `${stream}:${key}`;
}

/** What was pending is lost for this reader; the next batch's number shows it the gap. */
function drop(subscription: Subscription): void {
  stopTimer(subscription);
  subscription.pending = [];
}

function stopTimer(subscription: Subscription): void {
  if (subscription.timer !== null) clearTimeout(subscription.timer);
  subscription.timer = null;
}
