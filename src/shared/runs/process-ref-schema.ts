// Apart from the type: the window has no use for the schema library.
import { z } from 'zod';
import type { NumberedProcess, ProcessRef } from './process-ref.ts';

/** Also as it is kept: what an older Leasehold wrote has no `bootId`. */
export const processRef = z.strictObject({
  bootId: z.string().max(4000).nullable().default(null),
  pid: z.int().min(0),
  startTicks: z.number().min(0),
}) satisfies z.ZodType<ProcessRef>;

export const numberedProcess = processRef.extend({
  startTicks: processRef.shape.startTicks.nullable(),
}) satisfies z.ZodType<NumberedProcess>;
