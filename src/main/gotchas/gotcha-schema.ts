import { z } from 'zod';
import { severities } from '../../shared/detectors/finding.ts';
import {
  advicePlaces,
  capabilities,
  gotchaRoles,
  gotchaScopes,
  gotchaThemes,
  type Gotcha,
} from '../../shared/gotchas/gotcha.ts';
import { OWN_SOURCE } from '../../shared/gotchas/entry-draft.ts';
import { GOTCHA_ID, MAX_ID_CHARS } from '../../shared/gotchas/ids.ts';
import { MAX_SIGN_CHARS } from '../../shared/gotchas/sign.ts';
import { isFields, type Fields } from '../../shared/yaml/path.ts';

/** A file of another number was written for another Leasehold. */
export const GOTCHA_FORMAT = 1;

const text = z
  .string()
  .trim()
  .min(1, 'Write something here.')
  .max(2000, 'Write less than 2000 characters.');
const id = z
  .string()
  .max(MAX_ID_CHARS)
  .regex(GOTCHA_ID, 'Write an id in capitals, as in U23 or MY-1.');
const month = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Write the month as YYYY-MM, as in 2026-06.');
const path = z
  .string()
  .max(200)
  .regex(/^(src|e2e|resources)\/[\w./-]+$/, 'Write a path in the repository, as in src/main/x.ts.');

const coverage = z.union([
  z.strictObject({ sameAs: z.array(id).min(1).max(5) }),
  z.strictObject({
    done: z.array(z.strictObject({ does: text, module: path, test: path })).max(10),
    shown: z.array(z.enum(advicePlaces)).max(advicePlaces.length),
    planned: z.array(z.enum(capabilities)).max(capabilities.length),
    beyond: text.optional(),
  }),
]);

const name = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, 'Write a name in small letters, as in run-ended.');
const stepNumber = z.int().min(1).max(20);
const short = text.max(30, 'Write less than 30 characters.');
/** It is put at a prompt of the box for a person to run: no character of it may do so by itself. */
const command = text.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'Write one line.');

/** What an alert says; see `AlertTexts`. */
const alert = z.strictObject({
  short,
  commands: z.array(command).max(10).default([]),
  says: z.record(
    name,
    z.strictObject({
      short: short.nullable().default(null),
      headline: text,
      means: text.nullable().default(null),
      fix: z
        .array(z.union([stepNumber, text, z.strictObject({ of: id, step: stepNumber })]))
        .min(1)
        .max(20)
        .nullable()
        .default(null),
    }),
  ),
  phrases: z.record(name, text).default({}),
});

const answers = z.strictObject({
  rootCaused: z.enum(['yes', 'no']),
  reproduced: z.enum(['yes', 'mechanism', 'no']),
  general: z.enum(['yes', 'no']),
});

/** An earlier Leasehold had other names for these, which a file of the person's own may still have. */
export function withNewNames(entry: unknown): unknown {
  if (!isFields(entry)) return entry;
  const renamed = rename(entry, 'evidence', 'probes');
  const { alert: told } = renamed;
  return isFields(told) ? { ...renamed, alert: rename(told, 'look', 'commands') } : renamed;
}

/** Where both names stand, the old one is a fault that is told. */
function rename(fields: Fields, from: string, to: string): Fields {
  if (!(from in fields) || to in fields) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name === from ? to : name, value]),
  );
}

const entryFields = z
  .strictObject({
    id,
    title: text,
    scope: z.enum(gotchaScopes).default('universal'),
    theme: z.enum(gotchaThemes),
    severity: z.enum(severities),
    role: z.enum(gotchaRoles).default('advice'),
    symptom: text,
    cause: text,
    fix: z.array(text).min(1, 'Write at least one step.').max(20),
    alert: alert.nullable().default(null),
    probes: z
      .array(z.strictObject({ probe: text, means: text }))
      .max(20)
      .default([]),
    asked: text.optional(),
    signs: z
      .array(z.string().trim().min(4, 'A sign needs four characters or more.').max(MAX_SIGN_CHARS))
      .max(30)
      .default([]),
    related: z.array(id).max(20).default([]),
    doubt: text.nullable().default(null),
    duty: text.nullable().default(null),
    verified: month.nullable().default(null),
    source: text,
    answers: answers.nullable().default(null),
    incident: text.nullable().default(null),
    coverage: coverage.nullable().default(null),
  })
  .superRefine(({ fix, alert: told }, context) => {
    for (const [variant, { fix: steps }] of Object.entries(told?.says ?? {})) {
      for (const [at, step] of (steps ?? []).entries()) {
        if (typeof step !== 'number' || step <= fix.length) continue;
        context.addIssue({
          code: 'custom',
          path: ['alert', 'says', variant, 'fix', at],
          message: `Write the number of a step, from 1 to ${String(fix.length)}, or the step itself.`,
        });
      }
    }
  })
  .superRefine(({ verified, source }, context) => {
    if (verified !== null || source === 'general' || source === OWN_SOURCE) return;
    context.addIssue({
      code: 'custom',
      path: ['verified'],
      message: `Say when this was verified, or write "source: general" for what is true anywhere, "source: ${OWN_SOURCE}" for what you saw.`,
    });
  });

/** One entry. What a person's own one may leave out has a default. */
export const gotchaSchema = z.preprocess(withNewNames, entryFields) satisfies z.ZodType<Gotcha>;

/** A file as a whole; entries are checked one by one, so that each fault has its line. */
export const gotchaFileSchema = z.strictObject({
  format: z.literal(GOTCHA_FORMAT),
  entries: z.array(gotchaSchema).max(300, 'Keep at most 300 entries in a file.'),
});
