import { z } from 'zod';
import type { Problem } from '../problem.ts';

/**
 * `local`: a port here that reaches a port on the box (or one that the box can reach). `remote`: a port on the box that
 * reaches a port here. `dynamic`: a SOCKS proxy here through which programs reach whatever the box can reach.
 */
export const tunnelKinds = ['local', 'remote', 'dynamic'] as const;
export type TunnelKind = (typeof tunnelKinds)[number];

/** What speaks at the far end, which decides how it is asked and how it is opened. */
export const tunnelServices = ['http', 'tensorboard', 'jupyter', 'tcp'] as const;
export type TunnelService = (typeof tunnelServices)[number];

const PLAIN_HOST = /^(?!-)[^\s\p{C}/\\@]+$/u;
const PLAIN_NAME = /^[^\p{C}]+$/u;
const port = z.int().min(1).max(65535);

const endpoint = z.strictObject({
  host: z.string().max(255).regex(PLAIN_HOST, 'not a host name or address'),
  port,
});
export type Endpoint = z.infer<typeof endpoint>;

/** A tunnel as a person writes it. */
export const tunnelDraft = z
  .strictObject({
    name: z.string().trim().min(1).max(80).regex(PLAIN_NAME, 'contains invisible characters'),
    kind: z.enum(tunnelKinds),
    service: z.enum(tunnelServices),
    /** Where it listens: on this machine, or on the box for a remote forward. */
    listenPort: port,
    /** SECURITY: false means the loopback only, and that is the default everywhere. */
    isExposed: z.boolean(),
    /** Null for a dynamic forward, whose programs name their own targets. */
    target: endpoint.nullable(),
  })
  .refine(({ kind, target }) => (kind === 'dynamic') === (target === null), {
    path: ['target'],
    error: 'a dynamic forward has no target, every other tunnel has one',
  })
  .refine(({ kind, service }) => kind === 'local' || service === 'tcp' || service === 'http', {
    path: ['service'],
    error: 'only a local forward leads to TensorBoard or Jupyter',
  });
export type TunnelDraft = z.infer<typeof tunnelDraft>;

export interface Tunnel extends TunnelDraft {
  readonly id: string;
  /** Off: the person stopped it, and it stays stopped across reconnects and restarts. */
  readonly isOn: boolean;
}

/** Which program has a port, as far as this system tells. */
export interface PortHolder {
  readonly pid: number;
  readonly name: string;
}

/** What the last request through the tunnel came to, and what exactly was asked: a check never claims more than that. */
export interface TunnelCheck {
  readonly atMs: number;
  readonly tookMs: number;
  /**
   * `answered`: bytes came back from the far end. `accepted`: the far end took the connection and said nothing, which a
   * program that waits for its client does, and a hung one too. `failed`: neither.
   */
  readonly outcome: 'answered' | 'accepted' | 'failed';
  /** "HTTP 200 to GET /". Plain words about what was seen. */
  readonly saw: string;
  readonly problem: Problem | null;
}

export type TunnelState =
  | { readonly kind: 'stopped' }
  /** The box is not connected; the tunnel opens by itself when it is. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'opening' }
  | { readonly kind: 'listening' }
  | {
      readonly kind: 'port-taken';
      /** Null: the system does not tell. */
      readonly holder: PortHolder | null;
      /** Free a moment ago; null when none was found nearby. */
      readonly freePort: number | null;
    }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** One row: a tunnel and all that is known of it right now. */
export interface TunnelRow {
  readonly tunnel: Tunnel;
  readonly state: TunnelState;
  /** The newest proof that something came back through it: a check, or the person's own traffic. */
  readonly answeredAtMs: number | null;
  readonly check: TunnelCheck | null;
  readonly isChecking: boolean;
  /** Towards the far end and back, since the app started. */
  readonly bytesOut: number;
  readonly bytesIn: number;
  readonly openConnections: number;
}
