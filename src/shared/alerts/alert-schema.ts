import { z } from 'zod';
import {
  detectorIds,
  severities,
  type Clue,
  type Finding,
  type Found,
} from '../detectors/finding.ts';
import type { Phrase, Values } from '../detectors/says.ts';
import { processRef } from '../runs/process-ref-schema.ts';
import type { LookSubject } from '../patrol/look-detector.ts';
import type { Money } from '../money.ts';
import { MAX_SPANS, MAX_STEPS, type Alert } from './alert.ts';

// An alert on its way out of the database: a bit may have flipped, a tool may have edited it.

const ms = z.number();
const text = z.string().max(10_000);
const severity = z.enum(severities);

const money: z.ZodType<Money> = z.strictObject({
  micros: z.int(),
  currency: z.string().min(1).max(10),
});

const clue: z.ZodType<Clue> = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('figure'),
    label: text,
    value: z.number(),
    unit: text,
    windowMs: ms.nullable(),
  }),
  z.strictObject({
    kind: z.literal('line'),
    line: text,
    // Not in alerts that an older Leasehold kept.
    file: text.exactOptional(),
    atMs: ms.exactOptional(),
  }),
]);

const placeSubjects = [
  z.strictObject({ kind: z.literal('box') }),
  z.strictObject({ kind: z.literal('mount'), path: text }),
  processRef.extend({ kind: z.literal('run'), command: text.nullable() }),
] as const;

export const lookSubjectSchema: z.ZodType<LookSubject> = z.discriminatedUnion(
  'kind',
  placeSubjects,
);

const foundFields = {
  severity,
  wastedShare: z.number().nullable(),
  clues: z.array(clue).max(200),
  isEvent: z.literal(true).exactOptional(),
};

const phrase: z.ZodType<Phrase> = z.strictObject({
  phrase: text,
  values: z.lazy(() => values),
});
const values: z.ZodType<Values> = z.record(
  z.string().max(40),
  z.union([text, z.number(), phrase, z.array(z.union([text, phrase])).max(50)]),
);

/** What a rule found, as a patrol keeps it for whoever can tell of it. */
export const foundSchema: z.ZodType<Found> = z.strictObject({
  kind: z.literal('found'),
  says: z.strictObject({ variant: text, values, also: z.enum(detectorIds).exactOptional() }),
  caveat: z.union([text, phrase]).nullable(),
  ...foundFields,
});

const words = {
  title: text,
  // Not in alerts that an older Leasehold kept; one in between called the commands a look.
  short: text.exactOptional(),
  commands: z.array(text).max(10).exactOptional(),
  look: z.array(text).max(10).exactOptional(),
  headline: text,
  means: text,
  fix: z.array(text).max(50),
  caveat: text.nullable(),
};

const finding: z.ZodType<Finding> = z
  .strictObject({
    detector: z.enum(detectorIds),
    ...words,
    subject: z.discriminatedUnion('kind', [
      ...placeSubjects,
      z.strictObject({
        kind: z.literal('gpu'),
        index: z.int().min(0),
        uuid: z.string().min(1).max(200).nullable(),
      }),
    ]),
    ...foundFields,
    sinceMs: ms,
    lastSeenMs: ms,
    costPerHour: money.nullable(),
    notSeenBecause: text.nullable(),
  })
  .transform(({ short, commands, look, ...rest }) => ({
    ...rest,
    short: short ?? rest.title,
    commands: commands ?? look ?? [],
  }));

const by = z.enum(['check', 'person']);

/** The same as what is kept, so that a field that is added to one and not to the other does not compile. */
export const alertSchema: z.ZodType<Alert> = z.strictObject({
  id: z.uuid(),
  finding,
  stage: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('open') }),
    z.strictObject({ kind: z.literal('seen'), atMs: ms }),
    z.strictObject({ kind: z.literal('snoozed'), atMs: ms, untilMs: ms }),
    z.strictObject({
      kind: z.literal('resolved'),
      atMs: ms,
      by,
      snoozedUntilMs: ms.nullable(),
    }),
  ]),
  worst: severity,
  told: severity.nullable(),
  spans: z
    .array(z.strictObject({ fromMs: ms, lastSeenMs: ms, toMs: ms.nullable() }))
    .min(1)
    .max(MAX_SPANS),
  cost: z.strictObject({ amounts: z.array(money).max(200), seenMs: ms, unpricedMs: ms }),
  steps: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.enum(['opened', 'worse', 'back']), atMs: ms, severity }),
        z.strictObject({ kind: z.enum(['seen', 'woken']), atMs: ms }),
        z.strictObject({ kind: z.literal('snoozed'), atMs: ms, untilMs: ms }),
        z.strictObject({ kind: z.literal('resolved'), atMs: ms, by }),
      ]),
    )
    .max(MAX_STEPS),
});

/** Cut to what can be read again. A clue is hostile, and may be a megabyte long. */
export function fitToKeep(alert: Alert): Alert {
  const { finding: found } = alert;
  const cut = found.clues.slice(0, 200).map((each): Clue => {
    if (each.kind === 'figure') return each;
    const file = each.file === undefined ? {} : { file: each.file.slice(0, 2000) };
    return { ...each, line: each.line.slice(0, 2000), ...file };
  });
  return { ...alert, finding: { ...found, clues: cut } };
}
