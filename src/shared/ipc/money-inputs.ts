import { z } from 'zod';
import { moment } from '../moment.ts';
import { accountEntry, clockEntries } from '../clocks/clock-entries.ts';
import { phases } from '../meter/interval.ts';
import { budgetEntries, priceEntries, typedLine } from '../meter/price-entries.ts';
import { MAX_DAYS } from '../meter/spend-days.ts';
import { webhookKinds } from '../webhook/webhook-kinds.ts';
import type { IpcOutputs } from './contract.ts';
import { boxId } from './box-id.ts';

/** Prices, the ledger, clocks, and who is told of them. */
export const moneyInputs = {
  /** What was before stays as it was priced then. */
  'meter:set-prices': z.strictObject({
    boxId,
    prices: priceEntries,
    /** Since when they have held already; null: from now on. */
    fromMs: moment.nullable(),
  }),
  /** The person did it at the platform, or saw it there. Nothing is done to the box. */
  'meter:set-phase': z.strictObject({ boxId, phase: z.enum(phases) }),
  /** Every line that was ever written, also those that count no more. */
  'meter:ledger': z.strictObject({ boxId }),
  /** A line of the person's own, for time that nobody saw. */
  'meter:add-line': typedLine.extend({ boxId }),
  /** Takes a line out of all sums; it stays, with the reason. */
  'meter:take-out': z.strictObject({
    boxId,
    no: z.int().min(1),
    reason: z.string().trim().min(1).max(500),
  }),
  /** Takes a line out and puts in its place what the person says was true. */
  'meter:correct': typedLine.extend({
    boxId,
    no: z.int().min(1),
    reason: z.string().trim().min(1).max(500),
  }),
  /** How the box was in a time that nobody saw. */
  'meter:settle': z.strictObject({ boxId, no: z.int().min(1), as: z.enum(phases) }),
  /** Bytes out of the datacenter, which the person read somewhere. */
  'meter:add-transfer': z.strictObject({
    boxId,
    atMs: moment,
    what: z.string().trim().min(1).max(200),
    bytes: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  }),
  /** What each of the last days cost, of one box or of all that there ever were. */
  'meter:days': z.strictObject({ boxId: boxId.nullable(), days: z.int().min(1).max(MAX_DAYS) }),
  /** Asks where to, then writes every line of the ledger as CSV, of one box or of all. */
  'meter:export': z.strictObject({ boxId: boxId.nullable() }),
  /** Each with whether it is kept. */
  'meter:budgets': z.strictObject({}),
  'meter:set-budgets': z.strictObject({ budgets: budgetEntries }),
  'clocks:entries': z.strictObject({ boxId }),
  'clocks:set-entries': z.strictObject({ boxId, entries: clockEntries }),
  'clocks:account': z.strictObject({ platform: z.string().min(1).max(100) }),
  /** What the platform's page says of the account; null takes it back. */
  'clocks:set-account': z.strictObject({
    platform: z.string().min(1).max(100),
    account: accountEntry.nullable(),
  }),
  /** Tells nothing of this clock before that moment, which must come before the clock runs out; null takes it back. */
  'clocks:snooze': z.strictObject({
    boxId,
    clockId: z.string().min(1).max(200),
    untilMs: moment.nullable(),
  }),
  /** Alarms are posted there from now on. Address and token are secrets: they go into the secrets, and never back to the window. */
  'webhook:set': z.strictObject({
    kind: z.enum(webhookKinds),
    url: z.string().min(1).max(2000),
    /** Of the header Authorization; empty: none, and one that was kept is forgotten. */
    token: z.string().max(4000),
    isPlainAllowed: z.boolean(),
  }),
  /** Forgets the address, and gives up what was not delivered yet. */
  'webhook:forget': z.strictObject({}),
  'webhook:test': z.strictObject({}),
} satisfies Partial<Record<keyof IpcOutputs, z.ZodType>>;
