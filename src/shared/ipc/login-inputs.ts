import { z } from 'zod';
import { proxy } from '../boxes/route.ts';
import { MAX_ANSWER_CHARS, MAX_PROMPTS } from '../questions/question.ts';
import { secretToSend } from '../secrets/secret-to-send.ts';
import type { IpcOutputs } from './contract.ts';
import { boxId } from './box-id.ts';

/** What a log-in asks for, keys, and secrets for boxes. */
export const loginInputs = {
  /** What the person typed, one value for each prompt. Secret: goes to whoever asked, and nowhere else. */
  'question:answer': z.strictObject({
    id: z.uuid(),
    values: z.array(z.string().max(MAX_ANSWER_CHARS)).min(1).max(MAX_PROMPTS),
    isToBeKept: z.boolean(),
  }),
  'question:dismiss': z.strictObject({ id: z.uuid() }),
  /** The public keys in ~/.ssh. */
  'key:choices': z.strictObject({}),
  /** Adds a public key on the box and logs in with it. `publicKeyFile` is one of the choices; null: Leasehold's own. */
  'key:install': z.strictObject({ boxId, publicKeyFile: z.string().min(1).max(1000).nullable() }),
  /** No key is offered for this box again. */
  'key:dismiss-offer': z.strictObject({ boxId }),
  /** What is kept, never what it is. */
  'secret:list': z.strictObject({}),
  /**
   * Writes a secret into a file on the box, over stdin. Where a file is in its place, or the place is shared with other
   * machines, the answer asks first and nothing was changed.
   */
  'secret:send': secretToSend.extend({ boxId }),
  'secret:stop-sending': z.strictObject({ boxId }),
  /** What was sent to the box, and how each file is there now. Read-only, and reads none of the files. */
  'secret:on-box': z.strictObject({ boxId }),
  /** Removes a file that a secret was sent into; main knows which ones those are. */
  'secret:remove-from-box': z.strictObject({ boxId, path: z.string().max(500) }),
  'secret:forget': z.strictObject({ name: z.string().max(100) }),
  /** For every box that goes through this proxy under this user name. */
  'secret:keep-proxy-password': z.strictObject({ proxy, password: z.string().min(1).max(255) }),
  'secret:forget-all': z.strictObject({}),
} satisfies Partial<Record<keyof IpcOutputs, z.ZodType>>;
