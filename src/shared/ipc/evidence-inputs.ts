import { z } from 'zod';
import { runId } from '../runs/launch/run-request-schema.ts';
import { isFigure } from '../verify/numbers/compare-figures.ts';
import { numberKey } from '../verify/numbers/number-key-schema.ts';
import { boxId } from './box-id.ts';

const path = z.string().min(1).max(5000);
const ONE_LINE = /^[^\r\n\0]+$/;

/** The record of what was proven. */
export const evidenceInputs = {
  /** Read-only: whether each entry is what was written. */
  'evidence:check': z.strictObject({}),
  /** Asks where to, then writes all of it there. */
  'evidence:export': z.strictObject({ format: z.enum(['json', 'markdown']) }),
  /** Asks where to, then writes one page about one entry there. */
  'evidence:receipt': z.strictObject({
    seq: z.int().min(1),
    /** JSON can be checked later, by `cli -- evidence check --receipt`. */
    format: z.enum(['markdown', 'json']).default('markdown'),
  }),
  /** Read-only: the same page, to be read and printed; null: there is no such entry. */
  'evidence:receipt-page': z.strictObject({ seq: z.int().min(1) }),
  /** Read-only: the numbers of one file of a run's results that came home. */
  'evidence:numbers': z.strictObject({ boxId, runId, path }),
  /** Reads the numbers that a person reports again from the copy on this computer, and keeps that as evidence. */
  'evidence:reread': z.strictObject({
    boxId,
    runId,
    numbers: z
      .array(
        z.strictObject({
          path,
          key: numberKey,
          name: z.string().trim().min(1).max(120).regex(ONE_LINE).nullable(),
          figure: z.string().trim().max(60).refine(isFigure).nullable(),
        }),
      )
      .min(1)
      .max(200),
  }),
  /** Takes one file that came home damaged, as it is on the box, and keeps that as evidence. `sha256`: of the bytes that were shown. */
  'evidence:accept': z.strictObject({
    boxId,
    runId,
    path,
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    because: z.string().trim().min(1).max(200).regex(ONE_LINE),
  }),
  /** Read-only: those that were kept last, and what stands there now; null: none were. */
  'evidence:reported': z.strictObject({ boxId, runId }),
  /** Read-only: which Python a person has chosen to load files of torch with; null: none. */
  'evidence:python': z.strictObject({}),
  /** Asks the person for that program. */
  'evidence:choose-python': z.strictObject({}),
  /** Has it load one file of a run's results that came home, without network. Nothing is kept, and no file counts as loaded for it. */
  'evidence:ask-python': z.strictObject({ boxId, runId, path }),
  'evidence:stop-python': z.strictObject({}),
} as const;
