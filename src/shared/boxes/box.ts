import { z } from 'zod';
import type { Problem } from '../problem.ts';
import type { HostKeyQuestion } from './host-key.ts';

// SECURITY: a value with a leading dash would be an option to a system ssh; blanks and control characters belong to no
// host or user and hide things on screen.
const PLAIN = /^(?!-)[^\s\p{C}]+$/u;

/** Where a box answers SSH. */
export const sshAddress = z.strictObject({
  host: z.string().max(255).regex(PLAIN, 'not a host name or address'),
  port: z.int().min(1).max(65535),
  user: z.string().max(64).regex(PLAIN, 'not a user name'),
});
export type SshAddress = z.infer<typeof sshAddress>;

/** One rented machine, login node, cluster context or notebook session, as the user knows it. */
export interface Box {
  readonly id: string;
  readonly name: string;
  /** Id of the platform's profile; `demo` for the box inside the app. */
  readonly platform: string;
  readonly address: SshAddress;
  /** A private key file on this machine that the user named; null: agent and usual files. */
  readonly identityFile: string | null;
  readonly addedAtMs: number;
}

/** The SSH connection to a box, with its own visible state. */
export type LinkState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting'; readonly attempt: number; readonly sinceMs: number }
  | { readonly kind: 'up'; readonly sinceMs: number; readonly latencyMs: number | null }
  | {
      readonly kind: 'waiting';
      readonly attempt: number;
      readonly retryAtMs: number;
      readonly problem: Problem;
    }
  | HostKeyQuestion
  /** Nothing happens until the person acts: a retry would not help or would lock an account. */
  | { readonly kind: 'down'; readonly sinceMs: number; readonly problem: Problem };
