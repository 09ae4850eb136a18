import { z } from 'zod';

/** The record of what was proven. */
export const evidenceInputs = {
  /** Read-only: whether each entry is what was written. */
  'evidence:check': z.strictObject({}),
  /** Asks where to, then writes all of it there. */
  'evidence:export': z.strictObject({ format: z.enum(['json', 'markdown']) }),
  /** Asks where to, then writes one page about one entry there. */
  'evidence:receipt': z.strictObject({ seq: z.int().min(1) }),
} as const;
