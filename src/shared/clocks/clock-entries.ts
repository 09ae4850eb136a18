import { z } from 'zod';
import { setTimes, timerStarts } from '../profiles/profile.ts';
import { MAX_EXTENSIONS, type ClockEntries } from './clock.ts';
import { MAX_WALLTIMES, NO_WALLTIMES, type Walltimes } from './walltimes.ts';

/** From 2000 to 2100: what is outside was typed or computed wrongly. */
const moment = z.int().min(946_684_800_000).max(4_102_444_800_000);

const optionalMoments = <K extends string>(keys: readonly K[]) =>
  z.partialRecord(z.enum(keys), moment);

/** What the person says about the times of a box; the same rule for what is read back. */
export const clockEntries: z.ZodType<ClockEntries> = z.strictObject({
  isSpot: z.boolean().nullable(),
  starts: optionalMoments(timerStarts),
  // Kept by no earlier version.
  startsSaidAtMs: optionalMoments(timerStarts).default({}),
  times: optionalMoments(setTimes),
  warningLeadMs: z
    .int()
    .min(0)
    .max(30 * 86_400_000)
    .nullable(),
  prepaidUntilMs: moment.nullable(),
  deadlines: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[a-z0-9-]{1,40}$/),
        what: z.string().trim().min(1).max(200),
        atMs: moment,
      }),
    )
    .max(20),
  quotaUsed: z.strictObject({ ms: z.int().min(0), asOfMs: moment }).nullable(),
  // Kept by no earlier version.
  extensions: z
    .array(
      z.strictObject({
        clockId: z.string().min(1).max(200),
        moved: z.enum(['end', 'start']),
        saidAtMs: moment,
        fromMs: moment.nullable(),
        toMs: moment,
      }),
    )
    .max(MAX_EXTENSIONS)
    .default([]),
});

/** A balance may be below zero; nothing else about money may. */
export const accountEntry = z.strictObject({
  balance: z.strictObject({ micros: z.int(), currency: z.string().regex(/^[A-Z]{3}$/) }),
  asOfMs: moment,
});
export type AccountEntry = Readonly<z.infer<typeof accountEntry>>;

/** The ends of jobs that were measured on a box. An earlier version kept one moment, the first of them. */
export const keptWalltimes: z.ZodType<Walltimes> = z.union([
  z.strictObject({
    ends: z
      .array(z.strictObject({ job: z.string().max(40).nullable(), endMs: moment }))
      .max(MAX_WALLTIMES),
    more: z.int().min(0),
  }),
  moment
    .nullable()
    .transform((endMs) =>
      endMs === null ? NO_WALLTIMES : { ends: [{ job: null, endMs }], more: 0 },
    ),
]);

/** What was told of each clock of a box, by the clock's id. */
export const markStates = z.record(
  z.string().max(200),
  z.strictObject({
    atMs: z.number(),
    toldMs: z.number().nullable(),
    snoozedUntilMs: z.number().nullable(),
  }),
);
