import { randomUUID } from 'node:crypto';
import type { News } from '../../shared/news/news.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Settings, SettingsPatch } from '../../shared/settings/settings.ts';
import { webhookStream } from '../../shared/streams/app-streams.ts';
import { pauseAfter } from '../../shared/webhook/back-off.ts';
import {
  deliveries as deliveriesSchema,
  MAX_DELIVERIES,
  type Delivery,
  type WebhookState,
} from '../../shared/webhook/delivery.ts';
import { NO_WEBHOOK } from '../../shared/webhook/no-webhook.ts';
import { TEST, testNews } from '../../shared/webhook/test-news.ts';
import { webhookBody } from '../../shared/webhook/webhook-body.ts';
import type { WebhookKind } from '../../shared/webhook/webhook-kinds.ts';
import type { Redactor } from '../log/redact.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';
import { postJson, type PostOutcome } from './post-json.ts';
import type { FindProxies } from './way-out.ts';
import {
  packSecret,
  readAuthorization,
  unpackSecret,
  WEBHOOK_SECRET,
  type WebhookSecret,
} from './webhook-secret.ts';
import { readWebhookUrl, type WebhookEndpoint } from './webhook-url.ts';

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
  readonly findProxies: FindProxies;
  readonly onProblem: (found: Problem) => void;
  readonly now?: () => number;
  readonly timeoutMs?: number;
}

/** Where to, with what it takes to be let in. */
export interface Target extends WebhookEndpoint {
  readonly authorization: string | null;
}

export interface WebhookWanted {
  readonly kind: WebhookKind;
  readonly url: string;
  /** As it was typed; empty: none. */
  readonly token: string;
  readonly isPlainAllowed: boolean;
}

/**
 * Tells news to an address that the person entered. What is to be told is kept before it is sent, goes on after a restart,
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
    if (!read.ok) {
      onProblem(failed('what still waited for it cannot be read and was put aside'));
      const aside = entries.setAside('', KEPT_AS, now());
      if (!aside.ok) onProblem(aside.error);
    }
    this.#deliveries = read.ok ? (read.value ?? []) : [];
    this.#publish();
    this.look();
  }

  /** Nothing happens where no webhook is set, nor with what it has taken before. */
  take(news: News): void {
    if (this.#options.settings.current().webhook === null) return;
    if (this.#deliveries.some((each) => each.news.id === news.id)) return;
    const state = { kind: 'waiting', nextTryMs: this.#now(), because: null } as const;
    const kept = makeRoom([...this.#deliveries, { news, tries: 0, state }]);
    if (kept.lost > 0) {
      this.#options.onProblem(failed(`${kept.lost} more could not wait: too many do already`));
    }
    this.#keep(kept.deliveries);
    this.look();
  }

  /** Puts a message of its own behind what waits; the list shows what came of it. */
  test(): Result<null, Problem> {
    if (this.#options.settings.current().webhook === null) return err(notSet());
    this.take(testNews({ id: randomUUID(), atMs: this.#now() }));
    return ok(null);
  }

  /** From now on alarms go there, those that still wait too. */
  async set({ kind, url, token, isPlainAllowed }: WebhookWanted): Promise<Result<null, Problem>> {
    this.#hide({ url, authorization: token.trim() });
    const read = readWebhookUrl(kind, url, isPlainAllowed);
    if (!read.ok) return read;
    // Slack's addresses let in whoever knows them.
    const authorization = readAuthorization(kind === 'slack' ? '' : token);
    if (!authorization.ok) return authorization;
    const secret = packSecret({ url: url.trim(), authorization: authorization.value });
    const saved = await this.#options.secrets.set(WEBHOOK_SECRET, secret);
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

  /** For who posts there by a way of its own. SECURITY: as secret as what is kept. */
  target(): Result<Target & { readonly kind: WebhookKind }, Problem> {
    const { webhook } = this.#options.settings.current();
    if (webhook === null) return err(notSet());
    const target = this.#target();
    return typeof target === 'string'
      ? err(problem('secret-unreadable', `The webhook cannot be used: ${target}.`))
      : ok({ ...target, kind: webhook.kind });
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

  async #send(delivery: WaitingDelivery): Promise<void> {
    const { kind = 'json' } = this.#options.settings.current().webhook ?? {};
    const target = this.#target();
    const outcome: PostOutcome =
      typeof target === 'string'
        ? { kind: 'failed', because: target, askedMs: null }
        : await postJson({
            url: target.url,
            body: webhookBody(kind, target.topic, delivery.news),
            id: delivery.news.id,
            authorization: target.authorization,
            findProxies: this.#options.findProxies,
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
        each.news.id === sent.news.id && (isWaiting(each) || state.kind === 'delivered')
          ? { ...each, tries, state }
          : each,
      ),
    );
    if (state.kind === 'given-up' && sent.news.kind !== TEST.kind) {
      this.#options.onProblem(failed(`“${sent.news.title}” did not arrive: ${state.because}`));
    }
  }

  /** Where to, or why that is not known. */
  #target(): Target | string {
    const { webhook } = this.#options.settings.current();
    const kept = this.#options.secrets.get(WEBHOOK_SECRET);
    if (webhook === null || !kept.ok || kept.value === null) {
      return 'its address is not known in this session: enter it again';
    }
    const secret = unpackSecret(kept.value.reveal());
    this.#hide(secret);
    const read = readWebhookUrl(webhook.kind, secret.url, webhook.isPlainAllowed);
    if (!read.ok) return read.error.message;
    return { ...read.value, authorization: secret.authorization };
  }

  /** SECURITY: from now on neither stands in the log, whatever writes it there. */
  #hide({ url, authorization }: WebhookSecret): void {
    const { redactor } = this.#options;
    redactor.register(url);
    if (authorization === null) return;
    redactor.register(authorization);
    // Without its scheme, as it may come back in an answer.
    redactor.register(authorization.replace(/^\S+ /, ''));
  }

  #keep(deliveries: readonly Delivery[]): void {
    this.#deliveries = deliveries;
    const kept = this.#options.entries.write('', KEPT_AS, deliveries, this.#now());
    if (!kept.ok) this.#options.onProblem(kept.error);
    this.#publish();
  }

  #publish(): void {
    const { webhook } = this.#options.settings.current();
    const target = webhook === null ? '' : this.#target();
    const isKnown = typeof target !== 'string';
    const host = isKnown ? target.url.host : null;
    const hasToken = isKnown && target.authorization !== null;
    this.#topic.publish({
      target: webhook === null ? null : { kind: webhook.kind, host, hasToken },
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
