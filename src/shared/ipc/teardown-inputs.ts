import { z } from 'zod';
import { planRef } from '../plan/plan-schema.ts';
import { MOST_SECRETS } from '../teardown/read-secrets.ts';
import { boxId } from './box-id.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.string().trim().min(1).max(500);

/** The end of a box. SECURITY: none of these names what is done: main does what a person has approved, and only while the gate is open. */
export const teardownInputs = {
  /** Read-only: the boxes that are gone, as the evidence has them. */
  'teardown:archive': z.strictObject({}),
  /** Read-only: looks at all that would be lost. */
  'teardown:inspect': z.strictObject({ boxId }),
  /** Read-only: reads the copies on this computer again. */
  'teardown:read-copies': z.strictObject({ boxId }),
  'teardown:stop': z.strictObject({ boxId }),
  /** One loss, as it was shown, by what it is and what exactly would be lost. */
  'teardown:accept': z.strictObject({
    boxId,
    id: z.string().min(1).max(6000),
    loss: z.string().min(1).max(200),
    because: text,
  }),
  /** Read-only: by the names of files alone. */
  'teardown:look-for-secrets': z.strictObject({ boxId }),
  /** What would be removed of them. Changes nothing. */
  'teardown:plan-secrets': z.strictObject({
    boxId,
    keys: z.array(z.string().min(1).max(80)).min(1).max(MOST_SECRETS),
  }),
  /** Removes from the box what the plan has shown, and nothing else. */
  'teardown:remove-secrets': z.strictObject({ boxId, plan: planRef }),
  'teardown:leave-secrets': z.strictObject({ boxId }),
  'teardown:approve': z.strictObject({
    boxId,
    verb: text,
    digest: sha256,
    typed: z.string().max(200),
  }),
  'teardown:withdraw': z.strictObject({ boxId }),
  /** What was approved. */
  'teardown:begin': z.strictObject({ boxId }),
  /** `saidTo`: the person says that it is done, to what they had in front of them (`pictureOf`); null: only ask. */
  'teardown:confirm': z.strictObject({ boxId, saidTo: z.string().max(200).nullable() }),
  'teardown:begin-again': z.strictObject({ boxId }),
  'teardown:call-off': z.strictObject({ boxId }),
  /** Read-only: asks the provider what it lists and what it charges. */
  'teardown:account': z.strictObject({ boxId }),
} as const;
