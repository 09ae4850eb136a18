// Apart from the type: the window has no use for the schema library.
import { z } from 'zod';
import type { PlanRef } from './plan.ts';

export const planRef = z.strictObject({
  id: z.uuid(),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
}) satisfies z.ZodType<PlanRef>;
