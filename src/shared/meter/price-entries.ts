import { z } from 'zod';
import { moment } from '../moment.ts';
import { phases } from './interval.ts';
import { judgeRate } from './rate.ts';

const money = {
  micros: z.int().min(0),
  currency: z.string().regex(/^[A-Z]{3}$/),
};

/** The same rule for what a person types and for what is read back: nothing absurd is ever computed with. */
export const rateEntry = z
  .strictObject({ ...money, per: z.enum(['hour', 'month']) })
  .superRefine((rate, context) => {
    const judged = judgeRate(rate);
    if (!judged.ok) context.addIssue({ code: 'custom', message: judged.error });
  });

/** What bytes out of the datacenter cost. */
const egressEntry = z
  .strictObject({ ...money, per: z.literal('GB') })
  .superRefine((rate, context) => {
    const judged = judgeRate(rate);
    if (!judged.ok) context.addIssue({ code: 'custom', message: judged.error });
  });

const label = z.string().trim().min(1).max(200);

export const MAX_DISK_GB = 10_000_000;

/** What the person says a box costs. No rate: not known, which is not free. */
export const priceEntries = z.strictObject({
  /** For the whole box while it runs. */
  compute: rateEntry.nullable(),
  /** Disks by the name of their tier in the profile, where its rates hold, or with a price of their own. */
  disks: z
    .array(
      z.strictObject({
        tier: label,
        sizeGB: z.int().min(0).max(MAX_DISK_GB),
        /** A price of their own for each GB a month, by whether the box runs. */
        perGB: z.strictObject({ running: rateEntry, stopped: rateEntry }).nullable(),
      }),
    )
    .max(50),
  others: z
    .array(z.strictObject({ what: label, rate: rateEntry, isBilledWhileStopped: z.boolean() }))
    .max(50),
  /** Absent in what was written before there was such a price. */
  egress: egressEntry.nullable().default(null),
});
export type PriceEntries = Readonly<z.infer<typeof priceEntries>>;

/** One line of what the person adds to the ledger by hand. */
const chargeEntry = z.strictObject({
  kind: z.enum(['compute', 'storage', 'other']),
  what: label,
  rate: rateEntry,
});

/** Longer than anybody rents one machine. */
const MAX_LINE_MS = 10 * 366 * 86_400_000;

export const typedLine = z.strictObject({
  fromMs: moment,
  ms: z.int().min(1).max(MAX_LINE_MS),
  phase: z.enum(phases),
  /** None: nothing was billed. */
  charges: z.array(chargeEntry).max(20),
});

/** What stays within what, and when it is too much. */
export const budgetEntries = z
  .array(
    z.strictObject({
      id: z.uuid(),
      scope: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('all') }),
        z.strictObject({ kind: z.literal('box'), boxId: z.uuid() }),
        z.strictObject({ kind: z.literal('tag'), tag: label }),
      ]),
      per: z.enum(['day', 'month', 'ever']),
      limit: z.strictObject({ ...money, micros: z.int().min(1) }),
    }),
  )
  .max(100);
export type Budget = z.infer<typeof budgetEntries>[number];

/** By the id of the budget. */
export const budgetMarks = z.record(
  z.uuid(),
  z.strictObject({
    fromMs: z.int().min(0),
    limit: z.strictObject(money),
    told: z.enum(['near', 'over']),
  }),
);
