import { z } from 'zod';
import type { PushDestination } from '../../shared/push/push-input.ts';
import type { PushTarget } from '../../shared/push/push-message.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { parseJson } from '../../shared/salvage.ts';
import type { TellsTo } from '../../shared/runs/launch/known-box.ts';
import type { WebhookTarget } from '../../shared/webhook/delivery.ts';
import { webhookKinds } from '../../shared/webhook/webhook-kinds.ts';
import type { Redactor } from '../log/redact.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { readAuthorization } from '../webhook/webhook-secret.ts';
import { isLoopback, readWebhookUrl } from '../webhook/webhook-url.ts';
import type { Webhook } from '../webhook/webhook.ts';

/** In the secrets. */
export const PUSH_SECRET = 'push:address';

/** As it is kept: one secret, so that a token goes to no address but its own. */
const kept = z.strictObject({
  kind: z.enum(webhookKinds),
  address: z.url(),
  topic: z.string(),
  authorization: z.string().nullable(),
});

export interface PushTargetsOptions {
  readonly webhook: Pick<Webhook, 'target'>;
  readonly secrets: Pick<Secrets, 'get' | 'set'>;
  readonly redactor: Pick<Redactor, 'register'>;
}

/** Where boxes may post to. SECURITY: all but what `describeTarget` leaves stays in main. */
export class PushTargets {
  readonly #options: PushTargetsOptions;

  constructor(options: PushTargetsOptions) {
    this.#options = options;
  }

  find(to: PushDestination): Result<PushTarget, Problem> {
    switch (to.kind) {
      case 'webhook': {
        const target = this.#options.webhook.target();
        if (!target.ok) return target;
        const { kind, url, topic, authorization } = target.value;
        return ok({ kind, address: url.href, topic, authorization });
      }
      case 'own': {
        const own = this.#own();
        if (!own.ok) return own;
        return own.value === null
          ? err(problem('secret-unreadable', 'That address is not kept here any more.'))
          : ok(own.value);
      }
      case 'typed':
        return this.#readTyped(to);
    }
  }

  /** Where a launch has its box post to: the webhook of Settings, else the address that was used before. Null: none can be used. */
  usual(): TellsTo | null {
    for (const via of ['webhook', 'own'] as const) {
      const found = this.find({ kind: via });
      if (!found.ok) continue;
      const { host, hostname } = new URL(found.value.address);
      return { via, host, isBoxItself: isLoopback(hostname) };
    }
    return null;
  }

  /** What was used before; null: none is kept, or it cannot be read, which `find` says. */
  own(): WebhookTarget | null {
    const own = this.#own();
    return own.ok && own.value !== null ? describeTarget(own.value) : null;
  }

  async keep(target: PushTarget): Promise<Result<unknown, Problem>> {
    return this.#options.secrets.set(PUSH_SECRET, JSON.stringify(target));
  }

  #own(): Result<PushTarget | null, Problem> {
    const found = this.#options.secrets.get(PUSH_SECRET);
    if (!found.ok || found.value === null) return found.ok ? ok(null) : found;
    const read = kept.safeParse(parseJson(found.value.reveal()));
    if (!read.success) {
      return err(problem('secret-unreadable', 'The address that is kept cannot be read.'));
    }
    this.#hide(read.data);
    return ok(read.data);
  }

  #readTyped(to: Extract<PushDestination, { kind: 'typed' }>): Result<PushTarget, Problem> {
    const { webhookKind: kind, url, token, isPlainAllowed } = to;
    this.#options.redactor.register(url.trim());
    this.#options.redactor.register(token.trim());
    const endpoint = readWebhookUrl(kind, url, isPlainAllowed);
    if (!endpoint.ok) return endpoint;
    // Slack's addresses let in whoever knows them.
    const authorization = readAuthorization(kind === 'slack' ? '' : token);
    if (!authorization.ok) return authorization;
    const target = {
      kind,
      address: endpoint.value.url.href,
      topic: endpoint.value.topic,
      authorization: authorization.value,
    };
    this.#hide(target);
    return ok(target);
  }

  /** SECURITY: from now on none of it stands in the log, whatever writes it there. */
  #hide({ address, topic, authorization }: PushTarget): void {
    const { redactor } = this.#options;
    // Of a public server the bare address is no secret, and the topic is.
    redactor.register(topic === '' ? address : `${address}${topic}`);
    if (topic !== '') redactor.register(topic);
    if (authorization === null) return;
    redactor.register(authorization);
    redactor.register(authorization.replace(/^\S+ /, ''));
  }
}

export function describeTarget({ kind, address, authorization }: PushTarget): WebhookTarget {
  return { kind, host: new URL(address).host, hasToken: authorization !== null };
}
