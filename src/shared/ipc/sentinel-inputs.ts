import { z } from 'zod';
import { awaited, forMs } from '../sentinels/sentinel-schema.ts';
import { boxId } from './box-id.ts';

/** What a person waits for on a box. Nothing is changed there. */
export const sentinelInputs = {
  /** Looks for it every minute from now on, and tells when it happened; takes the place of one that waits for the same. */
  'sentinels:arm': z.strictObject({ boxId, awaited, forMs }),
  /** Waits for it no longer, or takes what came of it out of the list. */
  'sentinels:remove': z.strictObject({ boxId, id: z.uuid() }),
} as const;
