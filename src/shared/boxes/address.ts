import { z } from 'zod';

// SECURITY: a value with a leading dash would be an option to a system ssh; blanks and control characters belong to no
// host or user and hide things on screen.
const PLAIN = /^(?!-)[^\s\p{C}]+$/u;

export const hostName = z.string().max(255).regex(PLAIN, 'not a host name or address');
export const portNumber = z.int().min(1).max(65535);
export const userName = z.string().max(64).regex(PLAIN, 'not a user name');

/** Where a machine answers SSH. */
export const sshAddress = z.strictObject({ host: hostName, port: portNumber, user: userName });
export type SshAddress = z.infer<typeof sshAddress>;

/** A file on this machine, as the person named it: `~/` stands for the home folder. */
export const localPath = z
  .string()
  .min(1)
  .max(1000)
  .regex(/^[^\p{Cc}]+$/u, 'not a path');
