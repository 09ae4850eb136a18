import { z } from 'zod';
import type { Problem } from '../problem.ts';
import { sshAddress, type SshAddress } from './address.ts';
import { boxOptions } from './box-options.ts';
import type { HostKeyQuestion } from './host-key.ts';
import { login } from './login.ts';
import { route } from './route.ts';

/** All that it takes to connect to a box. */
export const boxConnection = z.strictObject({
  address: sshAddress,
  route,
  login,
  options: boxOptions,
});
export type BoxConnection = Readonly<z.infer<typeof boxConnection>>;

/** One rented machine, login node, cluster context or notebook session, as the user knows it. */
export interface Box extends BoxConnection {
  readonly id: string;
  readonly name: string;
  /** Id of the platform's profile; `demo` for the box inside the app. */
  readonly platform: string;
  /** The person's own words, to find and group boxes by. */
  readonly tags: readonly string[];
  readonly addedAtMs: number;
  /** Since when it is in the archive; absent: it is in the list. */
  readonly archivedAtMs?: number;
}

/** Which machine on the way is meant; where it is null, the box itself. */
export interface JumpHostPlace {
  readonly address: SshAddress;
  /** From 1. */
  readonly position: number;
  readonly count: number;
}

/** The person must look at this key before anything is sent to the machine that offers it. */
export type LinkQuestion = HostKeyQuestion & { readonly jumpHost: JumpHostPlace | null };

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
  | LinkQuestion
  /** Nothing happens until the person acts: a retry would not help or would lock an account. */
  | { readonly kind: 'down'; readonly sinceMs: number; readonly problem: Problem };
