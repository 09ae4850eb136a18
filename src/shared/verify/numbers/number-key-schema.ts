import { z } from 'zod';
import { MAX_KEY_PARTS, type NumberKey } from './number-key.ts';

const MAX_PART_CHARS = 5000;

export const numberKey = z.strictObject({
  parts: z
    .array(z.union([z.string().max(MAX_PART_CHARS), z.int().min(0)]))
    .min(1)
    .max(MAX_KEY_PARTS),
  row: z
    .union([
      z.strictObject({ kind: z.enum(['last', 'lowest', 'highest']) }),
      z.strictObject({ kind: z.literal('step'), step: z.int() }),
    ])
    .nullable(),
}) satisfies z.ZodType<NumberKey>;
