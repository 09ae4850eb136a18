import { z } from 'zod';
import { severities } from '../detectors/finding.ts';
import {
  MAX_CLUE_CHARS,
  MAX_HEADLINE_CHARS,
  MAX_INCIDENT_CHARS,
  type EntryDraft,
  type Incident,
} from './entry-draft.ts';
import { gotchaRoles, gotchaScopes, gotchaThemes } from './gotcha.ts';
import { MAX_ID_CHARS } from './ids.ts';

// Bounds only: what an entry must hold is the catalog's schema to say, field by field.
const line = z.string().max(4000);
const lines = z.array(line).max(50);

export const incidentInput = z.strictObject({
  text: z.string().max(MAX_CLUE_CHARS),
  headline: z.string().max(MAX_HEADLINE_CHARS).nullable(),
  severity: z.enum(severities).nullable(),
  platform: z.string().max(100).nullable(),
  beside: z.string().max(MAX_INCIDENT_CHARS),
  takenFor: z.string().max(MAX_ID_CHARS).nullable(),
}) satisfies z.ZodType<Incident>;

export const draftInput = z.strictObject({
  title: line,
  scope: z.enum(gotchaScopes),
  theme: z.enum(gotchaThemes),
  severity: z.enum(severities),
  role: z.enum(gotchaRoles),
  symptom: line,
  cause: line,
  fix: lines,
  asked: line.optional(),
  probes: z.array(z.strictObject({ probe: line, means: line })).max(50),
  signs: lines,
  related: lines,
  doubt: line.nullable(),
  duty: line.nullable(),
  verified: z.string().max(20).nullable(),
  source: line,
  answers: z
    .strictObject({
      rootCaused: z.enum(['yes', 'no']),
      reproduced: z.enum(['yes', 'mechanism', 'no']),
      general: z.enum(['yes', 'no']),
    })
    .nullable(),
  incident: line.nullable(),
}) satisfies z.ZodType<EntryDraft>;
