import { randomUUID } from 'node:crypto';
import { alarmText } from '../../shared/clocks/alarm-text.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Settings, SettingsPatch } from '../../shared/settings/settings.ts';
import { webhookStream } from '../../shared/streams/app-streams.ts';
import { pauseAfter } from '../../shared/webhook/back-off.ts';
import {
  deliveries as deliveriesSchema,
  MAX_BODY_CHARS,
  MAX_DELIVERIES,
  MAX_TITLE_CHARS,
  type AlarmMessage,
  type Delivery,
  type WebhookState,
} from '../../shared/webhook/delivery.ts';
import { NO_WEBHOOK } from '../../shared/webhook/no-webhook.ts';
import { webhookBody } from '../../shared/webhook/webhook-body.ts';
import type { WebhookKind } from '../../shared/webhook/webhook-kinds.ts';
import type { ClockAlarm } from '../clocks/alarm-bell.ts';
import type { Redactor } from '../log/redact.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';
import { postJson, type PostOutcome } from './post-json.ts';
import { readWebhookUrl, type WebhookEndpoint } from './webhook-url.ts';

/** Of the address in the secrets. */
export const WEBHOOK_SECRET = 'webhook:address';
const KEPT_AS = 'webhook-deliveries';
/** A timer of Node runs no longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface WebhookOptions {
  readonly hub: StreamHub;
  readonly entries: EntriesTable;
  readonly secrets: Pick<Secrets, 'get' | 'set' | 'forget'>;
  readonly redactor: Redactor;
  readonly settings: {
    readonly current: () => Pick<Settings, 'webhook'>;
    readonly change: (patch: SettingsPatch) => Promise<Result<unknown, Problem>>;
  };
  readonly onProblem: (found: Problem) => void;
  readonly now?: () => number;
  readonly timeoutMs?: number;
}

export interface WebhookWanted {
  readonly kind: WebhookKind;
  readonly url: string;
  readonly isPlainAllowed: boolean;
}

/**
 * Tells alarms to an address that the person entered. What is to be told is kept before it is sent, goes on after a restart,
 * and is tried again with growing pauses. A crash between the answer and its record makes it arrive twice; its id says so.
 */
