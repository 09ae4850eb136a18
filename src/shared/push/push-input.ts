import { z } from 'zod';
import { runId } from '../runs/launch/run-request-schema.ts';
import { processRef } from '../runs/process-ref-schema.ts';
import { webhookKinds } from '../webhook/webhook-kinds.ts';
import { PUSH_ID } from './push-waiter.ts';

/** Where a box should post to: the webhook of Settings, the address that was used before, or one that was typed just now. */
export const pushDestination = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('webhook') }),
  z.strictObject({ kind: z.literal('own') }),
  z.strictObject({
    kind: z.literal('typed'),
    webhookKind: z.enum(webhookKinds),
    url: z.string().min(1).max(2000),
    /** Of the header Authorization; empty: none. */
    token: z.string().max(4000),
    isPlainAllowed: z.boolean(),
  }),
]);
export type PushDestination = Readonly<z.infer<typeof pushDestination>>;

export const pushWanted = z.strictObject({
  /** A run as the patrol listed it, or one that was launched: main asks the box which process keeps that. */
  run: z.union([processRef, z.strictObject({ launched: runId })]),
  to: pushDestination,
  maxHours: z.int().min(1).max(336),
});
export type PushWanted = Readonly<z.infer<typeof pushWanted>>;

export const pushWaiterId = z.string().max(60).regex(PUSH_ID);
