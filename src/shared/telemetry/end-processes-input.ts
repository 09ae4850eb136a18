// Apart from the types: the window must not load zod.
import { z } from 'zod';
import { MAX_ENDED_AT_ONCE } from './gpu-holders.ts';

export const endProcessesInput = z.strictObject({
  signal: z.enum(['TERM', 'KILL']),
  processes: z
    .array(z.strictObject({ pid: z.int().min(2).max(4_194_304), startTicks: z.int().min(0) }))
    .min(1)
    .max(MAX_ENDED_AT_ONCE),
});
export type EndProcessesInput = z.output<typeof endProcessesInput>;