export class Webhook {
  readonly #options: WebhookOptions;
  readonly #now: () => number;
  readonly #topic: Topic<WebhookState, WebhookState>;
  readonly #closing = new AbortController();
  /** The oldest first. */
  #deliveries: readonly Delivery[];
  #sending: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: WebhookOptions) {
    const { hub, entries, onProblem, now = Date.now } = options;
    this.#options = options;
    this.#now = now;
    this.#topic = hub.addTopic('webhook', '', { kind: webhookStream, initial: NO_WEBHOOK });
    const read = entries.read('', KEPT_AS, deliveriesSchema);
    if (!read.ok) onProblem(read.error);
    this.#deliveries = read.ok ? (read.value ?? []) : [];
    this.#publish();
    this.look();
  }

  /** A mark of a clock was reached. Nothing happens where no webhook is set. */
  take({ box, clock, markMs }: ClockAlarm): void {
    if (this.#options.settings.current().webhook === null) return;
    const rangAtMs = this.#now();
    const text = alarmText(box.name, clock, rangAtMs);
    const endsAtMs = clock.due.kind === 'at' ? clock.due.atMs : null;
    const about = { boxName: box.name, clockId: clock.id, markMs, endsAtMs, rangAtMs };
    // As long as what is read back may be: a profile's sentences may be longer than anybody reads on a phone.
    const body = text.body.slice(0, MAX_BODY_CHARS);
    this.#add({ ...about, title: text.title.slice(0, MAX_TITLE_CHARS), body }, false);
  }

  /** Puts a message of its own behind what waits; the list shows what came of it. */
  test(): Result<null, Problem> {
    if (this.#options.settings.current().webhook === null) return err(notSet());
    const rangAtMs = this.#now();
    const text = {
      title: 'Leasehold: a test',
      body: 'Alarms of danger clocks will come like this.',
    };
    const about = { boxName: '', clockId: '', markMs: 0, endsAtMs: null, rangAtMs };
    this.#add({ ...about, ...text }, true);
    return ok(null);
  }

  /** From now on alarms go there, those that still wait too. */
  async set({ kind, url, isPlainAllowed }: WebhookWanted): Promise<Result<null, Problem>> {
    const read = readWebhookUrl(kind, url, isPlainAllowed);
    if (!read.ok) return read;
    const saved = await this.#options.secrets.set(WEBHOOK_SECRET, url.trim());
    if (!saved.ok) return saved;
    const changed = await this.#options.settings.change({ webhook: { kind, isPlainAllowed } });
    if (!changed.ok) return changed;
    this.#publish();
    this.look();
    return ok(null);
  }

  /** Forgets the address and gives up what waits. */
  async forget(): Promise<Result<null, Problem>> {
    const changed = await this.#options.settings.change({ webhook: null });
    if (!changed.ok) return changed;
    const atMs = this.#now();
    const state = { kind: 'given-up', atMs, because: 'the webhook was taken away' } as const;
    this.#keep(this.#deliveries.map((each) => (isWaiting(each) ? { ...each, state } : each)));
    return this.#options.secrets.forget(WEBHOOK_SECRET);
  }

  /** Sends what is due: after a start, and after the machine slept. */
  look(): void {
    clearTimeout(this.#timer);
    if (this.#closing.signal.aborted || this.#sending !== null) return;
    const waiting = this.#deliveries.filter(isWaiting);
    if (waiting.length === 0 || this.#options.settings.current().webhook === null) return;
    const next = waiting.reduce((a, b) => (b.state.nextTryMs < a.state.nextTryMs ? b : a));
    const leftMs = next.state.nextTryMs - this.#now();
    if (leftMs > 0) {
      this.#timer = setTimeout(() => this.look(), Math.min(leftMs, MAX_TIMER_MS));
      return;
    }
    this.#sending = this.#send(next).finally(() => {
      this.#sending = null;
      this.look();
    });
  }

  /** What is being sent is cut off and goes on after the next start. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#closing.abort();
    await this.#sending;
  }

  #add(message: AlarmMessage, isTest: boolean): void {
    const state = { kind: 'waiting', nextTryMs: this.#now(), because: null } as const;
    const added: Delivery = { id: randomUUID(), message, isTest, tries: 0, state };
    const kept = makeRoom([...this.#deliveries, added]);
    if (kept.lost > 0) {
      this.#options.onProblem(failed(`${kept.lost} more could not wait: too many do already`));
    }
    this.#keep(kept.deliveries);
    this.look();
  }

  async #send(delivery: WaitingDelivery): Promise<void> {
    const { kind = 'json' } = this.#options.settings.current().webhook ?? {};
    const endpoint = this.#endpoint();
    const outcome: PostOutcome =
      typeof endpoint === 'string'
        ? { kind: 'failed', because: endpoint, askedMs: null }
        : await postJson({
            url: endpoint.url,
            body: webhookBody(kind, endpoint.topic, delivery),
            id: delivery.id,
            signal: this.#closing.signal,
            ...(this.#options.timeoutMs !== undefined && { timeoutMs: this.#options.timeoutMs }),
          });
    // Cut off by us: whether it arrived is not known, so it is tried again after the next start, with the same id.
    if (this.#closing.signal.aborted && outcome.kind !== 'delivered') return;
    this.#settle(delivery, outcome);
  }

  #settle(sent: WaitingDelivery, outcome: PostOutcome): void {
    const tries = sent.tries + 1;
    const state = stateAfter(outcome, tries, this.#now());
    this.#keep(
      this.#deliveries.map((each) =>
        // Given up in the meantime, because the webhook was taken away: what happened after all is said.
        each.id === sent.id && (isWaiting(each) || state.kind === 'delivered')
          ? { ...each, tries, state }
          : each,
      ),
    );
    if (state.kind === 'given-up' && !sent.isTest) {
      this.#options.onProblem(failed(`“${sent.message.title}” did not arrive: ${state.because}`));
    }
  }

  /** Where to, or why that is not known. */
  #endpoint(): WebhookEndpoint | string {
    const { webhook } = this.#options.settings.current();
    const secret = this.#options.secrets.get(WEBHOOK_SECRET);
    if (webhook === null || !secret.ok || secret.value === null) {
      return 'its address is not known in this session: enter it again';
    }
    const url = secret.value.reveal();
    this.#options.redactor.register(url);
    const read = readWebhookUrl(webhook.kind, url, webhook.isPlainAllowed);
    return read.ok ? read.value : read.error.message;
  }

  #keep(deliveries: readonly Delivery[]): void {
    this.#deliveries = deliveries;
    const kept = this.#options.entries.write('', KEPT_AS, deliveries, this.#now());
    if (!kept.ok) this.#options.onProblem(kept.error);
    this.#publish();
  }

  #publish(): void {
    const { webhook } = this.#options.settings.current();
    const endpoint = webhook === null ? '' : this.#endpoint();
    const host = typeof endpoint === 'string' ? null : endpoint.url.host;
    this.#topic.publish({
      target: webhook === null ? null : { kind: webhook.kind, host },
      deliveries: [...this.#deliveries].reverse(),
    });
  }
}

type WaitingDelivery = Delivery & { readonly state: { readonly kind: 'waiting' } };

function isWaiting(delivery: Delivery): delivery is WaitingDelivery {
  return delivery.state.kind === 'waiting';
}

function stateAfter(outcome: PostOutcome, tries: number, nowMs: number): Delivery['state'] {
  if (outcome.kind === 'delivered') return { kind: 'delivered', atMs: nowMs };
  const { because } = outcome;
  const pauseMs = outcome.kind === 'failed' ? pauseAfter(tries, outcome.askedMs) : null;
  if (pauseMs === null) return { kind: 'given-up', atMs: nowMs, because };
  return { kind: 'waiting', nextTryMs: nowMs + pauseMs, because };
}

/** What is done with makes room first, the oldest of it; what waits goes only when everything does. */
function makeRoom(all: readonly Delivery[]): {
  readonly deliveries: readonly Delivery[];
  readonly lost: number;
} {
  const tooMany = all.length - MAX_DELIVERIES;
  if (tooMany <= 0) return { deliveries: all, lost: 0 };
  const done = all.filter((each) => !isWaiting(each)).slice(0, tooMany);
  const left = all.filter((each) => !done.includes(each));
  return {
    deliveries: left.slice(-MAX_DELIVERIES),
    lost: Math.max(0, left.length - MAX_DELIVERIES),
  };
}

function notSet(): Problem {
  return problem('bad-input', 'No webhook is set.');
}

function failed(what: string): Problem {
  return problem('webhook-failed', `The webhook was not reached: ${what}.`);
}
