import { z } from 'zod';
import { isSecretPath, isVariableName, MAX_SECRET_CHARS, secretConsents } from './sent-secret.ts';

/** Where the value comes from: typed now, or one of the tokens that are kept here. */
const source = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('typed'),
    value: z.string().min(1).max(MAX_SECRET_CHARS),
    /** Keep it in this system's keyring, to send it to other boxes too. */
    isToBeKept: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('kept') }),
]);

export const secretToSend = z.strictObject({
  name: z.string().refine(isVariableName, 'not the name of a variable'),
  path: z.string().refine(isSecretPath, 'not a plain path that begins with / or ~/'),
  source,
  consents: z.array(z.enum(secretConsents)).max(secretConsents.length).readonly(),
});
export type SecretToSend = z.infer<typeof secretToSend>;
