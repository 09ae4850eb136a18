import { isoUtc } from '../iso-time.ts';
import { z } from 'zod';
import { newsSchema, type News } from '../news/news.ts';
import type { WebhookKind } from './webhook-kinds.ts';

const moment = z.int().min(0);
const because = z.string().max(500);

const tried = {
  tries: z.int().min(0),
  state: z.discriminatedUnion('kind', [
    /** `because`: why the last try failed; null: there was none yet. */
    z.strictObject({
      kind: z.literal('waiting'),
      nextTryMs: moment,
      because: because.nullable(),
    }),
    z.strictObject({ kind: z.literal('delivered'), atMs: moment }),
    z.strictObject({ kind: z.literal('given-up'), atMs: moment, because }),
  ]),
};

/** The news is fixed when it happened: a late delivery says what was true then. Its id lets the other end tell a repeat. */
export interface Delivery extends Readonly<z.infer<z.ZodObject<typeof tried>>> {
  readonly news: News;
}

/** As earlier versions kept them. */
const earlier = z
  .strictObject({
    id: z.uuid(),
    message: z.strictObject({
      title: z.string(),
      body: z.string(),
      about: z.enum(['clock', 'budget', 'sentinel', 'test']).default('clock'),
      boxName: z.string(),
      clockId: z.string(),
      markMs: z.number().nullable(),
      share: z.number().nullable().default(null),
      endsAtMs: moment.nullable(),
      rangAtMs: moment,
    }),
    isTest: z.boolean(),
    ...tried,
  })
  .transform(({ id, message, tries, state }): Delivery => {
    const { title, body, about, boxName, clockId, markMs, share, endsAtMs, rangAtMs } = message;
    const news: News = {
      id,
      kind: about,
      atMs: rangAtMs,
      box: boxName === '' ? null : { id: '', name: boxName },
      title,
      body,
      severity: 'warn',
      shows: { kind: 'open-settings' },
      about: '',
      quietAt: 'nowhere',
      picture: 'hourglass_flowing_sand',
      facts: {
        clock: clockId,
        leftMs: markMs,
        share,
        endsAt: endsAtMs === null ? null : isoUtc(endsAtMs),
      },
    };
    return { news, tries, state };
  });

const delivery: z.ZodType<Delivery> = z.union([
  z.strictObject({ news: newsSchema, ...tried }),
  earlier,
]);

export const MAX_DELIVERIES = 50;
/** What is kept of them; the same rule for what is read back. */
export const deliveries = z.array(delivery).max(MAX_DELIVERIES);

/** What the settings page shows. SECURITY: of the address only the host: whoever knows the rest can write there. */
export interface WebhookState {
  readonly target: WebhookTarget | null;
  /** The newest first. */
  readonly deliveries: readonly Delivery[];
}

export interface WebhookTarget {
  readonly kind: WebhookKind;
  /** Null: the address is not known in this session; the person has to enter it again. */
  readonly host: string | null;
  /** Whether an access token goes along. SECURITY: never which. */
  readonly hasToken: boolean;
}
