import { z } from 'zod';
import { localPath } from './address.ts';

/** The rest of what an SSH config can say about a box: how it is recognised, how its link is kept, where it is from. */
export const boxOptions = z.strictObject({
  /** The name under which the host key is looked up instead of the address. */
  hostKeyAlias: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^\s\p{C}]+$/u, 'not a name')
    .nullable(),
  /** Files with known host keys, in place of the person's usual ones. */
  knownHostsFiles: z.array(localPath).max(20).readonly(),
  /** Null: Leasehold's own cadence. A longer one is not used: a dead link must show within 30 s. */
  keepaliveEveryS: z.int().min(1).max(3600).nullable(),
  /** The Host entry of the SSH config that this box came from. */
  configHost: z.string().min(1).max(255).nullable(),
  /** What that entry said when the person last took it over or declined it, as a digest. */
  configDigest: z.string().max(100).nullable(),
});
export type BoxOptions = z.infer<typeof boxOptions>;
