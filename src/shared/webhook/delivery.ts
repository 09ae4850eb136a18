import { z } from 'zod';
import type { WebhookKind } from './webhook-kinds.ts';

export const MAX_TITLE_CHARS = 500;
export const MAX_BODY_CHARS = 2000;

const moment = z.int().min(0);
const because = z.string().max(500);

/** What is told of one alarm. Fixed when it rang: a late delivery says what was true then, and when that was. */
const alarmMessage = z.strictObject({
  title: z.string().max(MAX_TITLE_CHARS),
  body: z.string().max(MAX_BODY_CHARS),
  /** Of an earlier version that told of clocks only. */
  about: z.enum(['clock', 'budget', 'sentinel', 'test']).default('clock'),
  /** Empty: of no single box. */
  boxName: z.string().max(200),
  clockId: z.string().max(200),
  /** So much time was left; 0: it is over; null: it is about no clock. */
  markMs: z.number().nullable(),
  /** Of a budget, how much of it is spent; 1: all of it. */
  share: z.number().nullable().default(null),
  endsAtMs: moment.nullable(),
  rangAtMs: moment,
});
export type AlarmMessage = Readonly<z.infer<typeof alarmMessage>>;

const delivery = z.strictObject({
  /** In the body of every try, so that the other end can tell a repeat. */
  id: z.uuid(),
  message: alarmMessage,
  isTest: z.boolean(),
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
});
export type Delivery = Readonly<z.infer<typeof delivery>>;

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
