import { z } from 'zod';
import { localPath } from './address.ts';

const files = z.array(localPath).max(20).readonly();

/** What the person says about logging in to a box. */
export const login = z.strictObject({
  /** Private keys to try, in this order. Empty: the agent and the usual files. */
  identityFiles: files,
  certificateFiles: files,
  /** Offer nothing that the agent holds beyond the named files: a server cuts off after a few wrong keys. */
  isOnlyIdentities: z.boolean(),
  /**
   * Lend the person's SSH agent to terminals on this box. SECURITY: set by the person for this box, after a warning; never
   * taken over from a config or a pasted command.
   */
  forwardAgent: z.boolean(),
});
export type Login = z.infer<typeof login>;
