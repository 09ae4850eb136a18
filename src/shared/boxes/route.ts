import { z } from 'zod';
import { hostName, localPath, portNumber, sshAddress } from './address.ts';

/** More hops than anybody has; a longer list is a mistake or a loop. */
export const MAX_HOPS = 8;

/** One machine on the way: a full SSH login of its own, with its own host key and its own credentials. */
export const hop = z.strictObject({
  address: sshAddress,
  /** Null: agent and usual files, as for a box. */
  identityFile: localPath.nullable(),
});
export type Hop = z.infer<typeof hop>;

/** Something that passes the bytes on without an SSH login. */
export const proxy = z.strictObject({
  protocol: z.enum(['socks5', 'http']),
  host: hostName,
  port: portNumber,
  /** Null: it asks for no login. The password lies in the secrets, never here. */
  user: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^\p{Cc}:]+$/u, 'not a user name')
    .nullable(),
});
export type Proxy = z.infer<typeof proxy>;

/** How the bytes get to the port on which a box answers SSH. */
export const route = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('direct') }),
  z.strictObject({ kind: z.literal('jumps'), hops: z.array(hop).min(1).max(MAX_HOPS).readonly() }),
  /** OpenSSH's ProxyCommand, with its tokens unexpanded. SECURITY: short and visible, because a person approves it. */
  z.strictObject({
    kind: z.literal('command'),
    command: z
      .string()
      .min(1)
      .max(1000)
      .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, 'not one plain line'),
  }),
  z.strictObject({ kind: z.literal('proxy'), proxy }),
]);
export type Route = z.infer<typeof route>;
