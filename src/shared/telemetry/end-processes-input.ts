// Apart from the types: the window must not load zod.
import { z } from 'zod';
import { planRef } from '../plan/plan-schema.ts';
import { MAX_ENDED_AT_ONCE } from './gpu-holders.ts';

export const endProcessesInput = z.strictObject({
  signal: z.enum(['TERM', 'KILL']),
  /** The look that listed them, as main kept it. */
  plan: planRef,
  pids: z.array(z.int().min(2).max(4_194_304)).min(1).max(MAX_ENDED_AT_ONCE),
});
export type EndProcessesInput = z.output<typeof endProcessesInput>;
